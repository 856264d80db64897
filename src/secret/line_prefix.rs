//! What stands before the text of every line: the number of the line, the sign of a comparison.

/// What the lines around a sign of a Secret begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinePrefix {
    /// Nothing.
    None,
    /// Its number, as `cat -n`, `grep -n` and editors write it.
    Number,
    /// A sign of a comparison: kept, lost, new.
    Change,
}

impl LinePrefix {
    /// Finds the margins that a line may have; `compared` says whether its text is a comparison.
    pub(super) fn of(line: &[u8], compared: bool) -> impl Iterator<Item = Self> {
        let candidates = [
            (compared && line.first().is_some_and(|first| b" +-".contains(first)), Self::Change),
            (true, Self::None),
            (width_of_number(line) > 0, Self::Number),
        ];
        candidates.into_iter().filter(|(fits, _)| *fits).map(|(_, margin)| margin)
    }

    /// Returns how many bytes of a line are its margin.
    pub(super) fn width(self, line: &[u8]) -> usize {
        match self {
            Self::None => 0,
            Self::Number => width_of_number(line),
            Self::Change => usize::from(line.first().is_some_and(|first| b" +-".contains(first))),
        }
    }
}

/// Says whether a text is a comparison of files.
pub(super) fn is_comparison(text: &str) -> bool {
    let hunk = "@@ -";
    text.starts_with(hunk) || memchr::memmem::find(text.as_bytes(), b"\n@@ -").is_some()
}

/// Returns how many bytes the number of a line takes, with what divides it from the text; 0 if there is none.
fn width_of_number(line: &[u8]) -> usize {
    let blanks = line.iter().take_while(|byte| **byte == b' ').count();
    let rest = line.get(blanks..).unwrap_or_default();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let behind = rest.get(digits..).unwrap_or_default();
    match (digits, behind.first()) {
        (0, _) | (_, Some(b'a'..=b'z' | b'A'..=b'Z')) => 0,
        (_, Some(b':' | b'|' | b'-' | b'\t' | b')')) => blanks + digits + 1,
        _ => blanks + digits,
    }
}
