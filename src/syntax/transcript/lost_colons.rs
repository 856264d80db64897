//! Describe text without colons, as screenshots turned into text have it.
//!
//! Owns telling such lines from prose and putting the colons back, so that the describer's own parser reads them.
//! Invariant: a text without a block of such lines stays as it is.

use std::collections::BTreeSet;

use super::field_name::is_known_label;
use crate::syntax::text_view::TextView;

/// How many different known labels make a block.
const LABELS: usize = 3;

/// Puts the colons back behind the labels of blocks that have lost them.
pub(crate) fn restore_colons(base: TextView<'_>) -> TextView<'_> {
    let text = base.text();
    let mut ends: Vec<usize> = Vec::new();
    let mut block = Block::default();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_end();
        match label_end(body) {
            // What ends the text has no room behind it.
            Some(end) if at + end < text.len() => {
                block.add(body.get(..end).unwrap_or_default(), at + end)
            }
            None if body.is_empty() && !block.ends.is_empty() => {}
            _ => ends.append(&mut block.finish()),
        }
        at += line.len();
    }
    ends.append(&mut block.finish());
    if ends.is_empty() {
        return base;
    }
    let mut view = TextView::empty(base.source());
    let mut from = 0;
    for end in ends {
        view.append(&base, from..end);
        view.push_as(base.span(end..end), ":");
        from = end;
    }
    view.append(&base, from..base.text().len());
    view
}

/// Lines under each other that may be labels with their values.
#[derive(Default)]
struct Block<'t> {
    ends: Vec<usize>,
    known: BTreeSet<&'t str>,
}

impl<'t> Block<'t> {
    fn add(&mut self, label: &'t str, end: usize) {
        let label = label.trim();
        if is_known_label(label) {
            self.known.insert(label);
        } else if self.ends.is_empty() {
            return;
        }
        self.ends.push(end);
    }

    /// Returns where the colons of a finished block belong; half of its labels have to be known ones.
    fn finish(&mut self) -> Vec<usize> {
        let (ends, known) = (std::mem::take(&mut self.ends), std::mem::take(&mut self.known));
        let counts = known.len() >= LABELS && known.len() * 2 >= ends.len();
        if counts { ends } else { Vec::new() }
    }
}

/// Returns where the label of a line ends, if it is one without a colon: words, then two blanks or nothing.
fn label_end(line: &str) -> Option<usize> {
    // Marks of a quote stand before the indentation.
    let start = line.len() - line.trim_start_matches(['>', ' ', '\t']).len();
    let body = line.get(start..)?;
    let end = body.find("  ").unwrap_or(body.len());
    let label = body.get(..end)?;
    let plain = label.chars().all(|at| at.is_ascii_alphanumeric() || at == ' ');
    let title = label.starts_with(|at: char| at.is_ascii_uppercase())
        && label.contains(|at: char| at.is_ascii_lowercase());
    let padded = end < body.len();
    let is_label = plain && title && label.len() <= 40 && (padded || is_known_label(label));
    is_label.then_some(start + end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Encoding, Origin, Sources};

    fn restored(text: &str) -> String {
        let mut sources = Sources::default();
        let id = sources.add("t", Origin::default(), Encoding::Utf8, text);
        let source = sources.get(id);
        let view = TextView::whole(source, source.span());
        restore_colons(view).text().to_owned()
    }

    #[test]
    fn blocks_of_labels_get_their_colons_back() {
        let text = "see:\n  Failed Placements\n    Condition\n      Message  x y\n      Status   False\n    Kind       Job\n";
        let want = "see:\n  Failed Placements:\n    Condition:\n      Message:  x y\n      Status:   False\n    Kind:       Job\n";
        assert_eq!(restored(text), want);
    }

    #[test]
    fn tables_and_prose_stay() {
        for text in [
            "NAME   STATUS   AGE\nweb    Ready    3m\n",
            "Events:\n  Type     Reason   Age\n  Warning  Failed   3m\n  Normal   Pulled   3m\n",
            "Message\nfrom Ann\nStatus\nopen\n",
        ] {
            assert_eq!(restored(text), text);
        }
    }
}
