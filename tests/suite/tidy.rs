//! Order in the house: layers, file sizes, headers, words that do not belong here.

use std::path::PathBuf;

use crate::bless::report;

/// The layers from the ground up; each may use only those that stand before it, and its own.
const LAYERS: &[&[&str]] = &[
    &["kube"],
    &["source"],
    &["input", "grammar"],
    &["error"],
    &["syntax"],
    &["bundle"],
    &["model"],
    &["graph"],
    &["plan"],
    &["finding"],
    &["facts"],
    &["manifest"],
    &["rule"],
    &["rules"],
    &["config"],
    &["engine"],
    &["check"],
    &["report"],
    &["cli"],
];

/// What a file may not grow beyond; tables of data belong in `grammar/`.
const LONGEST: usize = 500;

fn sources(root: &str) -> Vec<(PathBuf, String)> {
    walkdir::WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "rs"))
        .map(|entry| {
            let text = std::fs::read_to_string(entry.path()).expect("a source file can be read");
            (entry.into_path(), text)
        })
        .collect()
}

/// Returns the layer that a file under `src/` belongs to.
fn layer_of(path: &std::path::Path) -> Option<String> {
    let first = path.components().nth(1)?.as_os_str().to_string_lossy().into_owned();
    Some(first.trim_end_matches(".rs").to_owned())
}

fn rank(layer: &str) -> Option<usize> {
    LAYERS.iter().position(|names| names.contains(&layer))
}

#[test]
fn no_layer_uses_one_above_it() {
    let mut troubles = Vec::new();
    for (path, text) in sources("src") {
        let Some(layer) = layer_of(&path).filter(|layer| layer != "lib" && layer != "main") else {
            continue;
        };
        let Some(own) = rank(&layer) else {
            troubles
                .push(format!("{}: the layer {layer} has no place in the order", path.display()));
            continue;
        };
        for (index, line) in text.lines().enumerate() {
            for used in line.split("crate::").skip(1) {
                let name: String =
                    used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if rank(&name).is_some_and(|rank| rank > own || (rank == own && name != layer)) {
                    troubles.push(format!("{}:{}: {layer} uses {name}", path.display(), index + 1));
                }
            }
        }
    }
    report(troubles);
}

#[test]
fn files_are_short_and_say_what_they_own() {
    let mut troubles = Vec::new();
    for root in ["src", "tests"] {
        for (path, text) in sources(root) {
            let lines = text.lines().count();
            if lines > LONGEST {
                troubles
                    .push(format!("{} has {lines} lines, {LONGEST} are allowed", path.display()));
            }
            if !text.starts_with("//!") {
                troubles.push(format!("{} does not begin with what it owns", path.display()));
            }
        }
    }
    report(troubles);
}

#[test]
fn no_drawer_for_everything() {
    let drawers = ["util", "utils", "helpers", "common", "misc", "manager"];
    let named = |path: &PathBuf| {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        stem.is_some_and(|stem| drawers.contains(&stem.as_str()))
    };
    let found = sources("src").into_iter().map(|(path, _)| path).filter(named);
    report(found.map(|path| format!("{} is a drawer, not a name", path.display())).collect());
}

#[test]
fn only_one_file_names_the_yaml_parser() {
    let users: Vec<_> = sources("src")
        .into_iter()
        .filter(|(_, text)| text.contains("granit_parser"))
        .map(|(path, _)| path.display().to_string())
        .collect();
    assert_eq!(users.len(), 1, "{users:?}");
}

#[test]
fn only_the_human_report_names_miette() {
    let users = sources("src").into_iter().filter(|(path, text)| {
        text.contains("miette")
            && !path.starts_with("src/report/human")
            && !path.ends_with("human.rs")
    });
    report(users.map(|(path, _)| format!("{} names miette", path.display())).collect());
}
