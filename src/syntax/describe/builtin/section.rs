//! [`DescribeSection`]: a labelled line of a built-in describer and all that stands below it.
//!
//! The built-in describers are hand-written and follow no schema; what they share is that details
//! stand deeper than their title. Owns that outline and the reading of single values from it.

use std::ops::Range;

use jiff::fmt::rfc2822::DateTimeParser;

use crate::syntax::describe::header::string;
use crate::syntax::describe::line::DescribeLine;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Node, Style, Value};
use crate::syntax::tree_builder::scalar;

/// A line and the deeper lines below it.
#[derive(Clone, Copy, Debug)]
pub(super) struct DescribeSection<'a, 't> {
    /// The line itself.
    pub(super) head: &'a DescribeLine<'t>,
    /// The lines below it, blank ones included.
    pub(super) below: &'a [DescribeLine<'t>],
}

/// How the text of a value becomes a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueType {
    /// Text as it stands.
    Text,
    /// The first word: what follows in brackets is a remark of the describer.
    Word,
    /// A whole number, possibly with a unit behind it.
    Int,
    /// `true` or `false`, in any case.
    Bool,
    /// A time in the zone of whoever ran kubectl, turned into the form that the API uses.
    Time,
}

/// Splits lines into sections: one for each line at the smallest indent.
pub(super) fn sections<'a, 't>(lines: &'a [DescribeLine<'t>]) -> Vec<DescribeSection<'a, 't>> {
    let margin = lines.iter().filter(|line| !line.is_blank()).map(|line| line.indent).min();
    let margin = margin.unwrap_or(0);
    let is_head = |line: &DescribeLine<'_>| !line.is_blank() && line.indent == margin;
    let starts: Vec<usize> =
        (0..lines.len()).filter(|&at| lines.get(at).is_some_and(is_head)).collect();
    let mut sections = Vec::new();
    for (number, &start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(lines.len());
        if let Some([head, below @ ..]) = lines.get(start..end) {
            sections.push(DescribeSection { head, below });
        }
    }
    sections
}

impl<'t> DescribeSection<'_, 't> {
    /// Returns the label, or `""` for a line without one.
    pub(super) fn label(&self) -> &'t str {
        self.head.label_text().unwrap_or_default()
    }

    /// Returns the value as a node, unless the describer says that there is none.
    pub(super) fn value(&self, view: &TextView<'_>, form: ValueType) -> Option<Node> {
        let text = self.head.value();
        let absent = matches!(text, "" | "<none>" | "<unset>" | "<nil>" | "<unknown>");
        (!absent).then(|| node(view, self.head.value_range(), form)).flatten()
    }
}

/// Makes a node of a range of the clean text; `None` if the text is not of that form.
pub(super) fn node(view: &TextView<'_>, range: Range<usize>, form: ValueType) -> Option<Node> {
    let text = view.text().get(range.clone()).unwrap_or_default();
    let word = text.split(' ').next().unwrap_or_default();
    let word_range = range.start..range.start + word.len();
    match form {
        ValueType::Text => Some(string(view, range)),
        ValueType::Word => Some(string(view, word_range)),
        ValueType::Int => {
            let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            let number = digits.parse().ok()?;
            Some(scalar(view, range.start..range.start + digits.len(), Value::Int(number)))
        }
        ValueType::Bool => {
            let truth = word.to_ascii_lowercase().parse().ok()?;
            Some(scalar(view, word_range, Value::Bool(truth)))
        }
        ValueType::Time => time(view, range),
    }
}

/// Reads `Sun, 15 Nov 2026 22:44:08 +0000`, which the API writes as `2026-11-15T22:44:08Z`.
fn time(view: &TextView<'_>, range: Range<usize>) -> Option<Node> {
    let text = view.text().get(range.clone())?;
    let stamp = DateTimeParser::new().parse_timestamp(text.trim()).ok()?;
    let mut node = Node::new(view.span(range), Value::String(stamp.to_string().into()));
    node.style = Style::Encoded;
    Some(node)
}
