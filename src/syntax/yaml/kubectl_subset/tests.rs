//! The strict reader against the full parser: alike, or left to it.

use proptest::prelude::*;

use super::super::from_events::{compose, compose_as};
use super::*;
use crate::source::{Encoding, Origin, Sources};
use crate::syntax::flatten_lists::ParsedText;

/// The parts that are kept as text.
const UNREAD: [&str; 4] = ["a", "data", "spec", "status"];

/// Reads a text in all ways; says whether the strict reader took it.
fn assert_same(text: &str) -> bool {
    let mut sources = Sources::default();
    let id = sources.add("test", Origin::default(), Encoding::Utf8, text);
    let source = sources.get(id);
    let view = TextView::whole(source, source.span());
    assert_same_as_server(&view);
    let unread = read_canonical(&view, 0..text.len(), &UNREAD);
    let Some(root) = read_canonical(&view, 0..text.len(), &[]) else {
        assert!(unread.is_none(), "{text}");
        return false;
    };
    let mut comments = Vec::new();
    let full = compose(&view, 0..text.len(), &mut comments);
    // What is kept as text reads the same, whoever asks, and however.
    let unread = unread.unwrap();
    for key in UNREAD {
        let parts = [unread.get(key), unread.items().first().and_then(|item| item.get(key))];
        parts.into_iter().flatten().for_each(|part| {
            for entry in part.clone().entries() {
                let opened = part.opened(&[&entry.key, "absent"]);
                assert_eq!(
                    format!("{:#?}", opened.entry(&entry.key)),
                    format!("{:#?}", Some(entry))
                );
            }
        });
    }
    assert_eq!(unread, root, "{text}");
    assert_eq!(format!("{unread:#?}"), format!("{root:#?}"), "{text}");
    let strict = vec![ParsedText::sound(root)];
    assert_eq!(format!("{strict:#?}"), format!("{full:#?}"), "{text}");
    assert!(comments.is_empty());
    true
}

/// Reads a text as the server does, in both ways; says whether the strict reader took it.
fn assert_same_as_server(view: &TextView<'_>) -> bool {
    let text = view.text();
    let Some(root) = read_canonical_as_server(view, 0..text.len()) else { return false };
    let mut comments = Vec::new();
    let full = compose_as(view, 0..text.len(), Dialect::Server, &mut comments);
    let strict = vec![ParsedText::sound(root)];
    assert_eq!(format!("{strict:#?}"), format!("{full:#?}"), "{text}");
    assert!(comments.is_empty());
    true
}

#[test]
fn what_people_write_is_typed_as_the_server_types_it() {
    let taken = |text: &str| {
        let mut sources = Sources::default();
        let id = sources.add("test", Origin::default(), Encoding::Utf8, text);
        let source = sources.get(id);
        assert_same_as_server(&TextView::whole(source, source.span()))
    };
    for value in [
        "yes",
        "No",
        "on",
        "OFF",
        "y",
        "N",
        "0755",
        "0o17",
        "-0x1f",
        "1_000",
        "1e3",
        "1.0",
        ".5",
        "+7",
        "~",
        "null",
        "True",
        "v1",
        "2026-01-09",
        "12:30",
        "25%",
        "\"yes\"",
        "'no'",
        "yes no\n  off",
        "|\n  yes",
        "{}",
        "it's",
        "a \"b\" c",
        "'a\n  b'",
        "\"a\n\n  b\"",
    ] {
        assert!(
            taken(&format!("spec:\n  a:\n  - b: {}\n", value.replace('\n', "\n    "))),
            "{value}"
        );
        assert!(taken(&format!("spec: {value}\n")), "{value}");
    }
    // Keys are typed by the server, comments are told, and tabs have rules of their own.
    for text in ["yes: a\n", "a:\n  1: b\n", "0x1f: a\n", "a: b # c\n", "# c\na: b\n", "a:\tb\n"] {
        assert!(!taken(text), "{text}");
    }
}

#[test]
fn what_kubectl_prints_is_read_without_the_full_parser() {
    let text = "apiVersion: v1\nkind: Run\nmetadata:\n  annotations: {}\n  labels:\n    a.b/c-d: \"1\"\n  name: x\nspec:\n  empty:\n  list:\n  - a\n  - - 1\n    - b: 2\n      c: []\n  - x: y\n    z:\n    - q\n  message: 'failed: it''s\n    folded'\n  text: |\n    one\n\n      two\n  fold: >-\n    a\n    b\n  plain: several words\n    on lines\n  when: 2026-01-09T02:41:10Z\n";
    assert!(assert_same(text));
    assert!(assert_same(&format!("---\n{text}")));
    assert!(assert_same(&text.replace('\n', "\n  ").replacen("api", "- api", 1)));
}

#[test]
fn words_over_several_lines_are_folded_as_the_full_parser_folds_them() {
    for text in [
        "a: one two\n  three\n  four five\nb: 1\n",
        "a:\n- message: cannot apply\n    \"x\" to - y\n    {z} 'q'\n- b\n",
        "a: 1\n  2\nb: c\n",
        "a: one \n  two\nb: c\n",
        "a: one\n\n  two\nb: c\n",
        "a: one\n  two:three #four\n",
        "a: one\n  | two\n  > three\n  *four &five !six\n",
        "a: - b\n  c\n",
        "a: -b\n  ---\n  ...\n  c\n",
        "a: é\n  ü\n",
        "a: one\n      two\n    three\n  four",
    ] {
        assert_same(text);
    }
    assert!(!assert_same("a: one\n  two: three\n"));
    assert!(!assert_same("a: one\n  # two\n"));
}

#[test]
fn texts_in_quotes_over_several_lines_are_read_as_the_full_parser_reads_them() {
    for text in [
        "a: \"one two\n  three: four # five\"\nb: 1\n",
        "a: 'it''s one\n  two ''three'''\nb: 1\n",
        "a: \"one \\\"two\\\"\n    three\\nfour\\\\ five\n  six\"\n",
        "a:\n- \"one\n  two\"\n- 'three\n  four'\n",
        "a: \"\n  one\"\nb: 1\n",
        "a: \"one\n  \"\nb: 1\n",
        "a: 'one''\n  two'\nb: 1\n",
        "a: \"one\\\"\n  two\"\nb: 1\n",
        "a: 'é\n  ü'\nb: 1\n",
        // What a break means beside a backslash, a blank or another break is for the full parser to say.
        "a: \"one\\\n  two\"\nb: 1\n",
        "a: \"one\n  \\ two\"\nb: 1\n",
        "a: \"one \n  two\"\nb: 1\n",
        "a: \"one\n\n  two\"\nb: 1\n",
        "a: \"one\n  \ttwo\"\nb: 1\n",
        "a: \"one\\u00e9\n  two\"\nb: 1\n",
    ] {
        assert!(assert_same(text), "{text}");
    }
    for text in [
        "a: \"one\"\n  two\n",
        "a: \"one\n  two\"\n  three\n",
        "a: \"one\n  two\nb: 1\n",
        "a: \"one\n  \"two\"\nb: 1\n",
        "a: 'one\n  two\"\nb: 1\n",
        "a: 'one\n  two' three\nb: 1\n",
        "a: \"\n  \nb: 1\n",
    ] {
        assert!(!assert_same(text), "{text}");
    }
}

#[test]
fn blocks_of_lines_are_read_as_the_full_parser_reads_them() {
    for text in [
        "a: |\n  one\n  two\nb: 1\n",
        "a: |-\n  one\n\n    two\nb: 1\n",
        "a:\n- |\n  one\n- |-\n    two\n      three\n",
        "a:\n  b: |\n    {\"c\":\"d # e\"}\n  f: 'g'\n",
        "a: |\n  one: two\n  - three\n  # four\nb: c\n",
        "a: |\n  \tone\nb: c\n",
        "a: |\n  one\n  \ttwo \nb: c\n",
        "a: |\n  é\n  ü\n",
    ] {
        assert!(assert_same(text), "{text}");
    }
    // Those where a blank line, an end without a break or another depth decides.
    for text in [
        "a: |\n\n  one\nb: c\n",
        "a: |\n  one\n\n\nb: c\n",
        "a: |\n  one\n    \n  two\nb: c\n",
        "a: |\n    one\n  two\nb: c\n",
        "a: |\n  one",
        "a: |-\n  one",
        "a: |+\n  one\n\nb: c\n",
        "a: |\nb: c\n",
        "a: |\n \t\n  one\n",
    ] {
        assert_same(text);
    }
}

#[test]
fn doubtful_text_is_left_to_the_full_parser() {
    for text in [
        "a: 1 # c\n",
        "# c\na: 1\n",
        "a: &x 1\n",
        "a: !!str 1\n",
        "a: {b: 1}\n",
        "a: [1]\n",
        "\"a\": 1\n",
        "? a\n: 1\n",
        "<<: x\n",
        "a: 1\na: 2\n",
        "a:\n  b: 1\n  c: 2\n  b: 3\n",
        "a: 1\n  b: 2\n",
        "a: b: c\n",
        "a:\n  b: 1\n c: 2\n",
        "a: |2\n   x\n",
        "a: 1\r\nb: 2\r\n",
        "a: \u{1}\n",
        "a\n",
        "- a\nb: 1\n",
        "a: 'x' y\n",
        "a: 'x\n",
        "a: *x\n",
        "a: @x\n",
        "a: %x\n",
        "a: - b\n",
        "a: 1\n...\nb: 2\n",
        "a:\tb\n",
        "a:\n\tb: 1\n",
        "a: b\n- c\n",
        "-\n",
        "- \n  a: 1\n",
        "a: ? b\n",
        "a: ...\n  b :x\n",
        "a: b\n    # c\n",
        "a: \"\\q\"\n",
        "a: |\n x\n  y\n z: 1\n# c\n",
    ] {
        assert!(!assert_same(text), "{text}");
    }
}

#[test]
fn borderline_text_is_read_alike() {
    for text in [
        "a: -1\n",
        "a: x#y\n",
        "a: x:y\n",
        "a: -x\n",
        "a: 'x: y'\n",
        "a: b\nc:\n- d\ne: f\n",
        "a: |\n\n\n  x\n\n\n",
        "a: >\n\n x\n\n  y\n z\n\n",
        "a: \"x\n\n  y\"\nb: 1\n",
        "a: x\n  - y\n",
        "  a: 1\n  b: 2\n",
        "a: ''\nb: \"\"\n",
        "a: |-\n  # x\nb: 1\n",
        "a:\nb:\n",
        "- a:\n  b:\n  - c\n  - d:\n- e\n",
        "a: é\u{a0}x\nb: 😀\n",
        "a: x \nb: y\t\n",
        "a: \"x\\n\\\n  y\"\n",
        "a: <<\nb: =\n",
    ] {
        assert!(assert_same(text), "{text}");
    }
}

/// Lines of all indentations, most of them sensible.
fn lines() -> impl Strategy<Value = String> {
    let indent = prop_oneof![6 => (0_usize..5).prop_map(|half| half * 2), 1 => 0_usize..7];
    let key = prop::sample::select(vec![
        "", "a:", "b: ", "kind: ", "- ", "- - ", "- c: ", "- d:", "e:  ", "-", "'f': ", "g :",
    ]);
    let value = prop::sample::select(vec![
        "",
        "",
        "x",
        "1",
        "true",
        "two words",
        "'q'",
        "\"q\"",
        "'open",
        "close'",
        "\"open",
        "close\"",
        "\"e\\n\"",
        "\\",
        "|",
        "|-",
        ">+",
        ">-",
        "{}",
        "[]",
        "{a: 1}",
        "{",
        "}",
        "x: y",
        "x:",
        "#c",
        "x # c",
        "x#c",
        "- y",
        "-y",
        "-",
        "*a",
        "&a",
        "!t x",
        "é",
        "~",
        "''",
        "it''s",
        "?",
        ": x",
        "x ",
        "\tx",
        "|2",
        "---",
        "...",
    ]);
    let line =
        (indent, key, value).prop_map(|(indent, key, value)| " ".repeat(indent) + key + value);
    prop::collection::vec(line, 1..8).prop_map(|lines| lines.join("\n") + "\n")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..<_>::default() })]

    #[test]
    fn whatever_the_strict_reader_takes_the_full_parser_reads_alike(text in lines()) {
        assert_same(&text);
        assert_same(text.trim_end());
    }
}
