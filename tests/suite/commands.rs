//! Commands under hostile names: each is read back by a shell to the words it was built from, and no name becomes a flag.
//!
//! A name that a command of a case carries is replaced in the input of the case, where it stands as a value of its own
//! and inside messages; then all commands of the case are looked at again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::config::Config;
use fleetlens::internals::engine::{Report, judge};
use fleetlens::internals::finding::Command;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::bless::{names_in, report};
use crate::judged::open;

/// What a name must not bring into a command.
const HOSTILE: [&str; 11] = [
    "",
    "-n",
    "--all",
    "x --kubeconfig=/tmp/evil",
    "$(reboot)",
    "`reboot`;",
    "it's",
    "say \"x\"",
    "a\nb",
    "\u{202e}evil\u{202c}",
    "x\\",
];

/// The flags that commands are built with.
const FLAGS: [&str; 25] = [
    "--all-containers",
    "--all-namespaces",
    "--api-group=",
    "--as=",
    "--cascade=orphan",
    "--list",
    "--overwrite",
    "--previous",
    "--raw",
    "--show-labels",
    "--show-managed-fields",
    "--subresource=status",
    "--tail=-1",
    "--tail=200",
    "--tail=50",
    "--timestamps",
    "--type=json",
    "--type=merge",
    "-A",
    "-c",
    "-f",
    "-l",
    "-n",
    "-o",
    "-p",
];

/// Flags whose value is the next word.
const WITH_VALUE: [&str; 6] = ["-c", "-f", "-l", "-n", "-o", "-p"];

#[test]
fn every_command_of_every_case_is_read_back_word_by_word() {
    let mut troubles = Vec::new();
    let mut count = 0;
    for (case, commands) in &*COMMANDS {
        for command in commands {
            troubles.extend(fault_of(command).map(|fault| format!("{case}: {fault}")));
            count += 1;
        }
    }
    report(troubles);
    assert!(count > 300, "{count} commands are too few to prove anything");
}

#[test]
fn no_name_of_an_attack_reaches_a_command() {
    for case in names_in("testdata/regress").into_iter().filter(|name| name.starts_with("cmd-")) {
        let commands = commands(&Path::new("testdata/regress").join(&case));
        assert!(!commands.is_empty(), "{case} yields no command at all");
        for command in commands {
            assert_eq!(fault_of(&command), None, "{case}");
            assert!(!command.posix().contains("evil"), "{case}: {}", command.posix());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_hostile_name_becomes_part_of_a_command(
        case in select(cases()),
        which in any::<Index>(),
        hostile in prop_oneof![select(HOSTILE.to_vec()).prop_map(str::to_owned), "-{1,2}[a-z]{6,9}(=[a-z/]{1,8})?", "[a-z]{1,4}[ '\"$`;|&<>(){}\\\\\n\u{202e}]{1,3}[a-z]{0,4}"],
    ) {
        let names: Vec<String> = COMMANDS[&case].iter().flat_map(names_of).collect();
        prop_assume!(!names.is_empty());
        let name = which.get(&names);
        let folder = tempfile::tempdir().expect("a folder");
        copy_with(Path::new(&case), folder.path(), name, &hostile);
        for command in commands(folder.path()) {
            prop_assert_eq!(fault_of(&command), None, "{} for {}", &hostile, name);
            // A flag is one at the front of a word only: `fleet-member--x` is a name like any other.
            let holds = |word: &str| match hostile.starts_with('-') {
                true => word.starts_with(&*hostile),
                false => word.contains(&*hostile),
            };
            let carries = |word: &&String| holds(word) && !FLAGS.contains(&&***word);
            prop_assert_eq!(
                command.argv().iter().find(|word| !hostile.is_empty() && carries(word)),
                None,
                "{} for {}", &hostile, name
            );
        }
    }
}

/// The commands of each case, as it is.
static COMMANDS: LazyLock<BTreeMap<String, Vec<Command>>> = LazyLock::new(|| {
    let commands = |case: &str| open(case).map(|it| commands_of(it.report())).unwrap_or_default();
    cases().into_iter().map(|case| (case.clone(), commands(&case))).collect()
});

/// Returns all inputs that a rule is shown to find something in, and all stories.
fn cases() -> Vec<String> {
    let mut cases = Vec::new();
    for rule in names_in("testdata/rules") {
        let inputs = names_in(format!("testdata/rules/{rule}")).into_iter();
        let bad = inputs.filter(|name| name.starts_with("bad") && !name.ends_with(".txt"));
        cases.extend(bad.map(|name| format!("testdata/rules/{rule}/{name}")));
    }
    let stories = names_in("testdata/bundles").into_iter();
    cases.extend(stories.map(|story| format!("testdata/bundles/{story}/capture")));
    cases
}

fn commands(path: &Path) -> Vec<Command> {
    let Ok(bundle) = Bundle::open(&[path.to_string_lossy().into_owned()]) else {
        return Vec::new();
    };
    commands_of(&judge(&bundle, &Config::default()))
}

/// Returns what a report proposes and what it asks for.
fn commands_of(report: &Report) -> Vec<Command> {
    let proposed = report.findings.iter().flat_map(|resolved| resolved.finding.commands());
    proposed.chain(report.asks.iter().map(|ask| &ask.command)).cloned().collect()
}

/// Tells what is wrong with a command: its text, or a word that is not ours and could be a flag.
fn fault_of(command: &Command) -> Option<String> {
    let (argv, text) = (command.argv(), command.posix());
    if shlex::split(&text).as_deref() != Some(argv) {
        return Some(format!("{text} is not read back as {argv:?}"));
    }
    let mut words = argv.iter().map(String::as_str).skip(1);
    let mut seen = BTreeSet::new();
    while let Some(word) = words.next() {
        if word.is_empty() {
            return Some(format!("{text} has an empty word"));
        }
        if !word.starts_with('-') {
            continue;
        }
        let known = FLAGS
            .iter()
            .any(|flag| word == *flag || (flag.ends_with('=') && word.starts_with(flag)));
        if !known || !seen.insert(word) {
            return Some(format!("{text} has a flag {word}"));
        }
        if WITH_VALUE.contains(&word) && words.next().is_none_or(|value| value.starts_with('-')) {
            return Some(format!("{text} lacks the value of {word}"));
        }
    }
    None
}

/// Returns the words of a command that are names.
fn names_of(command: &Command) -> Vec<String> {
    let known: BTreeSet<&str> = ["fleet-system", "hub-agent", "yaml", "wide", "name"].into();
    let words = command.argv().iter().skip(2).filter(|word| {
        !word.starts_with('-') && !word.contains(['{', ',', '=']) && !known.contains(&***word)
    });
    words.map(|word| word.trim_start_matches("fleet-member-").to_owned()).collect()
}

/// Copies a case with a name replaced by another.
fn copy_with(from: &Path, to: &Path, name: &str, hostile: &str) {
    for entry in walkdir::WalkDir::new(from).into_iter().flatten() {
        let path = entry.path().strip_prefix(from).expect("it is below");
        let target = if path.as_os_str().is_empty() && entry.file_type().is_file() {
            to.join(entry.file_name())
        } else {
            to.join(path)
        };
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target).expect("a folder can be made");
            continue;
        }
        match fs::read_to_string(entry.path()) {
            Ok(text) => fs::write(&target, replace(&text, name, hostile)),
            Err(_) => fs::copy(entry.path(), &target).map(|_| ()),
        }
        .expect("a file can be written");
    }
}

/// Replaces a name: as a value in quotes where it stands alone, else as it is.
fn replace(text: &str, name: &str, hostile: &str) -> String {
    let quoted = serde_json::to_string(hostile).expect("a text");
    let inside = &quoted[1..quoted.len() - 1];
    let mut lines = Vec::new();
    for line in text.split('\n') {
        lines.push(match line.strip_suffix(name) {
            Some(start) if start.ends_with(": ") || start.ends_with("- ") => {
                format!("{start}{quoted}")
            }
            _ if line.contains(&format!("\"{name}\"")) => line.replace(name, inside),
            _ => line.replace(name, &hostile.replace('\n', " ")),
        });
    }
    lines.join("\n")
}
