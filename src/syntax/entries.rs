//! The entries of a map: read, or text that is read when somebody asks for them.
//!
//! Most of a dump is objects that are in order, of which a few fields are looked at. Their large parts are checked when
//! they are met, and stay text. Whoever asks for an entry gets it, as if it had been read at once.
//! Invariant: a text that is kept unread is known to be sound, so that reading it later cannot fail.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, OnceLock};

use super::tree::{Entry, Node, Value};
use crate::source::SourceId;

/// The entries of a map, in file order.
#[derive(Clone, Default)]
pub struct Entries(Held);

#[derive(Clone)]
enum Held {
    Read(Vec<Entry>),
    Unread(Box<Unread>),
}

impl Default for Held {
    fn default() -> Self {
        Self::Read(Vec::new())
    }
}

#[derive(Clone)]
struct Unread {
    text: MapText,
    entries: OnceLock<Vec<Entry>>,
}

/// The text of a map, with all that is needed to read it.
#[derive(Clone)]
pub(super) struct MapText {
    /// The text of the whole file.
    pub(super) text: Arc<String>,
    /// The file.
    pub(super) source: SourceId,
    /// The lines or brackets of the map.
    pub(super) range: Range<u32>,
    /// What reads it, or those entries of it whose keys are given.
    pub(super) reader: fn(&Self, Option<&[&str]>) -> Vec<Entry>,
}

impl Entries {
    /// Keeps the entries of a map as text that is known to be sound.
    pub(super) fn unread(text: MapText) -> Self {
        Self(Held::Unread(Box::new(Unread { text, entries: OnceLock::new() })))
    }

    /// Says whether there is none; a map of none is never kept as text.
    pub fn is_empty(&self) -> bool {
        matches!(&self.0, Held::Read(entries) if entries.is_empty())
    }

    fn read(&self) -> &Vec<Entry> {
        match &self.0 {
            Held::Read(entries) => entries,
            Held::Unread(unread) => {
                unread.entries.get_or_init(|| (unread.text.reader)(&unread.text, None))
            }
        }
    }

    fn into_read(self) -> Vec<Entry> {
        match self.0 {
            Held::Read(entries) => entries,
            Held::Unread(unread) => {
                let Unread { text, entries } = *unread;
                entries.into_inner().unwrap_or_else(|| (text.reader)(&text, None))
            }
        }
    }

    /// Returns the text of a map that nobody has read so far.
    pub(super) fn as_unread(&self) -> Option<&str> {
        let Held::Unread(unread) = &self.0 else { return None };
        let MapText { text, range, .. } = &unread.text;
        let lines = text.get(range.start as usize..range.end as usize);
        lines.filter(|_| unread.entries.get().is_none())
    }
}

impl Node {
    /// Returns the text of a map that nobody has read so far.
    pub fn unread_text(&self) -> Option<&str> {
        if let Value::Map(entries) = &self.value { entries.as_unread() } else { None }
    }

    /// Returns the node with some entries of its map read, for once: they are not kept where they were not read before.
    pub fn opened(&self, keys: &[&str]) -> Cow<'_, Self> {
        self.open(Some(keys))
    }

    /// Returns the node with all entries of its map read, for once, as [`opened`](Self::opened) does.
    pub fn opened_whole(&self) -> Cow<'_, Self> {
        self.open(None)
    }

    fn open(&self, keys: Option<&[&str]>) -> Cow<'_, Self> {
        match &self.value {
            Value::Map(Entries(Held::Unread(unread))) if unread.entries.get().is_none() => {
                let entries = (unread.text.reader)(&unread.text, keys);
                let (value, way) = (Value::Map(entries.into()), self.way.clone());
                Cow::Owned(Self { value, way, ..self.clone_shell() })
            }
            _ => Cow::Borrowed(self),
        }
    }
}

impl Deref for Entries {
    type Target = Vec<Entry>;

    fn deref(&self) -> &Vec<Entry> {
        self.read()
    }
}

impl DerefMut for Entries {
    fn deref_mut(&mut self) -> &mut Vec<Entry> {
        if let Held::Unread(_) = self.0 {
            self.0 = Held::Read(std::mem::take(self).into_read());
        }
        match &mut self.0 {
            Held::Read(entries) => entries,
            Held::Unread(_) => unreachable!("it was read above"),
        }
    }
}

impl From<Vec<Entry>> for Entries {
    fn from(entries: Vec<Entry>) -> Self {
        Self(Held::Read(entries))
    }
}

impl FromIterator<Entry> for Entries {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        entries.into_iter().collect::<Vec<_>>().into()
    }
}

impl IntoIterator for Entries {
    type Item = Entry;
    type IntoIter = std::vec::IntoIter<Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_read().into_iter()
    }
}

impl<'e> IntoIterator for &'e Entries {
    type Item = &'e Entry;
    type IntoIter = std::slice::Iter<'e, Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.read().iter()
    }
}

impl<'e> IntoIterator for &'e mut Entries {
    type Item = &'e mut Entry;
    type IntoIter = std::slice::IterMut<'e, Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl PartialEq for Entries {
    fn eq(&self, other: &Self) -> bool {
        self.read() == other.read()
    }
}

impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.read().fmt(f)
    }
}
