//! YAML and JSON against their oracles and under abuse.
//!
//! The trees must say what serde_yaml and serde_json read, point at the right bytes, and survive
//! any text and any cut.

use std::path::{Path, PathBuf};

use fleetlens::internals::source::{Encoding, Origin, SourceFile, Sources, Span};
use fleetlens::internals::syntax::json::parse_json;
use fleetlens::internals::syntax::tree::{Node, Style, Value};
use fleetlens::internals::syntax::view::TextView;
use fleetlens::internals::syntax::yaml::parse_yaml;
use fleetlens::internals::syntax::{Document, DocumentFilter, DocumentHead};
use proptest::prelude::*;
use serde::Deserialize as _;
use serde_json::Value as Json;

type Parse = fn(&TextView<'_>, DocumentFilter<'_>) -> Vec<Document>;

fn parse(text: &str, parser: Parse) -> Vec<Document> {
    let mut sources = Sources::default();
    let id = sources.add("input", Origin::default(), Encoding::Utf8, text);
    let source = sources.get(id);
    let view = TextView::whole(source, source.span());
    let documents = parser(&view, &|_| true);
    documents.iter().for_each(|document| check_document(source, document));
    let unwanted = parser(&view, &|_: &DocumentHead| false);
    assert!(unwanted.iter().all(|document| document.root.is_none()), "{text}");
    documents
}

fn check_document(source: &SourceFile, document: &Document) {
    check_span(source, document.span);
    document.comments.iter().for_each(|&comment| check_span(source, comment));
    document.problems.iter().for_each(|problem| check_span(source, problem.span));
    if let Some(root) = &document.root {
        assert!(document.span.contains(root.span), "{:?} {:?}", document.span, root.span);
        check_node(source, root);
    }
}

fn check_node(source: &SourceFile, node: &Node) {
    check_span(source, node.span);
    for entry in node.entries() {
        check_span(source, entry.key_span);
        assert!(node.span.contains(entry.key_span) && node.span.contains(entry.node.span));
        check_node(source, &entry.node);
    }
    for item in node.items() {
        assert!(node.span.contains(item.span));
        check_node(source, item);
    }
    if let (Style::Plain, Some(text)) = (node.style, node.text()) {
        assert_eq!(source.slice(node.span), &*text.value);
    }
}

fn check_span(source: &SourceFile, span: Span) {
    assert!(span.lo <= span.hi && source.text().get(span.range()).is_some(), "{span:?}");
}

/// Prints a tree as serde_json's value, floats that JSON cannot hold as text.
fn plain(node: &Node) -> Json {
    match &node.value {
        Value::Null => Json::Null,
        Value::Bool(truth) => (*truth).into(),
        Value::Int(number) => (*number).into(),
        Value::BigInt(number) => (*number).into(),
        Value::Float(number) if number.is_finite() => (*number).into(),
        Value::Float(number) => number.to_string().into(),
        Value::String(text) => (**text).into(),
        Value::List(items) => items.iter().map(plain).collect::<Vec<_>>().into(),
        Value::Map(entries) => {
            let pairs = entries.iter().map(|entry| (entry.key.to_string(), plain(&entry.node)));
            Json::Object(pairs.collect())
        }
    }
}

fn trees(documents: &[Document]) -> Vec<Json> {
    documents.iter().filter_map(|document| document.root.as_deref().map(plain)).collect()
}

fn files(ending: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/same");
    let files = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().filter_map(Result::ok);
    let files = files.map(walkdir::DirEntry::into_path);
    let files = files.filter(|path| path.extension().is_some_and(|e| e == ending));
    files
        .map(|path| (path.clone(), std::fs::read_to_string(path).expect("testdata is text")))
        .collect()
}

fn oracle_yaml(text: &str) -> Vec<Json> {
    let documents = serde_yaml::Deserializer::from_str(text);
    documents.map(|document| Json::deserialize(document).expect("the oracle reads it")).collect()
}

#[test]
fn yaml_trees_equal_the_oracle() {
    for (path, text) in files("yaml") {
        let documents = parse(&text, parse_yaml);
        assert!(documents.iter().all(|document| document.problems.is_empty() && !document.partial));
        assert_eq!(trees(&documents), oracle_yaml(&text), "{}", path.display());
        let crlf = trees(&parse(&text.replace('\n', "\r\n"), parse_yaml));
        assert_eq!(crlf, trees(&documents), "{}", path.display());
    }
}

#[test]
fn json_trees_equal_the_oracle_and_those_of_yaml() {
    for (path, text) in files("json") {
        let documents = parse(&text, parse_json);
        assert!(documents.iter().all(|document| document.problems.is_empty() && !document.partial));
        let oracle: Json = serde_json::from_str(&text).unwrap();
        assert_eq!(trees(&documents), [oracle], "{}", path.display());
        let yaml = std::fs::read_to_string(path.with_extension("yaml")).unwrap();
        assert_eq!(trees(&documents), trees(&parse(&yaml, parse_yaml)), "{}", path.display());
    }
}

#[test]
fn heads_tell_what_the_file_name_says() {
    for (path, text) in files("yaml") {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let [document] = &*parse(&text, parse_yaml) else { panic!("{stem}") };
        let head = &document.head;
        let namespace = head.namespace.as_deref().unwrap_or("_");
        let (kind, name) = (head.kind.as_deref().unwrap(), head.name.as_deref().unwrap());
        assert_eq!(format!("{kind}__{namespace}__{name}"), stem);
    }
}

/// Puts some objects into one text and says where each ends.
fn joined(objects: &[String], before: &str, between: &str, after: &str) -> (String, Vec<usize>) {
    let mut text = before.to_owned();
    let mut ends = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { between });
        text.push_str(object);
        ends.push(text.len());
    }
    (text + after, ends)
}

/// Cuts a text at many places: every object that ended before the cut stays whole.
fn assert_cuts_lose_one(text: &str, ends: &[usize], parser: Parse) {
    let whole = trees(&parse(text, parser));
    assert_eq!(whole.len(), ends.len());
    for at in (0..text.len()).step_by(11).filter(|&at| text.is_char_boundary(at)) {
        let kept = trees(&parse(&text[..at], parser));
        // At the very end of an object nothing tells whether its last word goes on.
        let complete = ends.iter().filter(|&&end| end < at).count();
        assert!(
            kept.len() >= complete && kept.len() <= complete + 1,
            "cut at {at}: {}",
            kept.len()
        );
        assert_eq!(kept[..complete], whole[..complete], "cut at {at}");
    }
}

#[test]
fn a_cut_at_any_byte_loses_at_most_the_last_document() {
    let small = |ending| {
        let files = files(ending).into_iter().map(|(_, text)| text.trim_end().to_owned());
        files.filter(|text| text.len() < 2000).take(3).collect::<Vec<_>>()
    };
    let yaml = small("yaml");
    let (stream, ends) = joined(&yaml, "", "\n---\n", "\n");
    assert_cuts_lose_one(&stream, &ends, parse_yaml);
    let items: Vec<_> = yaml.iter().map(|text| text.replace('\n', "\n  ")).collect();
    let (list, ends) = joined(&items, "apiVersion: v1\nitems:\n- ", "\n- ", "\nkind: List\n");
    assert_cuts_lose_one(&list, &ends, parse_yaml);

    let json = small("json");
    let (lines, ends) = joined(&json, "", "\n", "\n");
    assert_cuts_lose_one(&lines, &ends, parse_json);
    let (list, ends) =
        joined(&json, "{\"apiVersion\": \"v1\",\n\"items\": [", ", ", "], \"kind\": \"List\"}\n");
    assert_cuts_lose_one(&list, &ends, parse_json);
}

#[test]
fn no_cut_of_any_file_panics() {
    for (_, text) in files("yaml").into_iter().chain(files("json")) {
        let parser: Parse = if text.starts_with('{') { parse_json } else { parse_yaml };
        for at in (0..text.len()).step_by(263).filter(|&at| text.is_char_boundary(at)) {
            assert!(parse(&text[..at], parser).len() <= 1);
        }
    }
}

fn scalar_text() -> impl Strategy<Value = String> {
    prop_oneof![
        // Without U+0085, U+2028 and U+2029: line breaks in YAML 1.1 only, which the oracle speaks.
        "[ -~\n\té😀\u{a0}\u{200b}]{0,24}",
        "[a-z0-9.+_ -]{0,12}",
        prop::sample::select(vec![
            "~", "null", "yes", "0x1F", "1e3", "-", "- a", "a: b", "#", "=", "...", "---"
        ])
        .prop_map(str::to_owned),
        "[a-z ]{100,300}",
    ]
}

fn any_tree() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        (-1_000_000_i32..1_000_000).prop_map(|number| Json::from(f64::from(number) / 64.0)),
        scalar_text().prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        let map = prop::collection::btree_map(scalar_text(), inner.clone(), 0..5);
        prop_oneof![
            prop::collection::vec(inner, 0..5).prop_map(Json::from),
            map.prop_map(|map| Json::Object(map.into_iter().collect())),
        ]
    })
}

/// An object, so that the tree is one document with itself as the root.
fn any_object() -> impl Strategy<Value = Json> {
    any_tree().prop_map(|tree| serde_json::json!({ "spec": tree }))
}

/// Text that looks like YAML or JSON at times.
fn noise() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a",
        ": ",
        ":\n",
        "\n",
        "\n  ",
        "\n- ",
        "- ",
        "  ",
        "\"",
        "'",
        "\\",
        "\\u12",
        "{",
        "}",
        "[",
        "]",
        ",",
        "#",
        "&a ",
        "*a",
        "<<: ",
        "|\n",
        ">-\n",
        "---\n",
        "...\n",
        "%YAML 1.2\n",
        "!!str ",
        "? ",
        "\r\n",
        "\t",
        "é",
        "\u{feff}",
        "\0",
        "0",
        "-1",
        "1e",
        "true",
        "null",
        "kind: List\n",
        "items:\n",
        "\"items\": [",
        "apiVersion: v1\n",
        "{{ x }}",
    ]);
    prop_oneof![
        prop::collection::vec(pieces, 0..60).prop_map(|pieces| pieces.concat()),
        any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..<_>::default() })]

    #[test]
    fn what_serde_json_prints_is_read_back(tree in any_object()) {
        for text in [tree.to_string(), serde_json::to_string_pretty(&tree).unwrap()] {
            prop_assert_eq!(trees(&parse(&text, parse_json)), std::slice::from_ref(&tree));
        }
    }

    #[test]
    fn what_serde_yaml_prints_is_read_back(tree in any_object()) {
        let text = serde_yaml::to_string(&tree).unwrap();
        prop_assert_eq!(trees(&parse(&text, parse_yaml)), oracle_yaml(&text), "{}", text);
        prop_assert_eq!(trees(&parse(&text, parse_yaml)), [tree], "{}", text);
    }

    #[test]
    fn no_text_breaks_a_parser(text in noise()) {
        parse(&text, parse_yaml);
        parse(&text, parse_json);
    }
}
