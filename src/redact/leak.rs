//! [`Search`]: looks for the original values in what was rewritten, by ways of its own.
//!
//! The text is searched in lower case, URL-unescaped and out of base64, so that a gap in the rewriting does not open
//! the same gap here.

use aho_corasick::AhoCorasick;
use percent_encoding::percent_decode_str;

use super::spellings::base64_in;

/// What must not be found any more.
#[derive(Debug)]
pub(super) struct Search {
    values: Option<AhoCorasick>,
}

impl Search {
    /// Takes the values that no text may hold.
    pub(super) fn new<'v>(values: impl Iterator<Item = &'v str>) -> Self {
        let mut sought: Vec<String> = values
            .flat_map(|value| [value.to_lowercase(), value.to_lowercase().replace(['.', '@'], "-")])
            .collect();
        sought.sort();
        sought.dedup();
        let values = if sought.is_empty() { None } else { AhoCorasick::new(&sought).ok() };
        Self { values }
    }

    /// Returns the line of the first value that is still there.
    pub(super) fn line(&self, text: &str) -> Option<usize> {
        let values = self.values.as_ref()?;
        let at = self.in_text(text).or_else(|| {
            let mut lines = text.lines().enumerate().filter(|(_, line)| line.contains('%'));
            let escaped = lines.find(|(_, line)| {
                let plain: Vec<u8> = percent_decode_str(line).collect();
                values.is_match(&String::from_utf8_lossy(&plain).to_lowercase())
            });
            escaped.map(|(number, _)| text.lines().take(number).map(|line| line.len() + 1).sum())
        });
        let at = at.or_else(|| {
            let mut hidden = base64_in(text);
            hidden.find(|(_, inner)| self.in_text(inner).is_some()).map(|(at, _)| at)
        })?;
        Some(text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1)
    }

    fn in_text(&self, text: &str) -> Option<usize> {
        // Lower case of ASCII alone keeps the offsets.
        self.values.as_ref()?.find(&text.to_ascii_lowercase()).map(|hit| hit.start())
    }
}
