//! Where one object ends and the next begins, and what frames its body.
//!
//! Owns the cutting of a text into [`ObjectLines`] and of those into header, body and events. Blank lines
//! do not count: values may hold them, and the describer of namespaces prints them.

use std::ops::Range;

use super::line::{DescribeLine, Pad};

/// The lines of one object, by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ObjectLines {
    /// All of its lines, blank ones at the end left out.
    pub(super) lines: Range<usize>,
    /// Whether it begins with its name, as a whole object does.
    pub(super) has_head: bool,
    /// Whether another object follows.
    pub(super) followed: bool,
    /// The column of its leftmost labels.
    pub(super) base: usize,
}

/// Labels that stand right below the name and namespace in one of kubectl's describers.
const BELOW_NAME: &[&str] = &[
    "Labels",
    "Annotations",
    "API Version",
    "CreationTimestamp",
    "Selector",
    "Priority",
    "Service Account",
    "Node",
    "Roles",
    "StorageClass",
    "Scopes",
    "Reference",
];

/// Splits lines into objects; text before the first head is a fragment of its own.
pub(super) fn split_objects(lines: &[DescribeLine<'_>]) -> Vec<ObjectLines> {
    let base = base_of(lines);
    let mut starts: Vec<usize> =
        (0..lines.len()).filter(|&index| is_head(lines, index, base)).collect();
    let has_head = starts.first().is_some_and(|&first| {
        lines.get(..first).unwrap_or_default().iter().all(DescribeLine::is_blank)
    });
    if !has_head {
        starts.insert(0, 0);
    }
    let mut parts = Vec::new();
    for (number, &start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied();
        let range = trim_blank(lines, start..end.unwrap_or(lines.len()));
        if range.is_empty() {
            continue;
        }
        let own = lines.get(range.clone()).unwrap_or_default();
        let has_head = (number > 0 || has_head) && is_head(lines, range.start, base_of(own));
        parts.push(ObjectLines {
            base: base_of(own),
            has_head,
            followed: end.is_some(),
            lines: range,
        });
    }
    parts
}

fn trim_blank(lines: &[DescribeLine<'_>], range: Range<usize>) -> Range<usize> {
    let own = lines.get(range.clone()).unwrap_or_default();
    let first = own.iter().position(|line| !line.is_blank()).unwrap_or(own.len());
    let last = own.iter().rposition(|line| !line.is_blank()).map_or(first, |last| last + 1);
    range.start + first..range.start + last
}

/// Returns the column of the leftmost label.
fn base_of(lines: &[DescribeLine<'_>]) -> usize {
    let labelled = lines.iter().filter(|line| line.label.is_some_and(|l| l.pad != Pad::Narrow));
    labelled.map(|line| line.indent).min().unwrap_or(0)
}

/// Says whether an object begins at a line: its name, and below it what only a header has.
fn is_head(lines: &[DescribeLine<'_>], index: usize, base: usize) -> bool {
    let mut below = lines.iter().skip(index);
    let Some(line) = below.next() else { return false };
    if line.indent != base || line.label_text() != Some("Name") || line.value().is_empty() {
        return false;
    }
    for _ in 0..2 {
        let Some(next) = below.next() else { return false };
        if next.indent != base {
            return false;
        }
        let label = next.label_text().unwrap_or_default();
        let is_known = BELOW_NAME.contains(&label) || is_budget_label(label);
        if is_known || is_quota_head(next) || next.after_cut {
            return true;
        }
        if label != "Namespace" {
            return false;
        }
    }
    // Name, namespace and one more line, which is none of the above.
    false
}

/// Says whether a line is the head of a quota's table, which stands right below its name.
pub(super) fn is_quota_head(line: &DescribeLine<'_>) -> bool {
    line.content().split_whitespace().eq(["Resource", "Used", "Hard"])
}

/// Finds the events of an object: the last such line at its left margin.
///
/// The last, because the text of a value may hold one too.
pub(super) fn find_events(lines: &[DescribeLine<'_>], base: usize) -> Option<usize> {
    let is_events = |line: &DescribeLine<'_>| {
        line.indent == base
            && line.label_text() == Some("Events")
            && (line.value().is_empty() || line.value() == "<none>")
    };
    lines.iter().rposition(is_events)
}

/// Says whether an object was printed by the describer of custom resources.
///
/// Where its telling lines were cut, `Spec:` and `Status:` are left, which never have a value there. Of the others only a
/// budget of disruptions has a `Status:` like that.
pub(super) fn is_generic(lines: &[DescribeLine<'_>], base: usize) -> bool {
    let at_margin = || lines.iter().filter(|line| line.indent == base);
    let is_budget = || at_margin().any(|line| line.label_text().is_some_and(is_budget_label));
    at_margin().any(|line| match line.label_text() {
        Some("API Version" | "Metadata") => true,
        Some("Spec" | "Status") => line.value().is_empty() && !is_budget(),
        _ => false,
    })
}

/// Says whether a label is one by which the describer of a PodDisruptionBudget is known: one of the two is always there.
pub(super) fn is_budget_label(label: &str) -> bool {
    matches!(label, "Min available" | "Max unavailable")
}

/// Says whether the indentation is kubectl's: two blanks deeper below most labels without a value.
///
/// Some such labels have nothing below them, and text of values may look like labels.
pub(super) fn is_indented(lines: &[DescribeLine<'_>]) -> bool {
    let (mut printed, mut level, mut odd) = (0, 0, 0);
    let shown: Vec<&DescribeLine<'_>> = lines.iter().filter(|line| !line.is_blank()).collect();
    for pair in shown.windows(2) {
        let [line, next] = pair else { continue };
        if line.label.is_none_or(|label| label.pad != Pad::None) || next.indent < line.indent {
            continue;
        }
        match next.indent - line.indent {
            0 => level += 1,
            2 => printed += 1,
            _ => odd += 1,
        }
    }
    printed >= level && printed >= 4 * odd
}
