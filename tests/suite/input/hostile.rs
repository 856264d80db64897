//! What must not hurt: cut, damaged, boundless, climbing and lying input.

use std::fs;
use std::path::Path;

use fleetlens::internals::input::{Limits, UnreadReason};
use fleetlens::internals::source::Encoding;
use proptest::prelude::*;
use tar::EntryType;

use super::pack::{Item, gzip, tar, zip, zstd};
use super::{DATA, Seen, read, read_bytes, tree};

const RUNS: &str = "apiVersion: v1\nkind: List\nitems: []\n";

fn small() -> Limits {
    Limits { ratio_from: 1000, ..Limits::default() }
}

/// Letters that hardly pack.
fn noise(count: usize) -> String {
    let step = |seed: &u32| Some(seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    let seeds = std::iter::successors(Some(7_u32), step);
    seeds.take(count).map(|seed| char::from(b'a' + (seed >> 24) as u8 % 26)).collect()
}

fn reasons(seen: &Seen) -> Vec<UnreadReason> {
    seen.refusals().into_iter().map(|(_, reason)| reason).collect()
}

#[test]
fn a_cut_archive_gives_what_came_before_the_cut_and_says_so() {
    for name in ["ticket.tgz", "ticket.tar.zst", "piped.zip", "two-frames.zst"] {
        let bytes = fs::read(Path::new(DATA).join(name)).expect("committed");
        let told_anyway = read_bytes(name, &bytes, &Limits::default()).outcome.refusals.len();
        // Less than a magic number is just a few odd bytes.
        for cut in (4..bytes.len()).rev().step_by(3) {
            let seen = read_bytes(name, &bytes[..cut], &Limits::default());
            let told = reasons(&seen).contains(&UnreadReason::Truncated)
                || seen.outcome.refusals.len() > told_anyway;
            // Between two frames a stream may well end.
            let between = name == "two-frames.zst" && seen.texts() == [RUNS];
            assert!(told || between, "{name} at {cut}: {:?}", seen.outcome);
        }
    }
}

#[test]
fn what_stands_before_the_cut_is_kept() {
    let text = noise(600_000);
    let packed = [gzip(text.as_bytes()), zstd(text.as_bytes()), zip(&[("a.log", text.as_bytes())])];
    for (name, bytes) in ["a.gz", "a.zst", "a.zip"].into_iter().zip(packed) {
        let seen = read_bytes(name, &bytes[..bytes.len() * 3 / 4], &Limits::default());
        let kept = seen.texts()[0];
        assert!(text.starts_with(kept) && kept.len() > 300_000, "{name} kept {}", kept.len());
        assert!(reasons(&seen).contains(&UnreadReason::Truncated), "{name}");
    }
}

#[test]
fn a_cut_plain_tar_is_noticed_even_between_entries() {
    let bytes = tar(&[Item::File("a.yaml", b"one"), Item::File("b.yaml", b"two")]);
    let seen = read_bytes("t.tar", &bytes[..1024], &Limits::default());
    assert_eq!(seen.texts(), ["one"]);
    assert_eq!(seen.refusals(), [("t.tar".into(), UnreadReason::Truncated)]);
    let seen = read_bytes("t.tar", &bytes[..1024 + 513], &Limits::default());
    assert_eq!(seen.refusals(), [("b.yaml".into(), UnreadReason::Truncated)]);
}

#[test]
fn a_zip_without_its_end_is_read_by_its_headers() {
    let bytes = zip(&[("a.yaml", b"one"), ("b.yaml", b"two"), ("c.yaml", b"three")]);
    let directory = bytes.windows(4).position(|window| window == b"PK\x01\x02").expect("there");
    let seen = read_bytes("t.zip", &bytes[..directory + 10], &Limits::default());
    assert_eq!(seen.paths(), ["t.zip/a.yaml", "t.zip/b.yaml", "t.zip/c.yaml"]);
    assert_eq!(seen.texts(), ["one", "two", "three"]);
    assert_eq!(seen.refusals(), [("t.zip".into(), UnreadReason::Truncated)]);

    // This one has the sizes after the entries, as archives made in a pipe do.
    let bytes = fs::read(Path::new(DATA).join("piped.zip")).expect("committed");
    let seen = read_bytes("t.zip", &bytes[..bytes.len() - 30], &Limits::default());
    assert_eq!(seen.texts()[0], RUNS);
    assert_eq!(seen.paths()[2], "t.zip/ticket/member1/pods.txt");
}

#[test]
fn damage_is_told_and_does_not_spread() {
    let mut bytes = zip(&[("a.yaml", b"one"), ("b.yaml", b"two")]);
    let stored = bytes.windows(4).position(|window| window == b"PK\x01\x02").expect("there");
    bytes[stored + 16] ^= 1;
    let seen = read_bytes("t.zip", &bytes, &Limits::default());
    assert_eq!(
        seen.refusals(),
        [("a.yaml".into(), UnreadReason::Damaged("its checksum is wrong".into()))]
    );
    assert_eq!(seen.texts(), ["one", "two"]);

    bytes[stored + 8] |= 1;
    assert_eq!(
        reasons(&read_bytes("t.zip", &bytes, &Limits::default())),
        [UnreadReason::Encrypted]
    );

    let mut bytes = tar(&[Item::File("a.yaml", b"one"), Item::File("b.yaml", b"two")]);
    bytes[1030] ^= 1;
    let seen = read_bytes("t.tar", &bytes, &Limits::default());
    assert_eq!(seen.texts(), ["one"]);
    assert!(matches!(reasons(&seen)[..], [UnreadReason::Damaged(_)]));
}

#[test]
fn bombs_are_stopped_by_their_ratio() {
    let filler = vec![b'a'; 300_000];
    let bomb = UnreadReason::Bomb { limit: 20 };
    let limits = Limits { ratio: 20, ..small() };
    for (name, bytes) in [
        ("b.gz", gzip(&filler)),
        ("b.zst", zstd(&filler)),
        ("b.zip", zip(&[("a", &filler), ("b", &filler)])),
        ("b.tgz", gzip(&tar(&[Item::File("a", &filler), Item::File("b", &filler)]))),
    ] {
        let seen = read_bytes(name, &bytes, &limits);
        assert!(reasons(&seen).contains(&bomb), "{name}: {:?}", seen.outcome);
        let kept = seen.members.iter().filter_map(|member| member.text.as_ref());
        let kept: usize = kept.map(|text| text.text.len()).sum();
        assert!(kept <= 1000.max(20 * bytes.len()), "{name} gave {kept}");
        let patient = read_bytes(name, &bytes, &Limits::default());
        assert!(patient.outcome.refusals.is_empty(), "{name} is below the size that matters");
    }
}

#[test]
fn bombs_inside_each_other_are_measured_by_what_was_given() {
    // A few kilobytes, of which gigabytes come at depth four.
    for name in ["nested-bomb.zip", "nested-comments.zip", "nested-prose.zip"] {
        let path = Path::new("testdata/regress/archives").join(name);
        let seen = read(&[&path], &Limits::default());
        assert!(reasons(&seen).contains(&UnreadReason::Bomb { limit: 500 }), "{name}");
        let kept = seen.members.iter().filter_map(|member| member.text.as_ref());
        let kept: usize = kept.map(|text| text.text.len()).sum();
        assert!(kept <= 16 << 20, "{name} gave {kept}");
    }
}

#[test]
fn entries_that_share_their_bytes_are_not_read() {
    let mut bytes = zip(&[("a", b"first".as_slice()), ("b", b"second")]);
    // The second entry of the directory claims the place of the first.
    let central: Vec<usize> = memchr::memmem::find_iter(&bytes, b"PK\x01\x02").collect();
    bytes[central[1] + 42..central[1] + 46].fill(0);
    let seen = read_bytes("o.zip", &bytes, &Limits::default());
    assert!(seen.members.is_empty());
    let damage = UnreadReason::Damaged("its entries overlap, as those of a bomb do".into());
    assert_eq!(reasons(&seen), [damage]);
}

#[test]
fn a_zstd_window_of_gigabytes_is_refused() {
    // A frame header with a window of 2 GiB, then blocks that repeat one byte 128 KiB long.
    let mut bytes = b"\x28\xb5\x2f\xfd\x00\xa8".to_vec();
    bytes.extend(std::iter::repeat_n(*b"\x02\x00\x10a", 100).flatten());
    let seen = read_bytes("w.zst", &bytes, &Limits::default());
    let window = UnreadReason::Unsupported("zstd with a window above 100 MiB");
    assert_eq!(reasons(&seen), [window]);
}

#[test]
fn each_limit_is_told_and_the_rest_goes_on() {
    let a_and_b = tree(&[("a.yaml", b"0123456789"), ("b.yaml", b"01234"), ("c.yaml", b"0")]);
    let check = |limits: Limits, expected: &[(&str, UnreadReason)], texts: usize| {
        let seen = read(&[a_and_b.path()], &limits);
        let told: Vec<_> =
            expected.iter().map(|(name, reason)| ((*name).into(), reason.clone())).collect();
        assert_eq!(seen.refusals(), told);
        assert_eq!(seen.members.iter().filter(|member| member.text.is_some()).count(), texts);
    };
    let limits = Limits::default();
    check(Limits { text: 9, ..limits }, &[("a.yaml", UnreadReason::TooLarge { limit: 9 })], 2);
    // Names are kept too; all three are of one length.
    let names = 3 * 4 * a_and_b.path().join("a.yaml").as_os_str().len() as u64;
    let held = names + 4;
    check(Limits { held, ..limits }, &[("c.yaml", UnreadReason::TooMuchHeld { limit: held })], 2);
    let folder = a_and_b.path().file_name().expect("named").to_string_lossy().into_owned();
    check(
        Limits { entries: 2, ..limits },
        &[(&folder, UnreadReason::TooManyEntries { limit: 2 })],
        2,
    );

    let many = [Item::File("a", b"a"), Item::File("b", b"b"), Item::File("c", b"c")];
    let seen = read_bytes("t.tar", &tar(&many), &Limits { entries: 3, ..limits });
    assert_eq!(seen.texts(), ["a", "b"]);
    assert_eq!(seen.refusals(), [("t.tar".into(), UnreadReason::TooManyEntries { limit: 3 })]);

    let seen = read_bytes("t.tgz", &gzip(&tar(&many)), &Limits { unpacked: 1200, ..limits });
    assert_eq!(seen.texts(), ["a"]);
    assert_eq!(reasons(&seen), [UnreadReason::TooMuchUnpacked { limit: 1200 }]);

    let inner = zip(&[("a.yaml", noise(2000).as_bytes())]);
    let outer = tar(&[Item::File("in.zip", &inner), Item::File("z.yaml", b"z")]);
    let seen = read_bytes("t.tar", &outer, &Limits { held: 900, ..limits });
    assert_eq!(seen.texts(), ["z"]);
    assert_eq!(seen.refusals(), [("in.zip".into(), UnreadReason::TooMuchHeld { limit: 900 })]);
}

#[test]
fn nesting_has_an_end() {
    for pack in [
        |bytes: &[u8]| zip(&[("x", bytes)]),
        |bytes: &[u8]| gzip(bytes),
        |bytes: &[u8]| gzip(&tar(&[Item::File("x", bytes)])),
    ] {
        let nest = |depth: usize| (0..depth).fold(b"kind: A\n".to_vec(), |bytes, _| pack(&bytes));
        let seen = read_bytes("t", &nest(5), &Limits::default());
        assert_eq!(seen.texts(), ["kind: A\n"]);
        let seen = read_bytes("t", &nest(6), &Limits::default());
        assert_eq!(reasons(&seen), [UnreadReason::TooDeep { limit: 5 }]);
        assert!(seen.members.is_empty());
    }
}

#[test]
fn names_and_links_do_not_leave_the_archive() {
    let bytes = tar(&[
        Item::File("../up.yaml", b"1"),
        Item::File("/etc/abs.yaml", b"2"),
        Item::Symlink("a/out", "../../etc/passwd"),
        Item::Symlink("a/in", "../good.yaml"),
        Item::Hardlink("b/in", "good.yaml"),
        Item::Hardlink("b/out", "../x"),
        Item::Device("null"),
        Item::File("a/\u{1b}]0;x\u{7}.yaml", b"3"),
        Item::File("good.yaml", b"4"),
    ]);
    let seen = read_bytes("t.tar", &bytes, &Limits::default());
    assert_eq!(seen.paths(), ["t.tar/a/?]0;x?.yaml", "t.tar/good.yaml"]);
    let expected = [
        ("up.yaml", UnreadReason::UnsafeName),
        ("abs.yaml", UnreadReason::UnsafeName),
        ("out", UnreadReason::LinkOutside("../../etc/passwd".into())),
        ("out", UnreadReason::LinkOutside("../x".into())),
        ("null", UnreadReason::NotAFile),
    ];
    assert_eq!(seen.refusals(), expected.map(|(name, reason)| (name.to_owned(), reason)));
    assert_eq!(seen.outcome.tally.links, 2);
    let seen = read_bytes(
        "t.zip",
        &zip(&[("..\\up.yaml", b"1"), ("a\\b.yaml", b"2")]),
        &Limits::default(),
    );
    assert_eq!(
        (seen.paths(), reasons(&seen)),
        (vec!["t.zip/a/b.yaml"], vec![UnreadReason::UnsafeName])
    );
}

#[test]
fn claimed_sizes_cost_nothing() {
    let boundless = UnreadReason::Damaged("a tar extension header beyond all measure".into());
    for (kind, size, reason) in [
        (EntryType::GNULongName, u64::MAX, &boundless),
        (EntryType::XHeader, 1 << 40, &boundless),
        (EntryType::Regular, u64::MAX, &UnreadReason::Truncated),
        (EntryType::Directory, u64::MAX - 1, &UnreadReason::Truncated),
    ] {
        let bytes = tar(&[Item::File("a", b"a"), Item::Claims("b", kind, size)]);
        let seen = read_bytes("t.tar", &bytes, &Limits::default());
        assert_eq!(seen.texts()[0], "a");
        assert_eq!(reasons(&seen), std::slice::from_ref(reason), "{kind:?}");
    }
    let mut bytes = zip(&[("a", b"a")]);
    let end = bytes.len() - 22;
    // The counts, then the size and the place of the directory.
    for field in [8..12, 12..16, 16..20] {
        let mut bytes = bytes.clone();
        bytes[end..][field].fill(0xff);
        assert_eq!(read_bytes("t.zip", &bytes, &Limits::default()).texts(), ["a"]);
    }
    bytes.truncate(end);
    assert_eq!(read_bytes("t.zip", &bytes, &Limits::default()).texts(), ["a"]);
}

#[test]
fn empty_things_are_empty() {
    let folder =
        tree(&[("a.yaml", b""), ("b.gz", b""), ("c.gz", &gzip(b"")), ("d.zip", &zip(&[]))]);
    let seen = read(&[folder.path()], &Limits::default());
    assert_eq!(seen.texts(), ["", "", ""]);
    assert!(seen.outcome.refusals.is_empty(), "{:?}", seen.outcome);
}

#[cfg(unix)]
#[test]
fn links_on_disk_are_not_followed() {
    use std::os::unix::fs::symlink;
    let outside = tree(&[("secret.yaml", b"secret")]);
    let folder = tree(&[("a/one.yaml", b"1")]);
    let link =
        |target: &Path, name: &str| symlink(target, folder.path().join(name)).expect("linked");
    link(Path::new("a/one.yaml"), "inside.yaml");
    link(Path::new(".."), "a/up");
    link(folder.path(), "a/loop");
    link(Path::new("self"), "self");
    link(&outside.path().join("secret.yaml"), "out.yaml");
    let seen = read(&[folder.path()], &Limits::default());
    assert_eq!(seen.texts(), ["1"]);
    assert_eq!(seen.outcome.tally.links, 3);
    let names: Vec<_> = seen.refusals().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["out.yaml", "self"]);
    // A link that the user names is what the user means.
    let seen = read(&[&folder.path().join("out.yaml")], &Limits::default());
    assert_eq!(seen.texts(), ["secret"]);
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_read_like_a_file() {
    let folder = tree(&[]);
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let bytes = fs::read(Path::new(DATA).join("ticket.tgz")).expect("committed");
    let seen = std::thread::scope(|scope| {
        scope.spawn(|| fs::write(&pipe, &bytes).expect("written"));
        read(&[&pipe], &Limits::default())
    });
    assert_eq!(seen.members.len(), 3);
    assert_eq!(seen.members[0].origin.cluster.as_deref(), Some("hub"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_make_it_panic(
        which in 0_usize..6,
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let names = ["ticket.tgz", "ticket.tar.zst", "piped.zip", "two-frames.zst", "long-names-pax.tgz", "old-v7.tgz"];
        let name = names[which];
        let mut bytes = fs::read(Path::new(DATA).join(name)).expect("committed");
        // Damage to a gzip stream stops at its checksum; the tar inside deserves some too.
        let mut unpacked = Vec::new();
        let inside = std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&*bytes), &mut unpacked);
        for (at, value) in &edits {
            *at.get_mut(&mut bytes) = *value;
            if inside.is_ok() {
                *at.get_mut(&mut unpacked) = *value;
            }
        }
        let limits = Limits { unpacked: 1 << 24, ..Limits::default() };
        read_bytes(name, &bytes, &limits);
        read_bytes(name, &unpacked, &limits);
    }

    #[test]
    fn any_text_is_kept_byte_for_byte(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let seen = read_bytes("x", &bytes, &Limits::default());
        for text in seen.members.iter().filter_map(|member| member.text.as_ref()) {
            if matches!(text.encoding, Encoding::Utf8 | Encoding::Utf8Invalid) {
                prop_assert_eq!(text.text.len(), bytes.len());
            }
        }
    }
}
