//! Parts of values found again in every way of writing them.

use super::*;
use crate::source::{Encoding, Origin, Sources};
use crate::syntax::json::parse_json;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::Value;
use crate::syntax::yaml::parse_yaml;
use crate::syntax::{Document, DocumentFilter};

/// Parses a text, and returns what stands under each occurrence of `part` in the value of `m`.
fn under(
    text: &str,
    parse: fn(&TextView<'_>, DocumentFilter<'_>) -> Vec<Document>,
    part: &str,
) -> String {
    let mut sources = Sources::default();
    let id = sources.add("test", Origin::default(), Encoding::Utf8, text);
    let source = sources.get(id);
    let documents = parse(&TextView::whole(source, source.span()), &|_| true);
    let node = documents[0].root.as_ref().unwrap().get("m").unwrap();
    let at = node.as_str().unwrap().find(part).unwrap();
    let span = span_within(source, node, at..at + part.len());
    assert!(node.span.contains(span));
    source.slice(span).to_owned()
}

#[test]
fn plain_text_is_its_own_map() {
    assert_eq!(under("m: stuck on member-2\n", parse_yaml, "member-2"), "member-2");
    assert_eq!(under("{\"m\": \"stuck on é-2\"}", parse_json, "é-2"), "é-2");
}

#[test]
fn folded_quoted_and_block_text_of_yaml() {
    let fold = "m: the cluster\n    member-2 is\n    stuck\nx: 1\n";
    assert_eq!(under(fold, parse_yaml, "member-2"), "member-2");
    assert_eq!(under(fold, parse_yaml, "cluster member-2"), "cluster\n    member-2");
    let double =
        "m: \"tab\\there \\\"é\\\" \\x41\\u00e9\n  folded \\\n  on\\\n  wards \\U0001F600 end\"\n";
    for (part, raw) in [("here", "here"), ("\"é\"", "\\\"é\\\""), ("Aé", "\\x41\\u00e9")] {
        assert_eq!(under(double, parse_yaml, part), raw);
    }
    assert_eq!(under(double, parse_yaml, "folded onwards"), "folded \\\n  on\\\n  wards");
    assert_eq!(under(double, parse_yaml, "😀 end"), "\\U0001F600 end");
    let single = "m: 'it''s\n  member-2 again'\n";
    assert_eq!(under(single, parse_yaml, "it's"), "it''s");
    assert_eq!(under(single, parse_yaml, "member-2"), "member-2");
    for block in ["m: |\n  one\n    two\n\n  three\n", "m: >-\n  one\n    two\n\n  three\n"] {
        assert_eq!(under(block, parse_yaml, "two"), "two");
        assert_eq!(under(block, parse_yaml, "three"), "three");
    }
    assert_eq!(under("m: |\n\n  after a blank\n", parse_yaml, "blank"), "blank");
}

#[test]
fn escaped_text_of_json() {
    let text = r#"{"m": "a\n\"member-2\" \u003cx\u003e \ud83d\ude00!"}"#;
    assert_eq!(under(text, parse_json, "member-2"), "member-2");
    assert_eq!(under(text, parse_json, "<x>"), r"\u003cx\u003e");
    assert_eq!(under(text, parse_json, "😀!"), r"\ud83d\ude00!");
}

/// Maps a part of a value back that some other parser joined from wrapped lines.
fn joined(raw: &str, value: &str, part: &str) -> String {
    let mut sources = Sources::default();
    let id = sources.add("test", Origin::default(), Encoding::Utf8, raw);
    let source = sources.get(id);
    let node =
        Node { style: Style::Encoded, ..Node::new(source.span(), Value::String(value.into())) };
    let at = value.find(part).unwrap();
    source.slice(span_within(source, &node, at..at + part.len())).to_owned()
}

#[test]
fn wrapped_text_of_describe_and_mail() {
    let raw = "cluster\n         member-2 is stuck";
    assert_eq!(joined(raw, "cluster member-2 is stuck", "member-2"), "member-2");
    let raw = "cluster\n> >   member-2 is > stuck";
    assert_eq!(joined(raw, "cluster member-2 is > stuck", "member-2"), "member-2");
    assert_eq!(joined(raw, "cluster member-2 is > stuck", "> stuck"), "> stuck");
    assert_eq!(joined("\"a\" said \"b\"", "\"a\" said \"b\"", "b"), "b");
}

#[test]
fn text_that_cannot_be_followed_gives_the_whole_node() {
    assert_eq!(joined("something else", "value", "value"), "something else");
    let mut sources = Sources::default();
    let id = sources.add("test", Origin::default(), Encoding::Utf8, "é");
    let source = sources.get(id);
    let node = Node::new(source.span(), Value::String("é".into()));
    assert_eq!(span_within(source, &node, 1..2), node.span);
    assert_eq!(span_within(source, &node, 0..9), node.span);
}
