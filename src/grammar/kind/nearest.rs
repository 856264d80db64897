//! The nearest kind to a misspelt name.
//!
//! Owns the edit distance and how far a guess may go. Deterministic: two equally near kinds give
//! no answer rather than the first.

use super::{KindSpec, all_kinds};

/// The longest name that is compared; kinds have 40 letters at most.
const LONGEST: usize = 64;

/// Finds the one kind whose name is nearest to a misspelt one.
///
/// Upper and lower case count as equal. A slip is an inserted, lost, changed or swapped letter: two
/// are forgiven, fewer in short names (one from four letters on), since `Nod` and `Pod` are not alike.
pub fn nearest_kind(misspelt: &str) -> Option<&'static KindSpec> {
    let wanted = misspelt.trim().to_ascii_lowercase();
    if wanted.len() > LONGEST {
        return None;
    }
    let limit = (wanted.len() / 4).min(2);
    let mut best: Option<(usize, &KindSpec)> = None;
    let mut tie = false;
    for spec in all_kinds() {
        if spec.name.len().abs_diff(wanted.len()) > limit {
            continue;
        }
        let distance = slips(wanted.as_bytes(), spec.name.to_ascii_lowercase().as_bytes());
        if distance > limit {
            continue;
        }
        match best {
            Some((least, _)) if distance > least => {}
            Some((least, _)) if distance == least => tie = true,
            _ => (best, tie) = (Some((distance, spec)), false),
        }
    }
    best.filter(|_| !tie).map(|(_, spec)| spec)
}

/// Counts the slips between two words: Levenshtein's distance, with a swap of neighbours as one.
pub fn slips(left: &[u8], right: &[u8]) -> usize {
    let mut before = vec![0; right.len() + 1];
    let mut last: Vec<usize> = (0..=right.len()).collect();
    let mut row = vec![0; right.len() + 1];
    for (i, a) in left.iter().enumerate() {
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let changed = last[j] + usize::from(a != b);
            row[j + 1] = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == right[j - 1] && left[i - 1] == *b {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
        (before, last, row) = (last, row, before);
    }
    last[right.len()]
}
