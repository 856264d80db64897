//! Whether a JSON value can be read without any trouble, found out without reading it.
//!
//! Owns the strict walk over a value of which nothing is kept. What is doubtful is not sound: the full reader decides.
//! Invariant: the full reader reads a sound value to the same end, and reports nothing.

use super::lexeme::{blanks, number, skip_string, word};
use crate::syntax::tree_builder::are_distinct;

/// Returns where a value ends that begins at a place and is sound; `levels` says how deep it may be nested.
pub(super) fn end_of_sound(text: &str, at: usize, levels: usize) -> Option<usize> {
    let mut walk = Walk { text, at, keys: Vec::new() };
    walk.value(levels)?;
    Some(walk.at)
}

struct Walk<'t> {
    text: &'t str,
    at: usize,
    /// The keys of all open maps.
    keys: Vec<&'t str>,
}

impl<'t> Walk<'t> {
    fn value(&mut self, levels: usize) -> Option<()> {
        match self.peek()? {
            b'{' => self.map(levels.checked_sub(1)?),
            b'[' => self.list(levels.checked_sub(1)?),
            b'"' => self.string().map(|_| ()),
            b'-' | b'0'..=b'9' => self.take(number),
            _ => self.take(word),
        }
    }

    fn map(&mut self, levels: usize) -> Option<()> {
        let base = self.keys.len();
        self.at += 1;
        self.skip_blanks();
        if self.peek()? == b'}' {
            self.at += 1;
            return Some(());
        }
        loop {
            let key = self.string()??;
            self.keys.push(key);
            self.skip_blanks();
            if self.peek()? != b':' {
                return None;
            }
            self.at += 1;
            self.skip_blanks();
            self.value(levels)?;
            if self.ends(b'}')? {
                break;
            }
        }
        let distinct = are_distinct(self.keys.get_mut(base..)?);
        self.keys.truncate(base);
        distinct.then_some(())
    }

    fn list(&mut self, levels: usize) -> Option<()> {
        self.at += 1;
        self.skip_blanks();
        if self.peek()? == b']' {
            self.at += 1;
            return Some(());
        }
        loop {
            self.value(levels)?;
            if self.ends(b']')? {
                return Some(());
            }
        }
    }

    /// Steps over the closing bracket, or over a comma that something follows.
    fn ends(&mut self, bracket: u8) -> Option<bool> {
        self.skip_blanks();
        let next = self.peek()?;
        self.at += 1;
        if next == b',' {
            self.skip_blanks();
        }
        (next == bracket || next == b',').then_some(next == bracket)
    }

    /// Steps over a string, and returns it if it means itself.
    fn string(&mut self) -> Option<Option<&'t str>> {
        let (rest, text) = skip_string(self.rest()?.strip_prefix('"')?).ok()?;
        self.at = self.text.len() - rest.len();
        Some(text)
    }

    fn take<T>(&mut self, read: fn(&'t str) -> nom::IResult<&'t str, T>) -> Option<()> {
        let (rest, _) = read(self.rest()?).ok()?;
        self.at = self.text.len() - rest.len();
        Some(())
    }

    fn rest(&self) -> Option<&'t str> {
        self.text.get(self.at..)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        self.at += blanks(self.rest().unwrap_or_default());
    }
}
