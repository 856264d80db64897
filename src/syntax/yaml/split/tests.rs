//! The cut at items against the full parser, which it must agree with.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::from_events::compose;
use super::super::{is_simple, parse_yaml, segments};
use super::*;
use crate::source::{Encoding, Origin, Sources};
use crate::syntax::flatten_lists::unpack;
use crate::syntax::text_view::TextView;
use crate::syntax::{Document, DocumentFilter, ProblemKind, Syntax};

const LIST: &str = "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n- apiVersion: v1\n  data:\n    text: |\n      - apiVersion: x\n      kind: y\n  kind: Pod\n  metadata:\n    annotations:\n      name: wrong\n    name: b\n    namespace: n\nkind: List\nmetadata:\n  resourceVersion: \"\"\n";

fn with_view<T>(text: &str, read: impl FnOnce(&TextView<'_>) -> T) -> T {
    let mut sources = Sources::default();
    let id = sources.add("test", Origin::default(), Encoding::Utf8, text);
    let source = sources.get(id);
    read(&TextView::whole(source, source.span()))
}

/// Parses without any look at lines.
fn parse_full(view: &TextView<'_>, wanted: DocumentFilter<'_>) -> Vec<Document> {
    let (mut documents, mut comments) = (Vec::new(), Vec::new());
    for range in segments(view.text(), &Margin::of(view.text())) {
        for whole in compose(view, range, &mut comments) {
            unpack(view, whole, Syntax::Yaml, wanted, &mut documents);
        }
    }
    documents
}

/// Compares both ways, for everything wanted, some and nothing.
fn assert_same(text: &str) {
    let some = |head: &DocumentHead| head.name.as_deref().is_some_and(|name| name.len() % 2 == 0);
    let all: [DocumentFilter<'_>; 3] = [&|_| true, &some, &|_| false];
    for wanted in all {
        with_view(text, |view| {
            let (split, full) = (parse_yaml(view, wanted), parse_full(view, wanted));
            assert_eq!(format!("{split:#?}"), format!("{full:#?}"), "{text}");
        });
    }
}

fn is_split(text: &str) -> bool {
    with_view(text, |view| is_simple(view, 0..text.len(), &Margin::of(text)))
        && split_list(text, 0..text.len(), &Margin::of(text)).is_some()
}

#[test]
fn a_list_is_cut_at_its_items_and_their_heads_are_known() {
    let split = split_list(LIST, 0..LIST.len(), &Margin::of(LIST)).unwrap();
    assert_eq!(split.list.kind.as_deref(), Some("List"));
    let heads: Vec<_> = split.items.iter().map(|item| item.head.clone().unwrap()).collect();
    let name = |head: &DocumentHead| head.name.clone().unwrap();
    assert_eq!(heads.iter().map(name).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(heads[1].namespace.as_deref(), Some("n"));
    assert_eq!(heads[1].kind.as_deref(), Some("Pod"));
    assert_same(LIST);
    assert_same(&LIST.replace('\n', "\r\n"));
}

#[test]
fn every_shape_gives_what_the_full_parser_gives() {
    let shift = |line: &str| if line.starts_with(['-', ' ']) { "  " } else { "" };
    let indented: String = LIST.lines().map(|line| format!("{}{line}\n", shift(line))).collect();
    let typed = "apiVersion: v1\nkind: PodList\nitems:\n- metadata:\n    name: aa\n- metadata:\n    name: \"7\"\n";
    let flow = "kind: List\nitems:\n- spec: {a: 1,\n  kind: Foo\n  , b: 2}\n  kind: Bar\n  metadata:\n    name: xx\n";
    let deep_flow = "kind: List\nitems:\n- spec:\n    x: {a: 1,\n  kind: Foo\n    , b: 2}\n  kind: Bar\n  metadata:\n    name: xx\n";
    let deep_name = "kind: List\nitems:\n- apiVersion: v1\n  kind: Bar\n  metadata:\n    annotations:\n      a: {x: 1,\n    name: wrong\n    , c: d}\n    name: xx\n";
    let tail = "kind: List\nitems:\n- apiVersion: v1\n  kind: A\n  metadata:\n    name: x\n  spec: 1 # end\n";
    let empty_block =
        "apiVersion: v1\nitems:\n- kind: A\n  metadata:\n    name: aa\n  x: |+\n\nkind: List\n";
    let folded = "kind: List\nitems:\n- kind: Bar\n  metadata:\n    name: xx\n      yy\n";
    let anchors = "kind: List\nitems:\n- kind: A\n  x: &x 1\n- kind: B\n  y: *x\n";
    let comments = "kind: List\nitems:\n- kind: A\n  # of b\n- kind: B # end\n";
    let twice = "kind: List\nkind: List\nitems:\n- kind: A\n- kind: B\n  kind: C\n";
    let odd = "kind: List\nitems:\n- 1\n-\n- kind: A\n  metadata: {name: n}\n  spec:\n";
    for text in [
        LIST,
        &indented,
        typed,
        flow,
        deep_flow,
        deep_name,
        tail,
        empty_block,
        folded,
        anchors,
        comments,
        twice,
        odd,
    ] {
        assert_same(text);
        assert_same(&format!("---\n{text}---\n{LIST}...\n{text}"));
    }
    assert!(is_split(LIST) && is_split(&indented) && is_split(typed) && is_split(anchors));
    assert!(!is_split(comments) && !is_split(twice) && !is_split(odd));
}

#[test]
fn a_single_object_that_is_not_wanted_is_only_counted() {
    let text =
        "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec: {broken\n---\nkind: Run\n";
    with_view(text, |view| {
        let documents = parse_yaml(view, &|head| head.kind.as_deref() != Some("Pod"));
        let [pod, run] = &*documents else { panic!("{documents:?}") };
        assert!(pod.root.is_none() && run.root.is_some());
        assert_eq!(pod.head.name.as_deref(), Some("p"));
        assert!(pod.problems.is_empty());
    });
}

#[test]
fn a_broken_item_does_not_touch_its_neighbours() {
    let text = LIST.replace("    name: a\n", "    name: \"a\n  spec: 1\n");
    with_view(&text, |view| {
        let documents = parse_yaml(view, &|_| true);
        let [broken, whole] = &*documents else { panic!("{documents:?}") };
        assert!(broken.partial && !whole.partial && whole.problems.is_empty());
        assert_eq!(broken.problems[0].kind, ProblemKind::Malformed);
        assert_eq!(broken.head.kind.as_deref(), Some("ConfigMap"));
        assert_eq!(whole.head.name.as_deref(), Some("b"));
    });
}

#[test]
fn a_list_without_its_end_keeps_its_items() {
    let cut = LIST.split("kind: List").next().unwrap();
    assert_same(cut);
    with_view(cut, |view| {
        let documents = parse_yaml(view, &|_| true);
        assert_eq!(documents.len(), 2);
        assert!(!documents[0].partial && documents[1].partial);
        assert_eq!(documents[1].problems[0].kind, ProblemKind::Truncated);
    });
}

/// Text with everything that may mislead a look at lines.
fn tricky_text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "word",
        " ",
        "\n",
        "- ",
        "apiVersion: v1",
        "\nkind: X",
        "  ",
        "\t",
        "#",
        " # c",
        "---",
        "'",
        "\"",
        ": ",
        "{",
        "]",
        "é",
        "0",
        "true",
        "*a",
        "&b",
        "|",
        ">",
        "%",
        "long long long long long text that has to be folded",
    ]);
    prop::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

fn tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        tricky_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let map = prop::collection::btree_map(tricky_text(), inner.clone(), 0..4);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            map.prop_map(|map| Value::Object(map.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn object() -> impl Strategy<Value = Value> {
    (tricky_text(), "[a-z]{1,3}", tree(), tree(), tricky_text()).prop_map(
        |(kind, name, annotations, spec, namespace)| {
            let metadata = json!({"annotations": annotations, "name": name, "namespace": namespace});
            json!({"apiVersion": "v1", "data": spec, "kind": kind, "metadata": metadata, "spec": spec})
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..<_>::default() })]

    #[test]
    fn split_equals_full_on_any_list(items in prop::collection::vec(object(), 1..4)) {
        let list = json!({"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}});
        let text = serde_yaml::to_string(&list).unwrap();
        assert_same(&text);
        let stream: Vec<_> = items.iter().map(|item| serde_yaml::to_string(item).unwrap()).collect();
        assert_same(&stream.join("---\n"));
    }
}
