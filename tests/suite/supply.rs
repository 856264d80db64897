//! What comes into the tree: licences and sources by `deny.toml`, a reason for each crate, and a binary that can be moved.
//!
//! `cargo deny` looks at the same and at advisories, where it is installed (`.ci/run`); this needs nothing but cargo.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::bless::report;

/// Returns what cargo knows of the crates: of all platforms, or, where only those of this one were fetched, of them.
fn metadata() -> Value {
    let ask = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command.args(["metadata", "--format-version", "1", "--locked", "--offline"]).args(more);
        let done = command.output().expect("cargo runs");
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        serde_json::from_slice(&done.stdout).map_err(|_| said)
    };
    let here = || ask(&["--filter-platform", &host()]);
    ask(&[]).or_else(|_| here()).unwrap_or_else(|said| panic!("cargo metadata: {said}"))
}

fn host() -> String {
    let done = Command::new(env!("CARGO")).arg("-vV").output().expect("cargo runs");
    let told = String::from_utf8_lossy(&done.stdout).into_owned();
    told.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host").to_owned()
}

fn allowed() -> BTreeSet<String> {
    let text = std::fs::read_to_string("deny.toml").expect("deny.toml");
    let list = text.lines().find_map(|line| line.strip_prefix("allow = ")).expect("a list");
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Says whether an expression of licences can be met: one of each `OR` is enough, all of each `AND` are needed.
fn is_met(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let expression = expression.trim();
    let (mut depth, mut words) = (0_i32, Vec::new());
    let mut start = 0;
    for (at, c) in expression.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        for word in [" OR ", " AND ", "/"] {
            if depth == 0 && expression[at..].starts_with(word) && at >= start {
                words.push((word.trim(), &expression[start..at]));
                start = at + word.len();
            }
        }
    }
    let rest = &expression[start..];
    if words.is_empty() {
        let inner = expression.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
        return inner.map_or_else(|| allowed.contains(expression), |inner| is_met(inner, allowed));
    }
    // `AND` binds closer, but no crate mixes the two without parentheses.
    let all = words.iter().all(|(word, _)| *word == "AND");
    let mut parts = words.iter().map(|(_, part)| *part).chain([rest]);
    if all {
        parts.all(|part| is_met(part, allowed))
    } else {
        parts.any(|part| is_met(part, allowed))
    }
}

#[test]
fn licences_and_sources_are_allowed() {
    let allowed = allowed();
    let mut troubles = Vec::new();
    for package in metadata()["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().unwrap_or_default();
        let licence = package["license"].as_str().unwrap_or_default();
        if !is_met(licence, &allowed) {
            troubles.push(format!("{name}: licence {licence:?} is not in deny.toml"));
        }
        let source = package["source"].as_str();
        if source.is_some_and(|source| !source.starts_with("registry+")) {
            troubles.push(format!("{name} comes from {source:?}"));
        }
        let demands = package["dependencies"].as_array().into_iter().flatten();
        let loose = demands.filter(|it| name == "fleetlens" && it["req"] == "*");
        troubles.extend(loose.map(|it| format!("{} in any version", it["name"])));
    }
    report(troubles);
}

#[test]
fn an_expression_is_taken_apart() {
    let allowed: BTreeSet<String> = ["MIT", "Unicode-3.0"].map(str::to_owned).into();
    for (expression, met) in [
        ("MIT", true),
        ("MIT OR GPL-3.0", true),
        ("GPL-3.0/MIT", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR GPL-3.0) AND Unicode-3.0", true),
        ("(MIT OR GPL-3.0) AND GPL-2.0", false),
        ("", false),
    ] {
        assert_eq!(is_met(expression, &allowed), met, "{expression}");
    }
}

#[test]
fn every_dependency_has_a_reason() {
    let text = std::fs::read_to_string("CONTRIBUTING.md").expect("CONTRIBUTING.md");
    let table = text.split("## Dependencies").nth(1).and_then(|it| it.split("\n## ").next());
    let table = table.expect("the table of dependencies");
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages").iter();
    let own = packages.filter(|package| package["name"] == "fleetlens");
    let demands = own.flat_map(|package| package["dependencies"].as_array().into_iter().flatten());
    let names: BTreeSet<&str> = demands.filter_map(|it| it["name"].as_str()).collect();
    let mut troubles = Vec::new();
    for name in names {
        let known = |word: &str| word == name;
        if !table.split(|c: char| !c.is_alphanumeric() && !"-_".contains(c)).any(known) {
            troubles.push(format!("{name} has no reason in CONTRIBUTING.md"));
        }
    }
    report(troubles);
}

#[test]
#[cfg(all(target_os = "linux", target_endian = "little"))]
fn the_binary_can_be_loaded_anywhere() {
    let file = std::fs::read(env!("CARGO_BIN_EXE_fleetlens")).expect("the program");
    // The type of an ELF file: 3 is a shared object, which a position-independent program is.
    assert_eq!(file.get(16..18), Some(&[3_u8, 0][..]), "a program at a fixed address");
}
