//! Alignment: the column at which kubectl starts the values of neighbouring lines.
//!
//! kubectl prints through Go's tabwriter: in a run of consecutive lines that carry a tab, all values
//! start at one column, two behind the longest label, at whatever indent. Owns the one use that needs
//! whole runs: a value's own leading blanks, which otherwise run into the padding.
//! Only for text as printed; edited text keeps its labels but not its columns.

use super::line::{DescribeLine, columns};

/// Blanks between the longest label of a run and the values.
const PADDING: usize = 2;

/// Gives values back the blanks they begin with, in every run whose columns are all as printed.
pub(super) fn restore_leading_blanks(lines: &mut [DescribeLine<'_>]) {
    let mut rest = lines;
    while !rest.is_empty() {
        let length = rest.iter().take_while(|line| line.is_tabbed()).count();
        let (run, after) = rest.split_at_mut(length.max(1));
        if length > 0 {
            restore_in_run(run);
        }
        rest = after;
    }
}

fn restore_in_run(run: &mut [DescribeLine<'_>]) {
    let label_end = |line: &DescribeLine<'_>| {
        let colon = line.label.map_or(0, |label| label.colon);
        line.text.get(..=colon).map_or(0, columns)
    };
    let column = run.iter().map(label_end).max().unwrap_or_default() + PADDING;
    // Where no value stands right at the column, the line with the longest label was taken out.
    let starts = || run.iter().map(|line| line.value_column().unwrap_or_default());
    if starts().min() != Some(column) {
        return;
    }
    for line in run {
        let Some(label) = &mut line.label else { continue };
        let surplus = line.text.get(..label.value).map_or(0, columns) - column;
        // The surplus is blanks of one byte each, or the line is left as it is.
        let start = label.value.saturating_sub(surplus);
        if line.text.get(start..label.value).is_some_and(|blanks| blanks.bytes().all(|b| b == b' '))
        {
            label.value = start;
        }
    }
}
