//! A kept record, and what it says once it is opened.
//!
//! [`Record`] is small and refers to lines by range; [`Record::open`] undoes transport and quoting
//! and gives message and pairs, each with its place in the text. What a pair means is left to the
//! message catalogue.

use std::borrow::Cow;
use std::ops::Range;

use smol_str::SmolStr;

use super::GroupId;
use super::line_head::{LineHead, LogFormat, RecordHead, RecordLevel, find_head};
use super::record_text::JoinedText;
use super::time::When;
use super::{json, quote, zap};
use crate::syntax::klog::{self, PairForm};

/// A record of a log, by its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its lines: runs of whole lines, without the last line break. More than one where lines of
    /// other records stand between them.
    pub parts: Vec<Range<u32>>,
    /// The number of its first line in the file, from one.
    pub line: u32,
    /// What it was kept as.
    pub template: GroupId,
    /// How it is written.
    pub form: LogFormat,
    /// Its level, where the format has one.
    pub level: Option<RecordLevel>,
    /// Its time, as it stands there.
    pub when: When,
    /// Who wrote it: a place in [`LogScan::writers`](super::LogScan::writers).
    pub writer: Option<u16>,
    /// Whether it had more lines than were kept.
    pub is_cut: bool,
}

impl Record {
    /// Returns the range from its first to its last byte, lines of others included.
    pub fn range(&self) -> Range<u32> {
        let start = self.parts.first().map_or(0, |part| part.start);
        start..self.parts.last().map_or(start, |part| part.end)
    }

    /// Returns the range of its first run of lines.
    pub fn first_part(&self) -> Range<u32> {
        self.parts.first().cloned().unwrap_or(0..0)
    }

    /// Reads the record; `text` is what its ranges count in.
    pub fn open<'t>(&self, text: &'t str) -> RecordText<'t> {
        let logical = JoinedText::new(text, &self.parts);
        let head = find_head(logical.first_line());
        RecordText { logical, head }
    }
}

/// A record that is being read.
#[derive(Clone, Debug)]
pub struct RecordText<'t> {
    logical: JoinedText<'t>,
    /// `None` only if the text is not the one that the record was found in.
    head: Option<LineHead>,
}

impl RecordText<'_> {
    /// Returns level, caller and message.
    pub fn head(&self) -> Option<RecordHead<'_>> {
        let head = self.head.as_ref()?;
        Some(RecordHead { line: self.logical.first_line(), head })
    }

    /// Returns the message, unquoted; of unstructured klog text the first line.
    pub fn message(&self) -> Cow<'_, str> {
        self.head().map(|head| head.message()).unwrap_or_default()
    }

    /// Returns where the message stands, without its quotes.
    pub fn message_range(&self) -> Range<u32> {
        self.locate(|head| head.message.clone())
    }

    /// Returns where the caller (`file.go:12`) stands; empty if there is none.
    pub fn caller_range(&self) -> Range<u32> {
        self.locate(|head| {
            let line = head.line.checked_ilog10().map_or(0, |log| log as usize + 2);
            head.file.start..head.file.end + line
        })
    }

    fn locate(&self, range: impl Fn(&LineHead) -> Range<usize>) -> Range<u32> {
        let range = self.head.as_ref().map_or(0..0, range);
        self.logical.locate(range)
    }

    /// Returns the whole text without its transport, lines joined with `\n`.
    pub fn text(&self) -> &str {
        self.logical.text()
    }

    /// Returns where a range of [`Self::text`] stands.
    pub fn locate_text(&self, range: Range<usize>) -> Range<u32> {
        self.logical.locate(range)
    }

    /// Returns the timestamp that the transport put in front of the first line, as written.
    pub fn stamp(&self) -> Option<&str> {
        self.logical.stamp()
    }

    /// Reads all pairs in order.
    pub fn fields(&self) -> Vec<RecordField<'_>> {
        let Some(head) = &self.head else { return Vec::new() };
        let text = self.logical.text();
        match head.form {
            LogFormat::Klog | LogFormat::Bare => {
                let fields = klog::parse_pairs(text, head.rest).into_iter();
                fields.map(|field| self.field_at(field.key, field.value, field.written)).collect()
            }
            LogFormat::Zap | LogFormat::Json => {
                let line = self.logical.first_line();
                let object = json::object(line, head.rest).unwrap_or_default();
                let is_json = head.form == LogFormat::Json;
                let pairs = if is_json { zap::own_pairs(object, line) } else { object.pairs };
                let written = |value: &Range<usize>| match line.as_bytes().get(value.start) {
                    Some(b'"') => PairForm::Quoted,
                    _ => PairForm::Raw,
                };
                let pairs = pairs.into_iter();
                pairs.map(|p| self.field_at(p.key, p.value.clone(), written(&p.value))).collect()
            }
        }
    }

    /// Reads the first pair with this key.
    pub fn field(&self, key: &str) -> Option<RecordField<'_>> {
        self.fields().into_iter().find(|field| field.key == key)
    }

    fn field_at(
        &self,
        key: Range<usize>,
        value: Range<usize>,
        written: PairForm,
    ) -> RecordField<'_> {
        let text = self.logical.text();
        let slice = |range: Range<usize>| text.get(range).unwrap_or_default();
        let raw = slice(value.clone());
        RecordField {
            key: slice(key.clone()),
            value: match written {
                PairForm::Quoted => {
                    FieldValue::Text(quote::unquote(slice(value.start + 1..value.end - 1)))
                }
                PairForm::Lines => FieldValue::Text(Cow::Owned(unmark(raw))),
                PairForm::Raw => FieldValue::Raw(raw),
                PairForm::Cut => FieldValue::Cut(raw),
            },
            key_range: self.logical.locate(key),
            range: self.logical.locate(value),
        }
    }
}

/// Takes `<`, ` >` and one tab of each line off a value over several lines.
fn unmark(raw: &str) -> String {
    let inside = raw.strip_prefix("<\n").and_then(|raw| raw.strip_suffix("\n >"));
    let lines = inside.unwrap_or_default().split('\n');
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix('\t').unwrap_or(line)).collect();
    lines.join("\n")
}

/// A pair of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordField<'r> {
    /// The key; it may hold blanks.
    pub key: &'r str,
    /// The value.
    pub value: FieldValue<'r>,
    /// Where the key stands.
    pub key_range: Range<u32>,
    /// Where the value stands, quotes included.
    pub range: Range<u32>,
}

/// The value of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue<'r> {
    /// Text, with quotes, escapes and line marks undone.
    Text(Cow<'r, str>),
    /// A number, a truth value, `null`, or a structure as JSON: as written.
    Raw(&'r str),
    /// What is left of a value inside of which the text ends.
    Cut(&'r str),
}

impl FieldValue<'_> {
    /// Returns the value as text: unquoted, or as written.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Raw(raw) | Self::Cut(raw) => raw,
        }
    }

    /// Returns the object that the value names: `name`, `/name`, `namespace/name`, or as JSON.
    ///
    /// A cluster-scoped object is written with and without the slash, by the type of the value.
    pub fn as_object(&self) -> Option<ObjectName> {
        match self {
            Self::Text(text) => {
                // Names are short: a search that has to be set up first takes longer.
                let slash = text.bytes().position(|byte| byte == b'/');
                let (namespace, name) = slash
                    .and_then(|at| Some((text.get(..at)?, text.get(at + 1..)?)))
                    .unwrap_or(("", text));
                (!name.is_empty())
                    .then(|| ObjectName { namespace: namespace.into(), name: name.into() })
            }
            Self::Raw(raw) => {
                let object = json::object(raw, 0)?;
                let string = |key: &str| {
                    let value = object.get(raw, key)?.strip_prefix('"')?.strip_suffix('"')?;
                    Some(quote::unquote(value)).filter(|value| !value.is_empty())
                };
                let namespace = string("namespace").unwrap_or_default().into();
                Some(ObjectName { namespace, name: string("name")?.into() })
            }
            Self::Cut(_) => None,
        }
    }

    /// Returns the kind of the object, where the value is a structure that tells it.
    pub fn as_kind(&self) -> Option<&str> {
        let Self::Raw(raw) = self else { return None };
        json::object(raw, 0)?.get(raw, "kind")?.strip_prefix('"')?.strip_suffix('"')
    }
}

/// The name of an object as logs write it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectName {
    /// The namespace; empty for a cluster-scoped object.
    pub namespace: SmolStr,
    /// The name.
    pub name: SmolStr,
}

#[cfg(test)]
mod tests;
