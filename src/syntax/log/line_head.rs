//! What stands at the front of a record: level, time, caller, message.
//!
//! [`LineHead`] is found for every record of a log and holds only offsets; [`RecordHead`] is the look at it
//! that decides whether the record is kept. Key/value pairs are left to whoever opens the record.

use std::borrow::Cow;
use std::ops::Range;

use jiff::Timestamp;

use super::record::{FieldValue, ObjectName};
use super::time::{Civil, When, parse_stamp};
use super::{json, quote, zap};
use crate::grammar::message::log_template;
use crate::syntax::klog;

/// How serious a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordLevel {
    /// zap `DEBUG`.
    Debug,
    /// klog `I`, zap `INFO`.
    Info,
    /// klog `W`, zap `WARN`.
    Warning,
    /// klog `E`, zap `ERROR`.
    Error,
    /// klog `F`, zap `DPANIC`, `PANIC` and `FATAL`.
    Fatal,
}

impl RecordLevel {
    /// Reads the letter that klog writes.
    pub(crate) fn from_klog(letter: u8) -> Option<Self> {
        match letter {
            b'I' => Some(Self::Info),
            b'W' => Some(Self::Warning),
            b'E' => Some(Self::Error),
            b'F' => Some(Self::Fatal),
            _ => None,
        }
    }

    /// Reads the word that zap writes, in capitals on the console and in small letters in JSON.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        const WORDS: [(&str, RecordLevel); 8] = [
            ("info", RecordLevel::Info),
            ("error", RecordLevel::Error),
            ("debug", RecordLevel::Debug),
            ("warn", RecordLevel::Warning),
            ("warning", RecordLevel::Warning),
            ("dpanic", RecordLevel::Fatal),
            ("panic", RecordLevel::Fatal),
            ("fatal", RecordLevel::Fatal),
        ];
        WORDS.iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|(_, level)| *level)
    }
}

/// The format in which a record was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogFormat {
    /// klog text.
    Klog,
    /// klog text without its head (`-skip_headers`): a quoted message and its pairs.
    Bare,
    /// zap's console encoder, as controller-runtime uses it.
    Zap,
    /// One JSON object per line, of component-base or of zap.
    Json,
}

/// How the message is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessageQuoting {
    /// Bare text to the end of the line.
    Free,
    /// Bare text in front of a tail.
    Plain,
    /// Between quotes, pairs follow.
    Quoted,
}

/// Where a head keeps its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum HeadTime {
    /// Nowhere.
    None,
    /// In a klog head.
    Civil(Civil),
    /// As RFC 3339 text, from the first byte to this one; read only when somebody asks.
    Stamp(usize),
    /// As a number or text of a JSON line.
    Instant(Timestamp),
}

/// The front of a record; offsets count in its first logical line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LineHead {
    pub(crate) form: LogFormat,
    pub(crate) level: Option<RecordLevel>,
    pub(crate) time: HeadTime,
    /// `dir/file.go` or `file.go`; empty when the form has no caller.
    pub(crate) file: Range<usize>,
    pub(crate) line: u32,
    /// zap's logger name; empty when there is none.
    pub(crate) logger: Range<usize>,
    /// The message as written, without quotes.
    pub(crate) message: Range<usize>,
    pub(crate) quoting: MessageQuoting,
    /// Where the pairs start: klog's after the message, the JSON object of the others.
    pub(crate) rest: usize,
}

/// Finds the head of a record at the start of a line that is free of its transport.
pub(crate) fn find_head(line: &str) -> Option<LineHead> {
    match line.as_bytes().first()? {
        b'I' | b'W' | b'E' | b'F' => klog::parse_head(line),
        b'0'..=b'9' => zap::parse_console(line),
        b'{' => zap::parse_json(line),
        b'"' => klog::parse_bare(line),
        _ => None,
    }
}

/// Says whether a line is what is left of a record without its head: a message of the catalogue and its pairs.
pub(crate) fn is_headless(line: &str) -> bool {
    let Some(head) = find_head(line).filter(|head| head.form == LogFormat::Bare) else {
        return false;
    };
    let message = line.get(head.message).unwrap_or_default();
    log_template("", message).is_some()
}

impl LineHead {
    /// Says whether the pairs or the message cannot go on over further lines without a mark.
    pub(crate) fn is_structured(&self) -> bool {
        self.quoting == MessageQuoting::Quoted
    }

    /// Returns what the record says about its time; `stamp` is the transport's.
    pub(crate) fn when(&self, line: &str, stamp: Option<&str>) -> When {
        let (civil, own) = match self.time {
            HeadTime::None => (None, None),
            HeadTime::Civil(civil) => (Some(civil), None),
            HeadTime::Stamp(end) => (None, line.get(..end).and_then(parse_stamp)),
            HeadTime::Instant(instant) => (None, Some(instant)),
        };
        When { civil, turn: 0, own, stamp: stamp.and_then(parse_stamp) }
    }
}

/// The front of a record, for deciding whether the record matters.
#[derive(Clone, Copy, Debug)]
pub struct RecordHead<'r> {
    pub(crate) line: &'r str,
    pub(crate) head: &'r LineHead,
}

impl<'r> RecordHead<'r> {
    /// Returns the format of the record.
    pub fn form(&self) -> LogFormat {
        self.head.form
    }

    /// Returns the level, where the format has one.
    pub fn level(&self) -> Option<RecordLevel> {
        self.head.level
    }

    /// Returns the source file that wrote the record, `dir/file.go` or `file.go`; `""` if not given.
    pub fn file(&self) -> &'r str {
        self.line.get(self.head.file.clone()).unwrap_or_default()
    }

    /// Returns the line of that source file; 0 if not given.
    pub fn file_line(&self) -> u32 {
        self.head.line
    }

    /// Returns zap's logger name; `""` if not given.
    pub fn logger(&self) -> &'r str {
        self.line.get(self.head.logger.clone()).unwrap_or_default()
    }

    /// Returns the message, unquoted; of unstructured klog text the first line.
    pub fn message(&self) -> Cow<'r, str> {
        let raw = self.line.get(self.head.message.clone()).unwrap_or_default();
        if self.head.quoting == MessageQuoting::Quoted {
            quote::unquote(raw)
        } else {
            Cow::Borrowed(raw)
        }
    }

    /// Returns caller and message as they stand in a line of klog; a text that only begins with a quote has none, since it
    /// would look like a quoted message.
    pub fn caller_and_message(&self) -> Option<&'r str> {
        let is_quoted = self.head.quoting == MessageQuoting::Quoted;
        let begin = self.line.as_bytes().get(self.head.message.start);
        let is_clear = self.head.form == LogFormat::Klog && (is_quoted || begin != Some(&b'"'));
        self.line.get(self.head.file.start..self.head.message.end).filter(|_| is_clear)
    }

    /// Says whether the message is a constant and its values stand in pairs after it.
    pub fn is_structured(&self) -> bool {
        self.head.quoting != MessageQuoting::Free
    }

    /// Returns what follows the message on the first line, unread.
    pub fn rest(&self) -> &'r str {
        self.line.get(self.head.rest..).unwrap_or_default()
    }

    /// Returns the first logical line of the record, without its transport.
    pub fn line(&self) -> &'r str {
        self.line
    }

    /// Reads the pairs on the first line: keys, and values as written.
    pub fn raw_pairs(&self) -> impl Iterator<Item = (&'r str, &'r str)> + use<'r> {
        let pairs: Vec<(Range<usize>, Range<usize>)> = match self.head.form {
            LogFormat::Klog | LogFormat::Bare => {
                let fields = klog::parse_pairs(self.line, self.head.rest).into_iter();
                fields.map(|field| (field.key, field.value)).collect()
            }
            LogFormat::Zap | LogFormat::Json => {
                let object = json::object(self.line, self.head.rest).unwrap_or_default();
                object.pairs.into_iter().map(|pair| (pair.key, pair.value)).collect()
            }
        };
        let line = self.line;
        pairs.into_iter().filter_map(|(key, value)| Some((line.get(key)?, line.get(value)?)))
    }

    /// Finds a pair on the first line by its key, and returns its value as written.
    pub fn raw_value(&self, key: &str) -> Option<&'r str> {
        self.raw_pairs().find(|(own, _)| *own == key).map(|(_, value)| value)
    }

    /// Finds a quoted value behind klog's message without reading the pairs before it, where that is safe: inside of
    /// a value the quote after a key would be escaped, and a key has no part of another key before it.
    fn find_quoted_value(&self, key: &str) -> Option<Range<usize>> {
        if self.head.form != LogFormat::Klog {
            return None;
        }
        let bytes = self.line.as_bytes();
        let rest = bytes.get(self.head.rest..)?;
        let quote = memchr::memmem::find_iter(rest, key).find_map(|at| {
            let (before, behind) = (rest.get(..at)?, at + key.len());
            let follows = matches!(before, [.., b'"' | b'}' | b']', b' '] | b" " | b"");
            let opens = rest.get(behind..behind + 2) == Some(b"=\"");
            (follows && opens).then_some(self.head.rest + behind + 1)
        })?;
        let inside = quote::quoted(bytes, quote)?;
        Some(quote..inside.end + 1)
    }

    /// Returns where a quoted value of klog ends; up to there stands all that [`RecordHead::object`] looks at.
    pub fn end_of_quoted_value(&self, key: &str) -> Option<usize> {
        self.find_quoted_value(key).map(|value| value.end)
    }

    /// Finds a pair on the first line by its key, and returns the object that it names.
    pub fn object(&self, key: &str) -> Option<ObjectName> {
        let raw = self
            .find_quoted_value(key)
            .and_then(|value| self.line.get(value))
            .or_else(|| self.raw_value(key))?;
        let inside = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"'));
        inside
            .map_or(FieldValue::Raw(raw), |inside| FieldValue::Text(quote::unquote(inside)))
            .as_object()
    }
}
