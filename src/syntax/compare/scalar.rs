//! One scalar against its printed form.
//!
//! Owns what kubectl does to text and numbers on the way to the screen, as a test of equality.

use crate::grammar::schema::{Schema, Type};
use crate::syntax::tree::{Fidelity, Node, Value};

use super::{PrintLoss, is_payload};

/// Compares two scalars; returns the loss that explains a difference, or none for a fault.
pub(super) fn compare_scalars(
    full: &Node,
    shown: &Node,
    schema: Option<&Schema>,
    is_annotation: bool,
) -> Option<Option<PrintLoss>> {
    if full.value == shown.value {
        return None;
    }
    if is_payload(schema) && same_printed(full, shown) {
        return Some(Some(PrintLoss::PayloadType));
    }
    if let (Value::String(text), Value::Null) = (&full.value, &shown.value)
        && &**text == "<nil>"
    {
        return Some(Some(PrintLoss::NullText));
    }
    let either = schema.is_some_and(|schema| schema.ty == Type::IntOrString);
    if either && same_printed(full, shown) {
        return Some(Some(PrintLoss::IntOrString));
    }
    let (Value::String(left), Value::String(right)) = (&full.value, &shown.value) else {
        return Some(None);
    };
    if is_annotation && is_cut_of(right, left, shown.fidelity) {
        return Some(Some(PrintLoss::AnnotationCut));
    }
    if left.trim_matches(' ') == right.trim_matches(' ') {
        return Some(Some(PrintLoss::OuterBlanks));
    }
    let printed = printed(left);
    let replaced = printed != **left && words(&printed).eq(words(right));
    Some(replaced.then_some(PrintLoss::ControlCharacters))
}

/// Says whether two scalars print alike; Go prints floats in its own way, so those go by value.
fn same_printed(full: &Node, shown: &Node) -> bool {
    let (Some(left), Some(right)) = (full.text(), shown.text()) else { return false };
    let number = |text: &str| text.parse::<f64>().ok();
    left.value == right.value
        || number(&left.value).is_some_and(|left| Some(left) == number(&right.value))
}

/// Says whether a printed annotation is the begin of each line of the whole one.
fn is_cut_of(printed: &str, whole: &str, fidelity: Fidelity) -> bool {
    let whole = whole.trim_end_matches('\n');
    let mut lines = printed.lines().zip(whole.lines());
    printed == whole
        || fidelity == Fidelity::Cut
            && printed.lines().count() == whole.lines().count()
            && lines.all(|(cut, line)| line.starts_with(cut))
}

/// Does to a text what kubectl does since 1.26.
fn printed(text: &str) -> String {
    text.replace('\r', "\\r")
        .replace('\u{1b}', "^[")
        .replace('\u{c}', "\n")
        .replace(['\t', '\u{b}'], " ")
}

/// Splits a text at blanks, which tabs become any number of.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| !word.is_empty())
}
