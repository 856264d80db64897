//! What the YAML and JSON parsers share while they build a tree.
//!
//! Owns the depth limit, the settling of duplicate keys and the choice of span and style of a
//! scalar. It leaves the reading of text to the parsers and the cutting of trees into documents to
//! [`super::flatten_lists`].
//! Invariant: no tree is deeper than [`MAX_DEPTH`], so that walking and dropping it may recurse.

use std::ops::Range;

use super::text_view::TextView;
use super::tree::{Entry, Fidelity, Node, Style, Value};
use super::{Problem, ProblemKind};
use crate::source::Span;

/// The deepest nesting that is read; Kubernetes objects stay far below (the schema of a large
/// custom resource definition reaches about 60).
pub(super) const MAX_DEPTH: usize = 200;

/// Shorter parts of an object are read at once: what stands for a part that is not read takes memory, too.
pub(super) const SHORTEST_UNREAD: usize = if cfg!(test) { 1 } else { 200 };

/// Makes a problem with one place.
pub(super) fn problem(kind: ProblemKind, span: Span, message: impl Into<String>) -> Problem {
    Problem { kind, span, other: None, message: message.into() }
}

/// Makes the node of a scalar: plain where the text of `range` spells the value, else encoded.
pub(super) fn scalar(view: &TextView<'_>, range: Range<usize>, value: Value) -> Node {
    let text = view.text().get(range.clone()).unwrap_or_default();
    spelled(text, view.span(range), value)
}

/// Makes the node of a scalar that stands under a span: plain where `text` spells the value, else encoded.
pub(super) fn spelled(text: &str, span: Span, value: Value) -> Node {
    let plain = match &value {
        Value::String(value) => **value == *text,
        Value::Bool(truth) => text == if *truth { "true" } else { "false" },
        Value::Int(number) => is_decimal(text) && text.parse() == Ok(*number),
        Value::BigInt(number) => is_decimal(text) && text.parse() == Ok(*number),
        Value::Float(number) => text == number.to_string(),
        Value::Null | Value::Map(_) | Value::List(_) => true,
    };
    let style = if plain { Style::Plain } else { Style::Encoded };
    Node { style, ..Node::new(span, value) }
}

/// Says whether a text is a whole number as it is printed: no sign but a minus, no zero before other digits.
fn is_decimal(text: &str) -> bool {
    match text.strip_prefix('-').unwrap_or(text).as_bytes() {
        [b'0'] => text.len() == 1,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Stands for the value of a key behind which the text broke off.
pub(super) fn missing(key: Span) -> Node {
    Node::new(Span { lo: key.hi, ..key }, Value::Null).with_fidelity(Fidelity::Cut)
}

/// Says that a key stands twice.
pub(super) fn repeated_key(key: &str, again: Span, first: Span) -> Problem {
    let message = format!("the key `{key}` stands twice; the first value is kept");
    Problem { other: Some(first), ..problem(ProblemKind::DuplicateKey, again, message) }
}

/// Says whether no two keys are the same; brings them into order where they are not.
pub(super) fn are_distinct(keys: &mut [&str]) -> bool {
    // kubectl prints keys in order.
    let in_order =
        |keys: &[&str]| keys.windows(2).all(|pair| matches!(pair, [a, b] if is_before(a, b)));
    in_order(keys) || {
        keys.sort_unstable();
        in_order(keys)
    }
}

/// Says whether one key comes before another; most neighbours differ in their first letter.
fn is_before(left: &str, right: &str) -> bool {
    match (left.as_bytes().first(), right.as_bytes().first()) {
        (Some(left), Some(right)) if left != right => left < right,
        _ => left < right,
    }
}

/// Removes every entry whose key stood before, and reports both places.
pub(super) fn settle_duplicates(entries: &mut Vec<Entry>, problems: &mut Vec<Problem>) {
    // kubectl prints keys in order, so one pass settles almost every map.
    if entries.windows(2).all(|pair| matches!(pair, [a, b] if is_before(&a.key, &b.key))) {
        return;
    }
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by(|&a, &b| key_at(entries, a).cmp(key_at(entries, b)).then(a.cmp(&b)));
    let mut dropped = Vec::new();
    let mut first = None;
    for index in order {
        match first {
            Some(first) if key_at(entries, first) == key_at(entries, index) => {
                dropped.push((index, first));
            }
            _ => first = Some(index),
        }
    }
    if dropped.is_empty() {
        return;
    }
    let mut gone = vec![false; entries.len()];
    for (after, first) in dropped {
        let (Some(again), Some(kept)) = (entries.get(after), entries.get(first)) else { continue };
        problems.push(repeated_key(&again.key, again.key_span, kept.key_span));
        if let Some(flag) = gone.get_mut(after) {
            *flag = true;
        }
    }
    let mut gone = gone.into_iter();
    entries.retain(|_| !gone.next().unwrap_or_default());
}

fn key_at(entries: &[Entry], index: usize) -> &str {
    entries.get(index).map_or("", |entry| &entry.key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    #[test]
    fn only_what_a_number_is_printed_as_spells_it() {
        let place = Span::new(SourceId(0), 0, 0);
        let is_plain = |text: &str, value| spelled(text, place, value).style == Style::Plain;
        for number in [0, 7, 10, -1, i64::MAX, i64::MIN] {
            assert!(is_plain(&number.to_string(), Value::Int(number)), "{number}");
        }
        assert!(is_plain("18446744073709551615", Value::BigInt(u64::MAX)));
        for text in ["", "-", "-0", "+7", "07", "0x7", "7.0", "8", "7 ", "٧"] {
            assert!(!is_plain(text, Value::Int(7)), "{text:?}");
        }
        assert!(!is_plain("-0", Value::Int(0)));
    }
}
