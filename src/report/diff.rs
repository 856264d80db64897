//! What would change in a file, as a unified diff that `patch` and `git apply` take.
//!
//! Lines are compared by their longest common row within what differs at all. The text is not cleaned, since
//! a diff is to be applied; who shows it on a terminal cleans it with [`shown`].

use std::fmt::Write as _;

use super::snippet::clean;

/// How many unchanged lines stand around a change.
const CONTEXT: usize = 3;

/// Where more lines than this, old times new, lie between the first and the last change, all of them
/// are shown as one block.
const LARGEST_TABLE: usize = 4_000_000;

/// A run of lines that go and of lines that come, by line index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    old: (usize, usize),
    new: (usize, usize),
}

/// Renders the difference between two texts of a file; empty if there is none.
pub fn unified(path: &str, old: &str, new: &str) -> String {
    let (left, right): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let mut out = String::new();
    let mut blocks = blocks(&left, &right).into_iter().peekable();
    if blocks.peek().is_some() {
        // What stands behind `a/` has to be a plain path within the folder that it is applied in.
        let parts = path.split('/').filter(|part| !part.is_empty() && *part != ".");
        let path = clean(&parts.collect::<Vec<_>>().join("/"));
        let _ = writeln!(out, "--- a/{path}\n+++ b/{path}");
    }
    while let Some(first) = blocks.next() {
        let mut hunk = vec![first];
        let mut end = first.old.1;
        while let Some(next) = blocks.next_if(|next| next.old.0 - end <= 2 * CONTEXT) {
            end = next.old.1;
            hunk.push(next);
        }
        write_hunk(&mut out, &hunk, &left, &right);
    }
    out
}

/// Makes a diff fit for a terminal.
pub fn shown(diff: &str) -> String {
    diff.lines().map(|line| format!("{}\n", clean(line.trim_end_matches('\r')))).collect()
}

fn write_hunk(out: &mut String, hunk: &[Block], left: &[&str], right: &[&str]) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return };
    let lead = first.old.0.min(CONTEXT);
    let trail = (left.len() - last.old.1).min(CONTEXT);
    let (from, to) = (first.old.0 - lead, last.old.1 + trail);
    let (start, stop) = (first.new.0 - lead, last.new.1 + trail);
    let _ = writeln!(out, "@@ -{} +{} @@", range(from, to), range(start, stop));
    let mut at = from;
    for block in hunk {
        lines(out, ' ', left.get(at..block.old.0));
        lines(out, '-', left.get(block.old.0..block.old.1));
        lines(out, '+', right.get(block.new.0..block.new.1));
        at = block.old.1;
    }
    lines(out, ' ', left.get(at..to));
}

/// Writes a range as the head of a hunk does: a range of no lines stands behind a line.
fn range(from: usize, to: usize) -> String {
    match to - from {
        0 => format!("{from},0"),
        1 => format!("{}", from + 1),
        count => format!("{},{count}", from + 1),
    }
}

fn lines(out: &mut String, sign: char, lines: Option<&[&str]>) {
    for line in lines.unwrap_or_default() {
        out.push(sign);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Finds what differs, in order.
fn blocks(left: &[&str], right: &[&str]) -> Vec<Block> {
    let head = left.iter().zip(right).take_while(|(l, r)| l == r).count();
    let rest = left.len().min(right.len()) - head;
    let pairs = left.iter().rev().zip(right.iter().rev());
    let tail = pairs.take(rest).take_while(|(l, r)| l == r).count();
    let (left_end, right_end) = (left.len() - tail, right.len() - tail);
    let inner_left = left.get(head..left_end).unwrap_or_default();
    let inner_right = right.get(head..right_end).unwrap_or_default();
    if inner_left.is_empty() && inner_right.is_empty() {
        return Vec::new();
    }
    let Some(kept) = common(inner_left, inner_right) else {
        return vec![Block { old: (head, left_end), new: (head, right_end) }];
    };
    let mut blocks = Vec::new();
    let (mut old, mut new) = (head, head);
    let ends = kept.into_iter().map(|(l, r)| (l + head, r + head));
    for (l, r) in ends.chain([(left_end, right_end)]) {
        if (l, r) != (old, new) {
            blocks.push(Block { old: (old, l), new: (new, r) });
        }
        (old, new) = (l + 1, r + 1);
    }
    blocks
}

/// Finds the longest row of line pairs that stay, or nothing if the table would be too large.
fn common(left: &[&str], right: &[&str]) -> Option<Vec<(usize, usize)>> {
    let width = right.len() + 1;
    if left.len().saturating_mul(width) > LARGEST_TABLE {
        return None;
    }
    // How many pairs are left behind each pair of positions.
    let mut table = vec![0_u32; (left.len() + 1) * width];
    let cell = |table: &[u32], l: usize, r: usize| table.get(l * width + r).copied().unwrap_or(0);
    for (l, line) in left.iter().enumerate().rev() {
        for (r, other) in right.iter().enumerate().rev() {
            let best = if line == other {
                cell(&table, l + 1, r + 1) + 1
            } else {
                cell(&table, l + 1, r).max(cell(&table, l, r + 1))
            };
            *table.get_mut(l * width + r)? = best;
        }
    }
    let (mut l, mut r) = (0, 0);
    let mut kept = Vec::new();
    while let (Some(line), Some(other)) = (left.get(l), right.get(r)) {
        if line == other {
            kept.push((l, r));
            (l, r) = (l + 1, r + 1);
        } else if cell(&table, l + 1, r) >= cell(&table, l, r + 1) {
            l += 1;
        } else {
            r += 1;
        }
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_changes_are_hunks_of_their_own() {
        let old: String = (0..20).map(|n| format!("{n}\n")).collect();
        let new = old.replace("\n2\n", "\ntwo\n").replace("17\n", "") + "end";
        assert_eq!(
            unified("a.yaml", &old, &new),
            "--- a/a.yaml\n+++ b/a.yaml\n@@ -1,6 +1,6 @@\n 0\n 1\n-2\n+two\n 3\n 4\n 5\n\
             @@ -15,6 +15,6 @@\n 14\n 15\n 16\n-17\n 18\n 19\n+end\n\\ No newline at end of file\n"
        );
        assert_eq!(unified("a.yaml", &old, &old), "");
        assert_eq!(unified("./a", "", "x\n"), "--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+x\n");
    }

    #[test]
    fn a_terminal_gets_no_escapes() {
        assert_eq!(shown("+a\u{1b}[31m\r\n"), "+a␛[31m\n");
    }
}
