//! Secrets of hostile bundles: none of their values is text of any report, in any format of any command.

use std::path::Path;
use std::process::Command;

use crate::bless::{names_in, report};

/// What stands in the values of the cases, plain and in base64.
const VALUES: [&str; 5] = ["canary", "Q0FOQVJZ", "cnry5", "eyJhdXRocyI6", "Q2FuYXJ5"];

/// Commands and their own formats; those of `analyze` and `check` are asked for.
pub(crate) const COMMANDS: [&[&str]; 9] = [
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

pub(crate) fn run(arguments: &[&str], input: &Path) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_fleetlens")).args(arguments).arg(input).output();
    let done = done.expect("the program runs");
    format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr))
}

/// Asks the program for the formats that it has, so that a new one is tested too.
pub(crate) fn formats() -> Vec<String> {
    let said = run(&["analyze", "--format=?"], Path::new("."));
    let list = said.split("there are ").nth(1).and_then(|rest| rest.lines().next());
    let list = list.expect("the list of formats");
    list.split(", ").map(|name| format!("--format={}", name.trim())).collect()
}

pub(crate) fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from).into_iter().flatten() {
        let place = to.join(entry.path().strip_prefix(from).expect("a path within"));
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(&place).expect("a folder");
        } else {
            std::fs::copy(entry.path(), &place).expect("a copy");
        }
    }
}

/// Forty kinds of credentials in the messages of a placement, which reports quote.
#[test]
fn no_credential_in_a_message_is_shown() {
    let list = include_str!("../../testdata/regress/credentials.txt");
    let folder = tempfile::tempdir().expect("a folder");
    let mut troubles = Vec::new();
    let mut items = String::new();
    for (number, line) in list.lines().enumerate() {
        let message = line.replace('⏎', "\n");
        let message = serde_json::to_string(&format!("not yet: {message}")).expect("a text");
        items.push_str(&format!(
            "- apiVersion: placement.kubernetes-fleet.io/v1beta1\n  kind: ClusterResourcePlacement\n  metadata: {{name: web-{number}, generation: 1, \
             uid: 4ab2e0c3-0000-4000-8000-{number:012}, creationTimestamp: \"2026-11-16T12:00:00Z\"}}\n  spec: {{resourceSelectors: []}}\n  status:\n    \
             conditions:\n    - {{type: Applied, status: \"False\", reason: Odd, observedGeneration: 1, lastTransitionTime: \"2026-11-16T12:00:01Z\", message: {message}}}\n"
        ));
    }
    let text = format!("apiVersion: v1\nkind: List\nitems:\n{items}");
    std::fs::write(folder.path().join("placements.yaml"), text).expect("written");
    let mut commands: Vec<Vec<&str>> = COMMANDS.iter().map(|command| command.to_vec()).collect();
    let formats = formats();
    commands.extend(formats.iter().map(|format| vec!["analyze", format]));
    let mut told = 0;
    for command in &commands {
        let shown = run(command, folder.path());
        told += usize::from(shown.contains("not yet"));
        let leak = shown.lines().find(|line| line.contains("CANARY"));
        troubles.extend(leak.map(|line| format!("{command:?}: {line:.200}")));
    }
    assert!(list.lines().count() >= 40 && told > formats.len() / 2, "{told} quote the messages");
    report(troubles);
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
    let cases = names_in("testdata/regress").into_iter();
    let cases = cases.filter(|name| name.starts_with("secret") || name.starts_with("mask"));
    let values = VALUES.map(str::to_ascii_lowercase);
    let finders = values.each_ref().map(memchr::memmem::Finder::new);
    let mut troubles = Vec::new();
    for (number, case) in cases.enumerate() {
        // Apart from this repository, whose other files `check` would take as context.
        let alone = tempfile::tempdir().expect("a folder");
        let input = alone.path().join(&case);
        copy(&Path::new("testdata/regress").join(&case), &input);
        // Of the forms of a view, each case is shown in every other one.
        let views = COMMANDS.len();
        let asked =
            commands.iter().enumerate().filter(|(at, _)| *at >= views || (at + number) % 2 == 0);
        for (_, command) in asked {
            let mut shown = run(command, &input);
            if command.len() > files.len() {
                shown.push_str(&written());
            }
            let low = shown.to_ascii_lowercase();
            let leak = finders.iter().find_map(|finder| finder.find(low.as_bytes()));
            if let Some(at) = leak {
                let start = low[..at].rfind('\n').map_or(0, |end| end + 1);
                let line: String = shown[start..].lines().next().unwrap_or_default().into();
                troubles.push(format!("{case}: {command:?}: {line:.200}"));
            }
        }
    }
    report(troubles);
}
