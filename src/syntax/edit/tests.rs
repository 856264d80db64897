//! Changes in block style, flow style and JSON, on texts with comments and odd line ends.

use super::*;
use crate::source::{Encoding, Origin, SourceId, Sources};

fn spot(text: &str, part: &str) -> Span {
    let lo = text.find(part).expect("the part is in the text");
    Span::new(SourceId(0), lo, lo + part.len())
}

fn piece(text: &str, before: &str, part: &str, after: &str) -> EditTarget {
    let side = |part: &str| (!part.is_empty()).then(|| spot(text, part));
    EditTarget { span: spot(text, part), before: side(before), after: side(after) }
}

fn apply(text: &str, change: TextEdit) -> Option<String> {
    let mut sources = Sources::default();
    let id = sources.add("x.yaml", Origin::default(), Encoding::Utf8, text);
    let edit = change.edit(sources.get(id))?;
    let mut changed = text.to_owned();
    changed.replace_range(edit.span.range(), &edit.replacement);
    Some(changed)
}

#[test]
fn words_keep_their_quotes() {
    let text = "type: 'pickall' # why\r\n";
    let change = TextEdit::Replace(spot(text, "pickall"), "PickAll".to_owned());
    assert_eq!(apply(text, change).as_deref(), Some("type: 'PickAll' # why\r\n"));
    assert_eq!(
        apply("a: 10 # n", TextEdit::Quote(spot("a: 10", "10"))).as_deref(),
        Some("a: \"10\" # n")
    );
    let text = "a: \"10\"";
    assert_eq!(apply(text, TextEdit::Unquote(spot(text, "10"))).as_deref(), Some("a: 10"));
    let octal = "a: \"010\"";
    assert_eq!(apply(octal, TextEdit::Unquote(spot(octal, "010"))), None);
}

#[test]
fn text_that_stands_for_several_fields_stays() {
    let text = "a: &a in\nb: *a\n";
    for part in ["in", "*a"] {
        assert_eq!(apply(text, TextEdit::Replace(spot(text, part), "In".to_owned())), None);
    }
}

#[test]
fn the_only_entry_takes_the_place_of_its_map() {
    let text = "x: 1\nspec:\n  # why\n  data:\n    a: |\n      b\n\n       c\n";
    let (outer, inner) = (
        spot(text, "spec:\n  # why\n  data:\n    a: |\n      b\n\n       c"),
        spot(text, "data:\n    a: |\n      b\n\n       c"),
    );
    let raised = apply(text, TextEdit::Unnest(outer, inner));
    assert_eq!(raised.as_deref(), Some("x: 1\n# why\ndata:\n  a: |\n    b\n\n     c\n"));
}

#[test]
fn whole_lines_go_with_their_comments() {
    let text = "a: 1\nb: # gone\n  c: 2 # too\n  # deeper\n# stays\nd: 3\n";
    let change = TextEdit::RemoveEntry(piece(text, "a: 1", "b: # gone\n  c: 2", "d: 3"));
    assert_eq!(apply(text, change).as_deref(), Some("a: 1\n# stays\nd: 3\n"));
    let text = "a: 1\r\nb: 2";
    let change = TextEdit::RemoveEntry(piece(text, "a: 1", "b: 2", ""));
    assert_eq!(apply(text, change).as_deref(), Some("a: 1"));
}

#[test]
fn the_dash_of_an_item_stays() {
    let text = "- a: 1\n  b: 2\n- c: 3\n";
    let change = TextEdit::RemoveEntry(piece(text, "", "a: 1", "b: 2"));
    assert_eq!(apply(text, change).as_deref(), Some("- b: 2\n- c: 3\n"));
    let change = TextEdit::RemoveItem(piece(text, "", "a: 1\n  b: 2", "c: 3"));
    assert_eq!(apply(text, change).as_deref(), Some("- c: 3\n"));
    let change = TextEdit::RemoveEntry(piece(text, "", "c: 3", ""));
    assert_eq!(apply(text, change), None, "nothing would be left");
    let nested = "- - a\n  - b\n";
    assert_eq!(apply(nested, TextEdit::RemoveItem(piece(nested, "", "a", "b"))), None);
}

#[test]
fn one_comma_goes_in_brackets() {
    let text = "x: {a: \"1\", b: 2, c: 3}";
    let first = TextEdit::RemoveEntry(piece(text, "", "a: \"1", "b: 2"));
    assert_eq!(apply(text, first).as_deref(), Some("x: {b: 2, c: 3}"));
    let last = TextEdit::RemoveEntry(piece(text, "b: 2", "c: 3", ""));
    assert_eq!(apply(text, last).as_deref(), Some("x: {a: \"1\", b: 2}"));
    let text = "{\n  \"a\": 1,\n  \"b\": \"2\"\n}\n";
    let last = TextEdit::RemoveEntry(piece(text, "a\": 1", "b\": \"2", ""));
    assert_eq!(apply(text, last).as_deref(), Some("{\n  \"a\": 1\n}\n"));
}

#[test]
fn a_key_comes_in_the_style_of_its_neighbour() {
    let add = |text: &str, part: &str, value: NewValue| {
        apply(text, TextEdit::Add(piece(text, "", part, ""), "k", value))
    };
    let word = || NewValue::Text("Run".to_owned());
    assert_eq!(
        add("s:\r\n- a: 1 # c\r\n", "a: 1", word()).as_deref(),
        Some("s:\r\n- a: 1 # c\r\n  k: Run\r\n")
    );
    assert_eq!(add("a: 1", "a: 1", NewValue::EmptyMap).as_deref(), Some("a: 1\nk: {}"));
    let under = NewValue::Under("t", Box::new(word()));
    assert_eq!(add("a: 1\n", "a: 1", under).as_deref(), Some("a: 1\nk:\n  t: Run\n"));
    assert_eq!(add("{a: 1}", "a: 1", word()).as_deref(), Some("{a: 1, k: Run}"));
    let json = "{\n\t\"a\": \"1\"\n}";
    assert_eq!(
        add(json, "a\": \"1", NewValue::Under("t", Box::new(word()))).as_deref(),
        Some("{\n\t\"a\": \"1\",\n\t\"k\": {\"t\": \"Run\"}\n}")
    );
}

#[test]
fn a_comment_between_items_stays() {
    let text = "x: [a, # why\n  b]\n";
    assert_eq!(apply(text, TextEdit::RemoveItem(piece(text, "", "a", "b"))), None);
    assert_eq!(apply(text, TextEdit::RemoveItem(piece(text, "a", "b", ""))), None);
    let plain = "x: [a,\n  b]\n";
    let change = TextEdit::RemoveItem(piece(plain, "", "a", "b"));
    assert_eq!(apply(plain, change).as_deref(), Some("x: [b]\n"));
}
