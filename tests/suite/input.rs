//! The input layer: what is read, in which order, as which text.
//!
//! `hostile` holds what an attacker or a bad line makes of it, `pack` the archives of both.

mod hostile;
pub(crate) mod pack;

use std::fs;
use std::path::Path;

use fleetlens::internals::input::{
    DecodedText, Input, InputFile, Limits, ReadOutcome, UnreadReason, read_inputs,
};
use fleetlens::internals::source::{Encoding, Origin};
use tempfile::TempDir;

use pack::{Item, gzip, tar, zip, zstd};

const DATA: &str = "testdata/input";

/// What went to the sink.
#[derive(Debug, PartialEq)]
struct SeenMember {
    path: String,
    origin: Origin,
    text: Option<DecodedText>,
}

/// What a reading gave.
struct Seen {
    members: Vec<SeenMember>,
    outcome: ReadOutcome,
}

impl Seen {
    fn paths(&self) -> Vec<&str> {
        self.members.iter().map(|member| member.path.as_str()).collect()
    }

    fn texts(&self) -> Vec<&str> {
        self.members.iter().map(|member| &*member.text.as_ref().expect("kept").text).collect()
    }

    /// Each refusal with the last part of its path.
    fn refusals(&self) -> Vec<(String, UnreadReason)> {
        let end = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        let refusals = self.outcome.refusals.iter();
        refusals.map(|refusal| (end(&refusal.path), refusal.reason.clone())).collect()
    }
}

fn read(paths: &[&Path], limits: &Limits) -> Seen {
    let paths: Vec<Input> = paths.iter().map(|path| Input::from(*path)).collect();
    let mut members = Vec::new();
    let mut sink = |member: InputFile<'_>| {
        members.push((member.path.to_owned(), member.body.into_text()));
    };
    let outcome = read_inputs(&paths, limits, &mut sink).expect("the named path is there");
    assert_eq!(members.len(), outcome.origins.len());
    let members = members.into_iter().zip(outcome.origins.clone());
    let members = members.map(|((path, text), origin)| SeenMember { path, origin, text });
    Seen { members: members.collect(), outcome }
}

/// Writes one file into a folder of its own and reads it, with paths below that folder.
fn read_bytes(name: &str, bytes: &[u8], limits: &Limits) -> Seen {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("written");
    let mut seen = read(&[&path], limits);
    let prefix = format!("{}/", folder.path().display());
    for member in &mut seen.members {
        member.path = member.path.strip_prefix(&prefix).expect("below the folder").to_owned();
    }
    seen
}

fn tree(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, bytes).expect("written");
    }
    folder
}

#[test]
fn folders_are_read_in_the_order_of_their_paths_and_once() {
    let folder = tree(&[
        ("b/2.yaml", b"two"),
        ("b-c.yaml", b"three"),
        ("a.yaml", b"one"),
        (".DS_Store", b"junk"),
        (".git/HEAD", b"junk"),
        ("b/empty.yaml", b""),
        ("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01"),
    ]);
    let inner = folder.path().join("b");
    let dotted = folder.path().join("./b/2.yaml");
    let seen = read(&[&inner, folder.path(), &dotted], &Limits::default());
    let base = folder.path().display();
    let expected: Vec<String> = ["a.yaml", "b/2.yaml", "b/empty.yaml", "b-c.yaml"]
        .iter()
        .map(|name| format!("{base}/{name}"))
        .collect();
    assert_eq!(seen.paths(), expected);
    assert_eq!(seen.texts(), ["one", "two", "", "three"]);
    let tally = seen.outcome.tally;
    assert_eq!((tally.files, tally.binary, tally.ignored, tally.bytes), (4, 1, 2, 11));
    assert!(seen.outcome.refusals.is_empty());
}

#[test]
fn a_named_path_that_is_not_there_is_an_error() {
    let mut sink = |_: InputFile<'_>| panic!("nothing may be read");
    let paths = [Input::from("testdata/input"), Input::from("testdata/no-such-thing")];
    let error = read_inputs(&paths, &Limits::default(), &mut sink).expect_err("one is missing");
    assert_eq!(error.to_string(), "cannot read testdata/no-such-thing");
    assert_eq!(Input::from("-"), Input::Stdin);
}

#[test]
fn every_kind_of_archive_gives_the_same_ticket() {
    for name in ["ticket.tgz", "ticket.tar.zst", "piped.zip"] {
        let seen = read(&[&Path::new(DATA).join(name)], &Limits::default());
        let prefix = format!("{DATA}/{name}/ticket/");
        let told = |(member, text): (&SeenMember, &str)| {
            let path = member.path.strip_prefix(&prefix).expect("in the ticket").to_owned();
            (path, member.origin.cluster.clone().expect("known"), text.len())
        };
        let mut members: Vec<_> = seen.members.iter().zip(seen.texts()).map(told).collect();
        members.sort_unstable();
        let expected = [
            ("hub/hub-agent.log.gz", "hub", 88),
            ("hub/runs.yaml", "hub", 36),
            ("member1/pods.txt", "member1", 24),
        ];
        let expected = expected.map(|(path, cluster, size)| (path.into(), cluster.into(), size));
        assert_eq!(members, expected, "{name}");
        assert_eq!((seen.outcome.tally.links, seen.outcome.tally.archives), (1, 1), "{name}");
    }
}

#[test]
fn clusters_show_when_their_folders_are_named_one_by_one() {
    let folder = tree(&[("hub/a.yaml", b"a"), ("west/pods.yaml", b"b"), ("hub/b.yaml", b"c")]);
    let cluster = |names: &[&str]| -> Vec<Option<String>> {
        let paths: Vec<_> = names.iter().map(|name| folder.path().join(name)).collect();
        let paths: Vec<&Path> = paths.iter().map(|path| &**path).collect();
        let seen = read(&paths, &Limits::default());
        seen.members.into_iter().map(|member| member.origin.cluster.map(Into::into)).collect()
    };
    let both = [Some("hub".to_owned()), Some("west".to_owned())];
    assert_eq!(cluster(&["hub/a.yaml", "west/pods.yaml"]), both);
    assert_eq!(cluster(&["west", "hub/a.yaml"]), both);
    assert_eq!(cluster(&["hub/a.yaml"]), both[..1]);
    assert_eq!(cluster(&["west"]), [None]);
}

#[test]
fn tar_dialects() {
    let long = format!("{}/{}.yaml", "d".repeat(120), "f".repeat(120));
    for name in ["long-names-gnu.tgz", "long-names-pax.tgz"] {
        let seen = read(&[&Path::new(DATA).join(name)], &Limits::default());
        assert_eq!(seen.paths(), [format!("{DATA}/{name}/longname/{long}")]);
        assert_eq!(seen.texts(), ["kind: A\n"]);
    }
    let seen = read(&[&Path::new(DATA).join("old-v7.tgz")], &Limits::default());
    assert_eq!(seen.texts(), ["NAME   READY\nweb    0/1\n"]);
    let seen = read(&[&Path::new(DATA).join("sparse-gnu.tgz")], &Limits::default());
    assert_eq!(seen.texts(), ["NAME   READY\nweb    0/1\n"]);
    assert_eq!(
        seen.refusals(),
        [("sparse.log".into(), UnreadReason::Unsupported("a GNU sparse file"))]
    );
}

#[test]
fn a_member_of_a_tar_knows_when_it_was_written() {
    let mut header = tar::Header::new_gnu();
    header.set_size(3);
    header.set_mtime(1_763_300_000);
    let mut builder = tar::Builder::new(Vec::new());
    builder.append_data(&mut header, "a.log", &b"one"[..]).expect("memory takes it");
    let bytes = builder.into_inner().expect("memory takes it");
    let seen = read_bytes("bundle.tar", &bytes, &Limits::default());
    assert_eq!(seen.members[0].origin.modified, Some(1_763_300_000));
    let seen = read_bytes("a.log", b"one", &Limits::default());
    assert_eq!(seen.members[0].origin.modified, None, "a disk tells when it was unpacked");
}

#[test]
fn packed_streams_may_have_several_parts() {
    let seen = read(&[&Path::new(DATA).join("two-frames.zst")], &Limits::default());
    assert_eq!(seen.texts(), ["apiVersion: v1\nkind: List\nitems: []\nNAME   READY\nweb    0/1\n"]);
    let seen = read_bytes(
        "a.log",
        &[gzip(b"one\n"), gzip(b""), gzip(b"two\n")].concat(),
        &Limits::default(),
    );
    assert_eq!(seen.texts(), ["one\ntwo\n"]);
    let seen = read(&[&Path::new(DATA).join("runs.yaml.xz")], &Limits::default());
    assert_eq!(seen.refusals(), [("runs.yaml.xz".into(), UnreadReason::Unsupported("xz"))]);
}

#[test]
fn encodings_become_text() {
    let text = "kind: Café\r\nmessage: \"stuck – waiting\"\r\n";
    for (name, encoding, expected) in [
        ("utf16le-bom.yaml", Encoding::Utf16Le, text.to_owned()),
        ("utf16be-bom.yaml", Encoding::Utf16Be, text.to_owned()),
        ("utf16le.yaml", Encoding::Utf16Le, text.to_owned()),
        ("utf16be.yaml", Encoding::Utf16Be, text.to_owned()),
        ("utf8-bom.yaml", Encoding::Utf8, format!("\u{feff}{text}")),
        ("cp1252.yaml", Encoding::Utf8Invalid, text.replace(['é', '–'], "?")),
    ] {
        let seen = read(&[&Path::new(DATA).join(name)], &Limits::default());
        assert_eq!(seen.members[0].text, Some(DecodedText { encoding, text: expected }), "{name}");
    }
}

#[test]
fn archives_nest_whatever_their_names_say() {
    let log = gzip(b"I1115 22:44:08.000000       1 a.go:1] \"one\"\n");
    let inner = tar(&[Item::File("hub-agent.log.gz", &log)]);
    let middle = zip(&[("in.tgz", &gzip(&inner)), ("in.tar.zst", &zstd(&inner))]);
    let outer = gzip(&tar(&[Item::File("middle.docx", &middle), Item::File("z.yaml", b"z")]));
    let seen = read_bytes("mail.txt", &outer, &Limits::default());
    let expected = [
        "mail.txt/middle.docx/in.tgz/hub-agent.log.gz",
        "mail.txt/middle.docx/in.tar.zst/hub-agent.log.gz",
        "mail.txt/z.yaml",
    ];
    assert_eq!(seen.paths(), expected);
    assert_eq!(seen.texts()[0], seen.texts()[1]);
    assert_eq!(seen.members[1].origin.container.as_deref(), Some("hub-agent"));
    assert_eq!(seen.outcome.tally.archives, 4);
}

#[test]
fn entries_of_one_name_are_all_kept() {
    let items =
        [Item::File("a.yaml", b"1"), Item::File("./a.yaml", b"2"), Item::File("a.yaml#2", b"3")];
    let seen = read_bytes("t.tar", &tar(&items), &Limits::default());
    assert_eq!(seen.paths(), ["t.tar/a.yaml", "t.tar/a.yaml#2", "t.tar/a.yaml#2#2"]);
    assert_eq!(seen.texts(), ["1", "2", "3"]);
}

#[test]
fn pieces_make_the_whole_text() {
    let line = |number: usize| format!("line {number} {}\n", "é".repeat(number % 50));
    let mut text: String = (1..=6_000).map(line).collect();
    text.push_str(&"x".repeat(100_000));
    text.push_str("\nlast");
    let utf16: Vec<u8> =
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for bytes in [text.clone().into_bytes(), gzip(text.as_bytes()), utf16] {
        let folder = tree(&[("a.log", &bytes)]);
        let (mut read, mut count) = (Vec::new(), 0);
        let mut sink = |member: InputFile<'_>| {
            assert!(member.body.peek().starts_with("line 1 é\n"));
            let mut pieces = member.body.into_pieces();
            let mut piece = vec![0; 100_000];
            loop {
                let len = std::io::Read::read(&mut pieces, &mut piece).expect("it never fails");
                read.extend_from_slice(&piece[..len]);
                count += 1;
                if len == 0 {
                    break;
                }
            }
        };
        let path = Input::from(folder.path());
        let outcome = read_inputs(&[path], &Limits::default(), &mut sink).expect("it is there");
        assert!(outcome.refusals.is_empty());
        assert!(count > 3 && read == text.as_bytes());
    }
}
