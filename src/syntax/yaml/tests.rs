//! What the YAML door promises: places, recovery, lists, comments, limits.
//!
//! The looks at lines are tested beside them, the oracle and the properties in the suite.

use super::*;
use crate::source::{Encoding, Origin, Sources};
use crate::syntax::ProblemKind;
use crate::syntax::read_for_tests::ReadForTests;
use crate::syntax::tree::{Fidelity, Node, Style, Value};

fn wanted(text: &str, wanted: DocumentFilter<'_>) -> ReadForTests {
    ReadForTests::new(text, wanted, parse_yaml)
}

fn all(text: &str) -> ReadForTests {
    wanted(text, &|_| true)
}

impl ReadForTests {
    fn at(&self, index: usize, path: &[&str]) -> &Node {
        self.root(index).at(path).unwrap()
    }

    fn problems(&self, index: usize) -> Vec<(ProblemKind, &str)> {
        let problems = self.documents[index].problems.iter();
        problems.map(|problem| (problem.kind, self.text(problem.span))).collect()
    }

    fn names(&self) -> Vec<&str> {
        let heads = self.documents.iter().map(|document| &document.head);
        heads.map(|head| head.name.as_deref().unwrap_or("?")).collect()
    }
}

#[test]
fn spans_cover_exactly_the_text_of_each_value() {
    let read = all(
        "\u{feff}plain: é x # c\r\n'key': 'single'\r\ndouble: \"tab\\t\"\r\nfold: a\r\n  b\r\nempty:\r\nblock: |-\r\n  one\r\nlist:\r\n- 1\r\n- {a: [], b: }\r\n",
    );
    let root = read.root(0);
    let text = |key: &str| read.text(root.get(key).unwrap().span);
    assert_eq!(text("plain"), "é x");
    assert_eq!(text("key"), "single");
    assert_eq!(read.text(root.entry("key").unwrap().key_span), "key");
    assert_eq!(text("double"), "\"tab\\t\"");
    assert_eq!(text("fold"), "a\r\n  b");
    assert_eq!(text("block"), "one");
    assert_eq!(text("list"), "1\r\n- {a: [], b: }");
    assert_eq!(text("empty"), "");
    assert_eq!(read.text(root.entry("empty").unwrap().span()), "empty:");
    assert!(read.text(root.span).starts_with("plain: ") && read.text(root.span).ends_with('}'));
    assert_eq!(read.text(root.get("list").unwrap().items()[1].span), "{a: [], b: }");
    let style = |key: &str| root.get(key).unwrap().style;
    assert_eq!([style("plain"), style("key"), style("block")], [Style::Plain; 3]);
    assert_eq!([style("double"), style("fold")], [Style::Encoded; 2]);
    assert_eq!(root.get("fold").unwrap().as_str(), Some("a b"));
    assert_eq!(read.text(read.documents[0].comments[0]), "# c");
}

#[test]
fn a_number_or_truth_value_that_is_spelt_otherwise_is_encoded() {
    let read = all("a: 0x10\nb: True\nc: 16\nd: false\ne: 1.50\n");
    let styles: Vec<_> = read.root(0).entries().iter().map(|entry| entry.node.style).collect();
    let (plain, encoded) = (Style::Plain, Style::Encoded);
    assert_eq!(styles, [encoded, encoded, plain, plain, encoded]);
    assert_eq!(read.at(0, &["a"]).value, Value::Int(16));
}

#[test]
fn a_broken_document_keeps_its_beginning_and_its_neighbours() {
    let text = "kind: A\n---\nkind: B\nspec:\n  list:\n  - x: 1\n    y: [2\n---\nkind: C\n";
    let read = all(text);
    assert_eq!(read.documents.len(), 3);
    assert_eq!(read.at(2, &["kind"]).as_str(), Some("C"));
    let broken = &read.documents[1];
    assert_eq!(broken.head.kind.as_deref(), Some("B"));
    assert!(broken.partial && !read.documents[0].partial && !read.documents[2].partial);
    assert_eq!(read.problems(1), [(ProblemKind::Malformed, "[2")]);
    let list = read.at(1, &["spec", "list"]);
    assert_eq!(list.fidelity, Fidelity::Cut);
    assert_eq!(list.items()[0].get("x").unwrap().value, Value::Int(1));
    assert_eq!(list.items()[0].get("y").unwrap().fidelity, Fidelity::Cut);
    assert_eq!(read.text(broken.span), text[12..].split("\n---").next().unwrap());
}

#[test]
fn a_text_that_stops_within_a_value_is_truncated() {
    for text in ["kind: A\nspec: \"abc", "kind: A\nspe", "kind: A\nspec: {a: 1"] {
        let read = all(text);
        assert_eq!(read.documents[0].problems[0].kind, ProblemKind::Truncated, "{text}");
        assert!(read.documents[0].partial);
        assert_eq!(read.documents[0].head.kind.as_deref(), Some("A"));
    }
}

#[test]
fn the_first_of_two_equal_keys_is_kept_and_both_are_named() {
    let read = all("b: 1\na: 2\nb: 3\nb: 4\n");
    assert_eq!(read.at(0, &["b"]).value, Value::Int(1));
    assert_eq!(read.root(0).entries().len(), 2);
    let lines = |span: Span| read.sources.get(span.source).position(span.lo).line;
    let places = read.documents[0].problems.iter();
    let places: Vec<_> = places.map(|p| (lines(p.span), p.other.map(lines))).collect();
    assert_eq!(places, [(3, Some(1)), (4, Some(1))]);
    assert_eq!(read.documents[0].problems[0].kind, ProblemKind::DuplicateKey);
    assert!(!read.documents[0].partial);
}

#[test]
fn aliases_and_merges_bring_values_with_the_place_of_the_alias() {
    let read = all(
        "base: &b {x: 1, y: [2]}\ncopy: *b\nmerged:\n  y: 3\n  <<: [*b, {z: 4, x: 5}]\ntext: &t hi\n*t : key\n",
    );
    let copy = read.at(0, &["copy", "y"]).items();
    assert_eq!(copy[0].value, Value::Int(2));
    assert_eq!(read.text(copy[0].span), "*b");
    let merged = read.at(0, &["merged"]);
    let keys: Vec<_> = merged.entries().iter().map(|entry| &*entry.key).collect();
    assert_eq!(keys, ["y", "x", "z"]);
    assert_eq!(merged.get("y").unwrap().value, Value::Int(3));
    assert_eq!(merged.get("x").unwrap().value, Value::Int(1));
    assert_eq!(read.at(0, &["hi"]).as_str(), Some("key"));
    assert!(read.documents[0].problems.is_empty());
}

#[test]
fn aliases_cannot_blow_a_document_up() {
    let mut text = String::from("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for level in 1..40 {
        let below = format!("*a{}", level - 1);
        text += &format!("a{level}: &a{level} [{}]\n", [&*below; 9].join(", "));
    }
    let read = all(&text);
    assert!(read.documents[0].problems.iter().any(|p| p.kind == ProblemKind::TooLarge));
    assert!(read.documents[0].partial);
    let mut count = 0;
    read.root(0).walk(&mut |_| count += 1);
    assert!(count < 300_000, "{count}");

    let mut text = format!("a0: &a0 {}x{}\n", "[".repeat(150), "]".repeat(150));
    for level in 1..10 {
        text +=
            &format!("a{level}: &a{level} {}*a{}{}\n", "[".repeat(100), level - 1, "]".repeat(100));
    }
    let read = all(&text);
    assert_eq!(read.problems(0)[0], (ProblemKind::TooLarge, "*a0"));
}

#[test]
fn an_alias_to_nothing_or_to_itself_is_reported() {
    let read = all("a: *none\nb: &b [*b]\nc: 1\n");
    let malformed = |text| (ProblemKind::Malformed, text);
    assert_eq!(read.problems(0), [malformed("*none"), malformed("*b")]);
    assert_eq!(read.at(0, &["c"]).value, Value::Int(1));
    assert_eq!(read.at(0, &["a"]).fidelity, Fidelity::Cut);
}

#[test]
fn nesting_has_a_limit() {
    for text in ["[".repeat(5000), "- ".repeat(5000), "{a: ".repeat(5000)] {
        let read = all(&text);
        assert_eq!(read.documents[0].problems[0].kind, ProblemKind::TooLarge);
    }
}

#[test]
fn keys_that_are_not_text() {
    let read = all("1: a\ntrue: b\n? [x, y]\n: c\nd: e\n");
    let keys: Vec<_> = read.root(0).entries().iter().map(|entry| &*entry.key).collect();
    assert_eq!(keys, ["1", "true", "d"]);
    assert_eq!(read.problems(0), [(ProblemKind::Malformed, "[x, y]")]);
}

#[test]
fn a_template_is_called_one() {
    let read = all("kind: A\nmetadata:\n  name: {{ .Values.name }}\n");
    assert_eq!(read.documents[0].problems[0].kind, ProblemKind::Template);
    assert_eq!(read.documents[0].head.kind.as_deref(), Some("A"));
}

#[test]
fn lists_and_arrays_become_one_document_per_object() {
    let typed = "apiVersion: apps/v1\nkind: DeploymentList\nitems:\n- metadata: {name: a}\n- metadata: {name: b}\n  kind: Other\n";
    let read = all(typed);
    assert_eq!(read.names(), ["a", "b"]);
    assert_eq!(read.documents[0].head.kind.as_deref(), Some("Deployment"));
    assert_eq!(read.documents[0].head.api_version.as_deref(), Some("apps/v1"));
    assert_eq!(read.documents[1].head.kind.as_deref(), Some("Other"));
    assert_eq!(read.text(read.documents[0].span), "metadata: {name: a}");

    let nested = "kind: List\nitems:\n- kind: PodList\n  items:\n  - metadata: {name: p}\n- kind: X\n  metadata: {name: q}\n";
    let read = all(nested);
    assert_eq!(read.names(), ["p", "q"]);
    assert_eq!(read.documents[0].head.kind.as_deref(), Some("Pod"));

    assert_eq!(all("- kind: A\n- kind: B\n").documents.len(), 2);
    assert_eq!(all("- 1\n- 2\n").documents.len(), 1);
    assert_eq!(all("kind: List\nitems: []\n").documents.len(), 0);
    assert_eq!(all("# nothing\n---\n---\n").documents.len(), 0);
}

#[test]
fn comments_go_with_the_object_they_speak_of() {
    let text = "# of the first\n---\nkind: A # right\n# behind\n---\nkind: List\nitems:\n# before b\n- kind: B # of b\n  # before c\n- kind: C\n# last\n";
    let read = all(text);
    let comments = |index: usize| -> Vec<&str> {
        read.documents[index].comments.iter().map(|&span| read.text(span)).collect()
    };
    assert_eq!(comments(0), ["# of the first", "# right", "# behind"]);
    assert_eq!(comments(1), ["# before b", "# of b"]);
    assert_eq!(comments(2), ["# before c", "# last"]);
}

#[test]
fn a_cut_marks_what_may_miss_something() {
    let mut sources = Sources::default();
    let text = "metadata:\n  name: x\n...\nspec:\n  list:\n  - a: 1\n  ...\n    b: 2\n  - c: 3\nstatus:\n...\n";
    let id = sources.add("paste", Origin::default(), Encoding::Utf8, text);
    let source = sources.get(id);
    let mut view = TextView::empty(source);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        match line.trim() {
            "..." => view.cut(),
            _ => view.push(Span::new(id, at, at + line.len())),
        }
        at += line.len();
    }
    let documents = parse_yaml(&view, &|_| true);
    assert!(documents[0].partial && documents[0].problems.is_empty());
    let root = documents[0].root.as_ref().unwrap();
    let cut = |path: &[&str]| root.at(path).unwrap().fidelity == Fidelity::Cut;
    assert!(root.fidelity == Fidelity::Cut && cut(&["metadata"]) && cut(&["status"]));
    assert!(!cut(&["metadata", "name"]) && !cut(&["spec"]) && !cut(&["spec", "list"]));
    let items = root.at(&["spec", "list"]).unwrap().items();
    assert_eq!(items[0].fidelity, Fidelity::Cut);
    assert_eq!(items[1].fidelity, Fidelity::Read);
}
