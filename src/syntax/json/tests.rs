//! What the JSON door promises: places, types, recovery, lists, limits.

use super::*;
use crate::syntax::read_for_tests::ReadForTests;
use crate::syntax::tree::{Fidelity, Node, Style};

fn wanted(text: &str, wanted: DocumentFilter<'_>) -> ReadForTests {
    ReadForTests::new(text, wanted, parse_json)
}

fn all(text: &str) -> ReadForTests {
    wanted(text, &|_| true)
}

impl ReadForTests {
    fn kinds(&self) -> Vec<&str> {
        let heads = self.documents.iter().map(|document| &document.head);
        heads.map(|head| head.kind.as_deref().unwrap_or("?")).collect()
    }

    fn problem(&self, index: usize) -> (ProblemKind, &str) {
        let problem = &self.documents[index].problems[0];
        (problem.kind, self.text(problem.span))
    }
}

#[test]
fn spans_leave_the_quotes_out_where_nothing_is_escaped() {
    let read =
        all("\u{feff}{\"a\": \"é x\", \"b\\u0041\": \"t\\tb\", \"c\": [1, -2.5e3], \"d\": {}}\r\n");
    let root = read.root(0);
    let texts: Vec<_> = root.entries().iter().map(|e| read.text(e.node.span)).collect();
    assert_eq!(texts, ["é x", "\"t\\tb\"", "[1, -2.5e3]", "{}"]);
    let keys: Vec<_> = root.entries().iter().map(|e| (&*e.key, read.text(e.key_span))).collect();
    assert_eq!(keys, [("a", "a"), ("bA", "\"b\\u0041\""), ("c", "c"), ("d", "d")]);
    assert_eq!(root.get("a").unwrap().style, Style::Plain);
    assert_eq!(root.get("bA").unwrap().style, Style::Encoded);
    assert_eq!(root.get("bA").unwrap().as_str(), Some("t\tb"));
}

#[test]
fn escapes_and_surrogates() {
    let read = all(r#"["\"\\\/\b\f\n\r\t", "\ud83d\ude00", "\ud83d x", "\ud83d\u0041"]"#);
    let texts: Vec<_> = read.root(0).items().iter().filter_map(Node::as_str).collect();
    assert_eq!(texts, ["\"\\/\u{8}\u{c}\n\r\t", "😀", "\u{fffd} x", "\u{fffd}A"]);
}

#[test]
fn numbers_are_typed_as_serde_json_types_them() {
    let text =
        "[0, -0, 7, -9223372036854775808, 18446744073709551615, 18446744073709551616, 1.0, 1e2]";
    let read = all(text);
    let values: Vec<_> = read.root(0).items().iter().map(|item| item.value.clone()).collect();
    let expected = [
        Value::Int(0),
        Value::Float(-0.0),
        Value::Int(7),
        Value::Int(i64::MIN),
        Value::BigInt(u64::MAX),
        Value::Float(18_446_744_073_709_551_616.0),
        Value::Float(1.0),
        Value::Float(100.0),
    ];
    assert_eq!(values, expected);
}

#[test]
fn every_way_to_write_several_objects() {
    let one = r#"{"kind": "A"}"#;
    assert_eq!(all(one).kinds(), ["A"]);
    assert_eq!(all(&format!("{one}{one}\n{one}\n\n{one}")).kinds(), ["A"; 4]);
    assert_eq!(all(&format!("[{one},\n{one}]")).kinds(), ["A"; 2]);
    let list = format!(r#"{{"kind": "BList", "apiVersion": "v1", "items": [{one}, {{"x": 1}}]}}"#);
    let read = all(&list);
    assert_eq!(read.kinds(), ["A", "B"]);
    assert_eq!(read.documents[1].head.api_version.as_deref(), Some("v1"));
    assert_eq!(read.text(read.documents[0].span), one);
    assert_eq!(all(r#"{"kind": "PodList", "items": null}"#).documents.len(), 0);
}

#[test]
fn what_is_not_wanted_has_only_a_head() {
    let text = r#"[{"kind": "A", "x": 1, "x": 2}, {"kind": "B"}]"#;
    let read = wanted(text, &|head| head.kind.as_deref() == Some("B"));
    assert_eq!(read.kinds(), ["A", "B"]);
    assert!(read.documents[0].root.is_none() && read.documents[0].problems.is_empty());
    assert!(read.documents[1].root.is_some());
}

#[test]
fn a_truncated_list_keeps_its_complete_items() {
    let text =
        r#"{"kind": "List", "items": [{"kind": "A", "x": 1}, {"kind": "B", "y": [1, {"z": "cut he"#;
    let read = all(text);
    assert_eq!(read.kinds(), ["A", "B"]);
    assert!(!read.documents[0].partial && read.documents[1].partial);
    assert!(read.documents[0].problems.is_empty());
    assert_eq!(read.problem(1).0, ProblemKind::Truncated);
    let open = read.root(1).get("y").unwrap();
    assert_eq!(open.fidelity, Fidelity::Cut);
    let z = open.items()[1].get("z").unwrap();
    assert_eq!((&z.value, z.fidelity), (&Value::Null, Fidelity::Cut));
}

#[test]
fn a_text_that_stops_within_a_word_is_truncated() {
    for text in
        [r#"{"a": tru"#, r#"{"a": 1e"#, r#"{"a": "\u00"#, r#"{"a": -"#, r#"{"a""#, r#"{"a": 1"#]
    {
        let read = all(text);
        assert_eq!(read.problem(0).0, ProblemKind::Truncated, "{text}");
        assert!(read.documents[0].partial);
    }
    let read = all(r#"{"a": tru, "b": 1}"#);
    assert_eq!(read.problem(0).0, ProblemKind::Malformed);
}

#[test]
fn a_list_that_ends_before_its_kind_keeps_its_items() {
    let read = all(r#"{"apiVersion": "v1", "items": [{"kind": "A"}, {"kind": "B"}]"#);
    assert_eq!(read.kinds(), ["A", "B"]);
    assert_eq!(read.problem(1).0, ProblemKind::Truncated);
}

#[test]
fn garbage_is_reported_and_passed_over() {
    let text = "{\"kind\": \"A\"} trailing {\n{\"kind\": \"B\", nope}\n[{\"kind\": \"C\"}]\nError from server\n{\"kind\": \"D\"}\n";
    let read = all(text);
    assert_eq!(read.kinds(), ["A", "B", "C", "D"]);
    let malformed = |text| (ProblemKind::Malformed, text);
    assert_eq!(read.problem(0), malformed("trailing {"));
    assert_eq!(read.problem(1), malformed("nope}"));
    assert_eq!(read.problem(2), malformed("Error from server"));
    let partial: Vec<_> = read.documents.iter().map(|document| document.partial).collect();
    assert_eq!(partial, [false, true, false, false]);
    assert_eq!(all("no json at all").documents[0].problems.len(), 1);
}

#[test]
fn the_first_of_two_equal_keys_is_kept() {
    let read = all("{\"b\": 1, \"a\": 2, \"b\": 3} {\"kind\": \"X\"}");
    assert_eq!(read.documents.len(), 2);
    assert_eq!(read.root(0).get("b").unwrap().value, Value::Int(1));
    assert_eq!(read.problem(0), (ProblemKind::DuplicateKey, "b"));
    assert_eq!(read.documents[0].problems[0].other, Some(read.root(0).entries()[0].key_span));
}

#[test]
fn nesting_has_a_limit() {
    for text in ["[".repeat(100_000), "{\"a\":".repeat(100_000)] {
        let read = all(&text);
        assert_eq!(read.documents[0].problems[0].kind, ProblemKind::TooLarge);
    }
}

#[test]
fn a_string_without_its_end_stops_at_the_line() {
    let read = all("{\"a\": \"open\n}\n{\"kind\": \"B\"}\n");
    assert_eq!(read.documents.len(), 2);
    assert_eq!(read.documents[0].problems[0].kind, ProblemKind::Malformed);
    assert_eq!(read.documents[1].head.kind.as_deref(), Some("B"));
}

#[test]
fn a_broken_item_does_not_touch_its_neighbours() {
    let read = all(
        r#"{"kind": "List", "items": [{"kind": "A", "x": [1,]}, {"kind": "B", "y": 1,}, {"kind": "C"}]}"#,
    );
    assert_eq!(read.kinds(), ["A", "B", "C"]);
    let partial: Vec<_> = read.documents.iter().map(|document| document.partial).collect();
    assert_eq!(partial, [true, true, false]);
    assert_eq!(read.problem(1), (ProblemKind::Malformed, "}"));
}
