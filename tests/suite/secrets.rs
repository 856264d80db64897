//! Secrets of hostile bundles: none of their values is text of any report, in any format of any command.

use std::path::Path;
use std::process::Command;

use crate::bless::{names_in, report};

/// What stands in the values of the cases, plain and in base64.
const VALUES: [&str; 5] = ["canary", "Q0FOQVJZ", "cnry5", "eyJhdXRocyI6", "Q2FuYXJ5"];

/// Commands and their own formats; those of `analyze` and `check` are asked for.
const COMMANDS: [&[&str]; 9] = [
    &["timeline"],
    &["timeline", "--format=json"],
    &["tree"],
    &["tree", "--format=json"],
    &["tree", "--format=mermaid"],
    &["tree", "--format=dot"],
    &["dump", "--tree"],
    &["dump", "--tree", "--format=json"],
    &["plan"],
];

fn run(arguments: &[&str], input: &Path) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_fleetlens")).args(arguments).arg(input).output();
    let done = done.expect("the program runs");
    format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr))
}

/// Asks the program for the formats that it has, so that a new one is tested too.
fn formats() -> Vec<String> {
    let said = run(&["analyze", "--format=?"], Path::new("."));
    let list = said.split("there are ").nth(1).and_then(|rest| rest.lines().next());
    let list = list.expect("the list of formats");
    list.split(", ").map(|name| format!("--format={}", name.trim())).collect()
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from).into_iter().flatten() {
        let place = to.join(entry.path().strip_prefix(from).expect("a path within"));
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(&place).expect("a folder");
        } else {
            std::fs::copy(entry.path(), &place).expect("a copy");
        }
    }
}

#[test]
fn no_value_of_a_secret_is_shown() {
    let formats = formats();
    assert!(formats.len() >= 4, "{formats:?}");
    let folder = tempfile::tempdir().expect("a folder");
    // One run writes all formats.
    let files: Vec<String> = formats
        .iter()
        .enumerate()
        .map(|(index, format)| {
            format!("{format}={}", folder.path().join(index.to_string()).display())
        })
        .collect();
    let written = || -> String {
        let read = |index: usize| std::fs::read(folder.path().join(index.to_string()));
        let texts = (0..files.len()).filter_map(|index| read(index).ok());
        texts.map(|text| String::from_utf8_lossy(&text).into_owned()).collect()
    };
    let mut commands: Vec<Vec<&str>> = COMMANDS.iter().map(|command| command.to_vec()).collect();
    for command in ["analyze", "check"] {
        commands.push(std::iter::once(command).chain(files.iter().map(String::as_str)).collect());
    }
    // Apart from this repository, whose other files `check` would take as context.
    let copies = tempfile::tempdir().expect("a folder");
    copy(Path::new("testdata/regress"), copies.path());
    let root = copies.path();
    let cases = names_in(root).into_iter();
    let cases = cases.filter(|name| name.starts_with("secret") || name.starts_with("mask"));
    let mut troubles = Vec::new();
    for case in cases {
        for command in &commands {
            let shown = run(command, &root.join(&case)) + &written();
            let leaks = |line: &&str| {
                let low = line.to_lowercase();
                VALUES.iter().any(|value| low.contains(&value.to_lowercase()))
            };
            if let Some(line) = shown.lines().find(leaks) {
                let line: String = line.chars().take(200).collect();
                troubles.push(format!("{case}: {command:?}: {line}"));
            }
        }
    }
    report(troubles);
}
