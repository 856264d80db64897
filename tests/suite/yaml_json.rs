//! YAML and JSON against their oracles: the trees must say what serde_yaml and serde_json read.

use std::path::{Path, PathBuf};

use fleetlens::source::{Encoding, Origin, Sources};
use fleetlens::syntax::json::parse_json;
use fleetlens::syntax::tree::{Node, Value};
use fleetlens::syntax::view::View;
use fleetlens::syntax::yaml::parse_yaml;
use fleetlens::syntax::{Document, Head};

type Parse = fn(&View<'_>, fleetlens::syntax::Wanted<'_>) -> Vec<Document>;

fn all(_: &Head) -> bool {
    true
}

fn parse(text: &str, parser: Parse) -> Vec<Document> {
    let mut sources = Sources::default();
    let id = sources.add("input", Origin::default(), Encoding::Utf8, text);
    let source = sources.get(id);
    parser(&View::whole(source, source.span()), &all)
}

/// Prints a tree as serde_json's value, floats that JSON cannot hold as text.
fn plain(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(truth) => (*truth).into(),
        Value::Int(number) => (*number).into(),
        Value::BigInt(number) => (*number).into(),
        Value::Float(number) if number.is_finite() => (*number).into(),
        Value::Float(number) => number.to_string().into(),
        Value::String(text) => (**text).into(),
        Value::List(items) => items.iter().map(plain).collect::<Vec<_>>().into(),
        Value::Map(entries) => {
            let pairs = entries.iter().map(|entry| (entry.key.to_string(), plain(&entry.node)));
            serde_json::Value::Object(pairs.collect())
        }
    }
}

fn files(ending: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let files = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().filter_map(Result::ok);
    files
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|extension| extension == ending))
        .collect()
}

#[test]
fn yaml_trees_equal_the_oracle() {
    for path in files("yaml") {
        let text = std::fs::read_to_string(&path).unwrap();
        let oracle: serde_json::Value = serde_yaml::from_str(&text).unwrap();
        let documents = parse(&text, parse_yaml);
        assert_eq!(documents.len(), 1, "{}", path.display());
        assert!(
            documents[0].problems.is_empty(),
            "{}: {:?}",
            path.display(),
            documents[0].problems
        );
        assert_eq!(plain(documents[0].root.as_ref().unwrap()), oracle, "{}", path.display());
    }
}

#[test]
fn json_trees_equal_the_oracle() {
    for path in files("json") {
        let text = std::fs::read_to_string(&path).unwrap();
        let oracle: serde_json::Value = serde_json::from_str(&text).unwrap();
        let documents = parse(&text, parse_json);
        assert_eq!(documents.len(), 1, "{}", path.display());
        assert!(
            documents[0].problems.is_empty(),
            "{}: {:?}",
            path.display(),
            documents[0].problems
        );
        assert_eq!(plain(documents[0].root.as_ref().unwrap()), oracle, "{}", path.display());
    }
}
