//! The grammars on paper and the parsers in the source: each rule is a function, each function a rule.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Returns the rules that a grammar defines: lower-case names before a `=` at the start of a line.
fn rules(grammar: &str) -> BTreeSet<String> {
    let names =
        grammar.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name.trim_end());
    let is_rule = |name: &&str| {
        !name.is_empty()
            && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
    };
    names.filter(is_rule).map(str::to_owned).collect()
}

/// Returns the names behind `fn parse_` in the sources of a parser, tests left out.
fn functions(stem: &str) -> BTreeSet<String> {
    let syntax = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/syntax");
    let mut files: Vec<PathBuf> = vec![syntax.join(format!("{stem}.rs"))];
    let below = walkdir::WalkDir::new(syntax.join(stem)).into_iter().filter_map(Result::ok);
    files.extend(below.map(walkdir::DirEntry::into_path).filter(|path| path.is_file()));
    let mut names = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("sources are readable");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (at, found) in text.match_indices("fn parse_") {
            let rest = &text[at + found.len()..];
            let name = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
            names.extend(name.map(str::to_owned));
        }
    }
    names
}

#[test]
fn every_rule_is_a_function_and_every_function_a_rule() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let grammars: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ending| ending == "ebnf")).collect();
    assert!(!grammars.is_empty());
    for path in grammars {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(rules(&text), functions(&stem), "{stem}: rules of the grammar, then functions");
    }
}
