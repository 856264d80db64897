//! The look over a text against the full reader, which it must agree with.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::{pass_garbage, read};
use super::*;
use crate::source::{Encoding, Origin, Sources};
use crate::syntax::flatten_lists::unpack;
use crate::syntax::json::parse_json;
use crate::syntax::text_view::TextView;
use crate::syntax::{Document, DocumentFilter, Syntax};

/// Parses without a look beforehand.
fn parse_full(view: &TextView<'_>, wanted: DocumentFilter<'_>) -> Vec<Document> {
    let (mut documents, mut at) = (Vec::new(), 0);
    while at < view.text().len() {
        let (whole, next) = read(view, at..view.text().len(), &[]);
        unpack(view, whole, Syntax::Json, wanted, &mut documents);
        at = pass_garbage(view, next, &mut documents);
    }
    documents
}

/// Compares both ways, for everything wanted, some and nothing.
fn assert_same(text: &str) {
    let mut sources = Sources::default();
    let id = sources.add("test", Origin::default(), Encoding::Utf8, text);
    let source = sources.get(id);
    let view = TextView::whole(source, source.span());
    let some = |head: &DocumentHead| head.name.as_deref().is_some_and(|name| name.len() % 2 == 0);
    let all: [DocumentFilter<'_>; 3] = [&|_| true, &some, &|_| false];
    assert_same_unread(&view);
    for wanted in all {
        let (skimmed, full) = (parse_json(&view, wanted), parse_full(&view, wanted));
        assert_eq!(format!("{skimmed:#?}"), format!("{full:#?}"), "{text}");
    }
}

/// Compares what is read at once with what is kept as text and read when somebody asks.
fn assert_same_unread(view: &TextView<'_>) {
    const UNREAD: [&str; 6] = ["data", "items", "metadata", "spec", "status", "x"];
    let range = 0..view.text().len();
    let (eager, kept) = (read(view, range.clone(), &[]), read(view, range, &UNREAD));
    let root = kept.0.root.as_ref();
    for part in UNREAD.iter().filter_map(|key| root?.get(key)) {
        for entry in part.clone().entries() {
            let opened = part.opened(&[&entry.key]);
            assert_eq!(format!("{:?}", opened.entry(&entry.key)), format!("{:?}", Some(entry)));
        }
    }
    assert_eq!(format!("{kept:#?}"), format!("{eager:#?}"), "{}", view.text());
}

#[test]
fn a_look_finds_objects_and_heads() {
    let text = r#"{"apiVersion": "v1", "items": [
        {"kind": "A", "data": {"kind": "wrong", "x": "]}\"{"}, "metadata": {"labels": {}, "name": "a"}},
        {"metadata": {"namespace": "n", "name": "b"}}
    ], "kind": "BList"}"#;
    let Some((JsonOutline::List(parts), end)) = skim(text, 0) else { panic!() };
    assert_eq!(end, text.len());
    let heads: Vec<_> = parts.items.iter().map(|part| part.head.clone().unwrap()).collect();
    assert_eq!(heads[0].kind.as_deref(), Some("A"));
    assert_eq!(heads[0].name.as_deref(), Some("a"));
    assert_eq!(heads[1].kind.as_deref(), Some("B"));
    assert_eq!(heads[1].namespace.as_deref(), Some("n"));
    assert_same(text);
}

#[test]
fn every_shape_gives_what_the_full_reader_gives() {
    let one = r#"{"kind": "A", "metadata": {"name": "aa"}}"#;
    for text in [
        one,
        r#"{"kind": "A", "kind": "B", "metadata": {"name": "x", "name": "yy"}}"#,
        r#"{"kind": 1, "metadata": []}"#,
        r#"{"kind": "List", "items": [1, {"kind": "A"}]}"#,
        r#"{"kind": "List", "items": [{"kind": "PodList", "items": [{"x": 1}]}]}"#,
        r#"{"kind": "List", "items": [], "items": [{"kind": "A"}]}"#,
        r#"{"kind": "List", "items": {"a": 1}}"#,
        r#"{"kind": "AllowList"}"#,
        r#"{"apiVersion": "v1", "items": [{"kind": "A"}]}"#,
        r#"[{"kind": "A"}, {"x": [1, 2, {"y": null}]}]"#,
        r#"[]"#,
        r#"{}"#,
        r#"[1, 2]"#,
        r#"{"kind": "A", "metadata": {"name": "aa"},}"#,
        // Printed line by line, but not all of it indented by its depth.
        "{\"kind\": \"List\", \"items\": [\n    {\n        \"kind\": \"A\",\n        \"x\": {\n            \"y\": 1\n    },\n        \"z\": 2\n    }\n]}",
        "{\"kind\": \"List\", \"items\": [\n    {\n        \"x\": \"1\", \"kind\": \"A\"\n    },\n    {\n        \"y\": 1, \"kind\": \"A\"\n    }\n]}",
        "{\"kind\": \"List\", \"items\": [\n    {\n        \"metadata\": {\n            \"name\": \"aa\", \"namespace\": \"b\"\n        }\n    },\n    {\n        \"kind\": \"A\", \"metadata\": {\"name\": \"bb\"}\n    }\n]}",
        r#"{"kind": "A", "broken": tru, "metadata": {"name": "aa"}"#,
    ] {
        assert_same(text);
        assert_same(&format!("{one}\n{text}{one}\n"));
    }
}

fn tricky_text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "w", "\"", "\\", "{", "}", "[", "]", ",", ":", "\n", "é", "\u{1}",
    ]);
    prop::collection::vec(pieces, 0..8).prop_map(|pieces| pieces.concat())
}

fn object() -> impl Strategy<Value = Value> {
    let spec = prop::collection::vec(tricky_text(), 0..4);
    (tricky_text(), "[a-z]{1,3}", spec, tricky_text()).prop_map(|(kind, name, spec, key)| {
        let metadata = json!({"annotations": {key: spec.clone()}, "name": name});
        json!({"apiVersion": "v1", "data": spec, "kind": kind, "metadata": metadata, "spec": spec})
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..<_>::default() })]

    #[test]
    fn a_look_changes_nothing(items in prop::collection::vec(object(), 1..4)) {
        let list = json!({"apiVersion": "v1", "items": items, "kind": "List", "metadata": {}});
        assert_same(&list.to_string());
        assert_same(&serde_json::to_string_pretty(&list).unwrap());
        assert_same(&Value::from(items).to_string());
    }

    #[test]
    fn what_is_kept_as_text_reads_the_same_and_what_is_broken_is_not_kept(
        object in object(), at in 0_usize..400, instead in tricky_text(), keep in 0_usize..3,
    ) {
        let spec = json!({"x": object["spec"], "y": {"z": object, "w": [1, -2.5, null, true]}});
        let text = serde_json::to_string_pretty(&json!({"spec": spec, "kind": "A"})).unwrap();
        let at = text.char_indices().map(|(at, _)| at).nth(at % text.len()).unwrap_or_default();
        let behind = text[at..].chars().take(keep).map(char::len_utf8).sum::<usize>();
        let changed = format!("{}{instead}{}", &text[..at], &text[at + behind..]);
        for text in [&*text, &text[..at], &changed] {
            let mut sources = Sources::default();
            let id = sources.add("test", Origin::default(), Encoding::Utf8, text);
            let source = sources.get(id);
            assert_same_unread(&TextView::whole(source, source.span()));
        }
    }
}
