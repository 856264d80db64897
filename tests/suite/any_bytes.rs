//! Any bytes: the bodies of the fuzz targets on real files with drawn damage, and on what fuzzing has kept.
//!
//! `fuzz/README.md` tells how to look for more.

#[path = "../../fuzz/src/bodies.rs"]
mod bodies;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::sample::Index;

use bodies::{ALL, Body};

/// A test build on a busy machine takes many times what a release build takes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Files to damage: those of archives, and texts of all forms.
static SEEDS: LazyLock<[Vec<PathBuf>; 2]> = LazyLock::new(|| {
    let small = |path: &PathBuf| path.metadata().is_ok_and(|it| (1..20_000).contains(&it.len()));
    let below = |root: &str| {
        let files = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().flatten();
        let files = files.filter(|entry| entry.file_type().is_file());
        files.map(walkdir::DirEntry::into_path).filter(small).collect::<Vec<_>>()
    };
    let archives = [below("testdata/input"), below("testdata/regress/archives")].concat();
    [
        archives,
        [below("testdata/bundles"), below("testdata/pastes"), below("testdata/rules")].concat(),
    ]
});

fn run((name, body): &Body, bytes: &[u8]) {
    let began = Instant::now();
    body(bytes);
    let took = began.elapsed();
    assert!(took < PATIENCE, "{name} took {took:?} for {} bytes", bytes.len());
}

/// Damages a text: a cut, a byte, a line that is lost, doubled or moved, a word that means something.
fn damage(bytes: &mut Vec<u8>, at: &Index, kind: u8, value: u8) {
    const WORDS: [&str; 12] = [
        "---\n",
        "...\n",
        "\u{1b}]0;x\u{7}",
        "- ",
        ": ",
        "{",
        "\"",
        "&a *a",
        "|\n",
        "\u{202e}",
        "\r\n",
        "\t",
    ];
    if bytes.is_empty() {
        return;
    }
    let place = at.index(bytes.len());
    let start = bytes[..place].iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
    let end =
        bytes[place..].iter().position(|it| *it == b'\n').map_or(bytes.len(), |it| place + it + 1);
    match kind {
        0 => bytes.truncate(place),
        1 => bytes[place] = value,
        2 => drop(bytes.drain(start..end)),
        3 => {
            let line = bytes[start..end].to_vec();
            bytes.splice(end..end, line);
        }
        4 => {
            let line: Vec<u8> = bytes.drain(start..end).collect();
            let to = usize::from(value) * bytes.len() / 256;
            bytes.splice(to..to, line);
        }
        5 => drop(bytes.splice(start..start, vec![b' '; usize::from(value % 9)])),
        _ => {
            let word = WORDS[usize::from(value) % WORDS.len()].bytes();
            drop(bytes.splice(place..place, word));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_break_no_promise(
        body in 0..ALL.len(),
        seed in any::<Index>(),
        harms in proptest::collection::vec((any::<Index>(), 0_u8..8, any::<u8>()), 0..10),
    ) {
        let body = &ALL[body];
        let seeds = &SEEDS[usize::from(body.0 != "archive")];
        let mut bytes = std::fs::read(seed.get(seeds)).expect("testdata");
        for (at, kind, value) in &harms {
            damage(&mut bytes, at, *kind, *value);
        }
        run(body, &bytes);
    }
}

#[test]
fn what_fuzzing_kept_breaks_no_promise() {
    for body in &ALL {
        let folder = Path::new("fuzz/corpus").join(body.0);
        let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
        for file in files.filter(|entry| entry.file_type().is_file()) {
            run(body, &std::fs::read(file.path()).expect("a kept file"));
        }
    }
}
