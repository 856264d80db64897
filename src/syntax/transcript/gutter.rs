//! Line numbers that a viewer, `nl` or `cat -n` put before every line.
//!
//! They count as such only where every line has the next number and the same sign behind it, so that no text of an
//! object is ever taken for one.

use std::ops::Range;

/// What stands between a number and the text.
const SIGNS: [&str; 6] = ["\t", " │ ", " | ", ": ", "  ", " "];

/// The fewest lines that can show a gutter.
const FEWEST: usize = 4;

/// Returns the ranges of the lines behind their numbers, line breaks included; none if there is no gutter.
pub(super) fn behind_numbers(text: &str) -> Option<Vec<Range<usize>>> {
    let first = text.lines().next()?;
    let (start, rest) = number(first)?;
    let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign) || rest == sign.trim_end())?;
    let mut ranges = Vec::new();
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let end = at + line.len();
        let (found, rest) = number(line)?;
        if found != start.checked_add(u64::try_from(index).ok()?)? {
            return None;
        }
        // An empty line may have lost the blanks behind its number.
        let bare = rest.trim_end_matches(['\n', '\r']);
        let own = match rest.strip_prefix(sign) {
            Some(own) => own,
            None if bare.trim().is_empty() || bare == sign.trim_end() => {
                rest.get(bare.len()..).unwrap_or_default()
            }
            None => return None,
        };
        ranges.push(end - own.len()..end);
        at = end;
    }
    (ranges.len() >= FEWEST).then_some(ranges)
}

/// Splits the number at the start of a line from what follows.
fn number(line: &str) -> Option<(u64, &str)> {
    let digits = line.trim_start_matches(' ');
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let (number, rest) = digits.split_at_checked(end)?;
    Some((number.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::behind_numbers;

    fn stripped(text: &str) -> Option<String> {
        let ranges = behind_numbers(text)?;
        Some(ranges.into_iter().filter_map(|range| text.get(range)).collect())
    }

    #[test]
    fn numbers_of_a_viewer_go() {
        let text = "    1  kind: Pod\n    2  metadata:\n    3\n    4    name: web\n";
        assert_eq!(stripped(text).as_deref(), Some("kind: Pod\nmetadata:\n\n  name: web\n"));
        let text = " 9\ta\n10\tb\n11\t\n12\tc";
        assert_eq!(stripped(text).as_deref(), Some("a\nb\n\nc"));
    }

    #[test]
    fn numbers_of_the_text_itself_stay() {
        assert_eq!(stripped("1  a\n2  b\n4  c\n5  d\n"), None);
        assert_eq!(stripped("1  a\n2  b\nc\n4  d\n"), None);
        assert_eq!(stripped("1  a\n2  b\n"), None);
        assert_eq!(stripped("a\nb\nc\nd\n"), None);
    }
}
