//! What of a file may be shown, and where its lines stand.

use super::*;

#[test]
fn positions_count_characters_and_survive_crlf() {
    let mut sources = Sources::default();
    let id = sources.add("a.yaml", Origin::default(), Encoding::Utf8, "a: é\r\nbé: 1\n");
    let file = sources.get(id);
    assert_eq!(file.line_count(), 2);
    assert_eq!(file.slice(file.line_span(0)), "a: é");
    assert_eq!(file.position(12), Position { line: 2, column: 5 });
    assert_eq!(file.slice(Span::new(id, 12, 13)), "1");
}

#[test]
fn both_ends_of_a_span_stand_where_each_stands_alone() {
    let mut sources = Sources::default();
    let text = "a: b\n\nlong: line\r\n  c";
    let id = sources.add("a.yaml", Origin::default(), Encoding::Utf8, text);
    let file = sources.get(id);
    for lo in 0..=text.len() {
        for span in (lo..=text.len()).map(|hi| Span::new(id, lo, hi)) {
            let alone = (file.position(span.lo), file.position(span.hi));
            assert_eq!(file.positions(span), alone, "{span:?}");
        }
    }
}

#[test]
fn a_sparse_log_keeps_its_original_line_numbers() {
    let mut sources = Sources::default();
    let text = "second\nninth\n";
    let id = sources.add_sparse("a.log", Origin::default(), Encoding::Utf8, text, vec![2, 9]);
    assert_eq!(sources.get(id).position(7), Position { line: 9, column: 1 });
}

/// A file with a Secret in it, and one beside it.
fn with_secret(data: &str, beside: &str) -> Sources {
    let secret =
        format!("apiVersion: v1\nkind: Secret\nmetadata:\n  name: own\nstringData:\n{data}");
    let mut sources = Sources::default();
    sources.add("secret.yaml", Origin::default(), Encoding::Utf8, secret);
    sources.add("beside.yaml", Origin::default(), Encoding::Utf8, beside);
    sources
}

#[test]
fn what_is_hidden_leaves_a_mark_once() {
    let sources = with_secret("  a: CANARY-one\n", "");
    let file = sources.iter().next().expect("the Secret");
    let line = file.line_span(5);
    let at = line.lo + 5;
    assert_eq!(file.shown(line), "  a: ***");
    assert_eq!(file.shown_around(line, at, line.hi), ["  a: ", "***", ""]);
    // A place within what is hidden: the mark stands at the place, not on its sides, too.
    assert_eq!(file.shown_around(line, at + 2, at + 4), ["  a: ", "***", ""]);
    // A mark that a part has begun is not told again by the next one.
    assert_eq!(file.shown_around(line, line.lo, line.lo + 2).concat(), "  a: ***");
}

#[test]
fn a_value_that_is_a_name_elsewhere_is_not_hidden_there() {
    let told = |data: &str, beside: &str| {
        let sources = with_secret(data, beside);
        sources.finish(beside).expect("no pseudonyms").into_owned()
    };
    assert_eq!(told("  a: checkout\n", "name: checkout\n"), "name: checkout\n");
    assert_eq!(told("  a: checkout\n", "say checkout\n"), "say ***\n", "no name");
    assert_eq!(told("  a: checkout\n", "name: checkout-2\n"), "name: ***-2\n", "another name");
    let odd = "Checkout_1!";
    assert_eq!(
        told(&format!("  a: {odd}\n"), "name: Checkout_1!\n"),
        "name: ***\n",
        "no name of an object"
    );
    let inside = "  a: checkout\n  b: |\n    name: checkout\n";
    assert_eq!(told(inside, "say checkout\n"), "say ***\n", "named within the Secret alone");
}
