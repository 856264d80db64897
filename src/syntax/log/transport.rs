//! What a log went through on its way into the file, undone line by line.
//!
//! kubectl, container runtimes, collectors and people put things in front of each line. [`strip`]
//! takes them off, outermost first, and keeps what they say: pod, container, stream, time.
//! Invariant: stripping one line looks at no other line.

use std::borrow::Cow;

use super::envelope::{Writing, find_enclosed};
use super::json;
use super::line_head::is_headless;
use super::quote::{self, QuotedPiece, QuotedPieces};
use super::time::stamp_len;
use super::zap::level_at;
use crate::syntax::klog;

/// A way in which logs are wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Transport {
    /// `kubectl logs --prefix`: `[pod/POD/CONTAINER] `.
    Prefix,
    /// `kubectl logs --timestamps`: a timestamp and a blank.
    Timestamps,
    /// A container runtime's file: timestamp, stream, `P` or `F`.
    Cri,
    /// Docker's json-file: the line inside a JSON object.
    Docker,
    /// journald: `Nov 15 22:44:08 host unit[1]: `.
    Journald,
    /// stern and kail: `POD CONTAINER `.
    Stern,
    /// Indentation or quote marks of a paste.
    Quoted,
    /// `==== START logs for container …` of `kubectl cluster-info dump`.
    ClusterInfoDump,
    /// The `# ` heading of a collector script.
    CollectLogs,
    /// `==> FILE <==`, as `tail` prints it between files.
    FileHeading,
    /// The four lines at the top of a file that klog itself wrote.
    KlogFile,
    /// A row, an object or words of some log system around the line.
    Envelope,
}

/// A set of transports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Transports(u16);

impl Transports {
    const ALL: [Transport; 12] = [
        Transport::Prefix,
        Transport::Timestamps,
        Transport::Cri,
        Transport::Docker,
        Transport::Journald,
        Transport::Stern,
        Transport::Quoted,
        Transport::ClusterInfoDump,
        Transport::CollectLogs,
        Transport::FileHeading,
        Transport::KlogFile,
        Transport::Envelope,
    ];

    /// Adds a transport to the set.
    pub(crate) fn add(&mut self, transport: Transport) {
        self.0 |= 1 << (transport as u16);
    }

    /// Adds all of another set.
    pub(crate) fn join(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Says whether one is in the set.
    pub fn contains(self, transport: Transport) -> bool {
        self.0 & (1 << (transport as u16)) != 0
    }

    /// Returns the members in a fixed order.
    pub fn iter(self) -> impl Iterator<Item = Transport> {
        Self::ALL.into_iter().filter(move |transport| self.contains(*transport))
    }
}

/// What is left of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payload<'l> {
    /// The text from this offset of the line on.
    Plain(&'l str, usize),
    /// The inside of a JSON string at this offset of the line, escapes and all.
    Escaped(&'l str, usize),
    /// The inside of a field of CSV at this offset of the line, quotes doubled.
    Doubled(&'l str, usize),
}

/// A line without its transport.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stripped<'l> {
    pub(crate) payload: Payload<'l>,
    /// `POD/CONTAINER` of a prefix, or the pod and container that stern names.
    pub(crate) writer: &'l str,
    /// The bytes at the start of the line that only make sense because a head follows: indentation,
    /// quote marks, stern's names. Further lines of the record are expected to start with them too.
    pub(crate) lead: &'l str,
    /// Whether the line came on standard output; standard error and unknown are the same writer.
    pub(crate) is_stdout: bool,
    pub(crate) stamp: Option<&'l str>,
    /// Whether the text goes on in the writer's next line.
    pub(crate) is_partial: bool,
    pub(crate) transports: Transports,
}

/// Real stacks are one to three deep; the limit keeps hostile lines linear.
const MAX_LAYERS: usize = 8;

/// Takes off everything that is in front of the logged text.
pub(crate) fn strip(line: &str) -> Stripped<'_> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let mut out = Stripped {
        payload: Payload::Plain(line, 0),
        writer: "",
        lead: "",
        is_stdout: false,
        stamp: None,
        is_partial: false,
        transports: Transports::default(),
    };
    if line.starts_with('\u{feff}') {
        out.skip(3);
    }
    for _ in 0..MAX_LAYERS {
        if !out.strip_layer(line) {
            break;
        }
    }
    out
}

impl<'l> Stripped<'l> {
    fn skip(&mut self, len: usize) {
        if let Payload::Plain(text, at) = self.payload {
            self.payload = Payload::Plain(text.get(len..).unwrap_or_default(), at + len);
        }
    }

    /// Takes off one layer; says whether there was one and more may follow.
    fn strip_layer(&mut self, line: &'l str) -> bool {
        let Payload::Plain(text, at) = self.payload else { return false };
        let known = match text.as_bytes() {
            [b'I' | b'W' | b'E' | b'F', b'0'..=b'9', ..] => return false,
            [b'[', ..] => self.strip_prefix(text),
            [b'0'..=b'9', ..] => self.strip_stamp(text) || (at == 0 && self.strip_stern(text)),
            [b'{', ..] => self.strip_docker(text),
            [b' ' | b'>', ..] => self.strip_quote(line, text, at),
            [b'a'..=b'z', ..] => at == 0 && self.strip_stern(text),
            [b'A'..=b'Z', ..] => self.strip_journald(text),
            _ => false,
        };
        let untouched = self.payload == Payload::Plain(text, at);
        known || (untouched && self.strip_envelope(line, text, at))
    }

    /// Whatever else stands around a klog head.
    fn strip_envelope(&mut self, line: &'l str, text: &'l str, at: usize) -> bool {
        let Some(found) = find_enclosed(text) else { return false };
        let inside = text.get(found.range.clone()).unwrap_or_default();
        let from = at + found.range.start;
        self.stamp = self.stamp.or_else(|| found.stamp.and_then(|stamp| text.get(stamp)));
        self.transports.add(Transport::Envelope);
        self.payload = match found.writing {
            Writing::Json if inside.contains('\\') => Payload::Escaped(inside, from),
            Writing::Csv => Payload::Doubled(inside, from),
            Writing::Json => Payload::Plain(inside, from),
            Writing::Plain => {
                self.lead = line.get(..from).unwrap_or_default();
                Payload::Plain(inside, from)
            }
        };
        false
    }

    fn strip_prefix(&mut self, text: &'l str) -> bool {
        let Some((writer, rest)) = text.strip_prefix("[pod/").and_then(|t| t.split_once(']'))
        else {
            return false;
        };
        if writer.len() > MAX_WRITER || writer.contains([' ', '[']) {
            return false;
        }
        self.writer = writer;
        self.transports.add(Transport::Prefix);
        let blank = usize::from(rest.starts_with(' '));
        self.skip(text.len() - rest.len() + blank);
        true
    }

    fn strip_stamp(&mut self, text: &'l str) -> bool {
        let Some(len) = stamp_len(text.as_bytes()) else { return false };
        let rest = text.get(len..).unwrap_or_default();
        if level_at(text, len).is_some() || !(rest.is_empty() || rest.starts_with(' ')) {
            return false;
        }
        self.stamp = text.get(..len);
        let stream = rest.strip_prefix(" std").map(|tail| tail.as_bytes());
        let (is_stdout, tail) = match stream {
            Some([b'o', b'u', b't', b' ', tail @ ..]) => (true, tail),
            Some([b'e', b'r', b'r', b' ', tail @ ..]) => (false, tail),
            _ => {
                self.transports.add(Transport::Timestamps);
                self.skip(len + usize::from(!rest.is_empty()));
                return true;
            }
        };
        self.is_stdout = is_stdout;
        self.is_partial = tail.first() == Some(&b'P');
        self.transports.add(Transport::Cri);
        // Tags after the first are set off by colons.
        let tags = memchr::memchr(b' ', tail).map_or(tail.len(), |blank| blank + 1);
        self.skip(text.len() - tail.len() + tags);
        true
    }

    fn strip_docker(&mut self, text: &'l str) -> bool {
        if !text.starts_with("{\"log\":") {
            return false;
        }
        let Payload::Plain(_, at) = self.payload else { return false };
        let Some(object) = json::object(text, 0).filter(|object| object.end.is_some()) else {
            return false;
        };
        let (Some(log), Some(first)) = (object.get(text, "log"), object.pairs.first()) else {
            return false;
        };
        let Some(inside) = log.strip_prefix('"').and_then(|log| log.strip_suffix('"')) else {
            return false;
        };
        let time = object.get(text, "time").map(|time| time.trim_matches('"'));
        self.stamp = time.filter(|time| stamp_len(time.as_bytes()) == Some(time.len()));
        self.is_stdout = object.get(text, "stream") == Some("\"stdout\"");
        self.transports.add(Transport::Docker);
        let ended = inside.strip_suffix("\\n").filter(|text| !ends_in_odd_backslashes(text));
        self.is_partial = ended.is_none();
        let inside = ended.unwrap_or(inside);
        let inside =
            inside.strip_suffix("\\r").filter(|t| !ends_in_odd_backslashes(t)).unwrap_or(inside);
        let at = at + first.value.start + 1;
        let escaped = memchr::memchr(b'\\', inside.as_bytes()).is_some();
        self.payload =
            if escaped { Payload::Escaped(inside, at) } else { Payload::Plain(inside, at) };
        !escaped
    }

    /// `Nov 15 22:44:08 host unit[1]: text`
    fn strip_journald(&mut self, text: &'l str) -> bool {
        const MONTHS: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
        let Some(head) = text.as_bytes().first_chunk::<16>() else { return false };
        let month = MONTHS.chunks(3).any(|month| head.starts_with(month));
        let marks = [head[3], head[6], head[9], head[12], head[15]] == *b"  :: ";
        if !month || !marks {
            return false;
        }
        let limit = text.len().min(MAX_WRITER);
        let Some(end) = text.as_bytes().get(16..limit).and_then(|t| memchr::memmem::find(t, b": "))
        else {
            return false;
        };
        self.transports.add(Transport::Journald);
        self.skip(16 + end + 2);
        true
    }

    /// `POD CONTAINER text`: taken off only where a head follows, since any prose looks like it.
    fn strip_stern(&mut self, text: &'l str) -> bool {
        let bytes = text.as_bytes();
        let name = |from: usize| {
            let tail = bytes.get(from..).unwrap_or_default();
            let tail = tail.get(..MAX_WRITER).unwrap_or(tail);
            let label = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b".-".contains(b);
            let len = tail.iter().take_while(|byte| label(byte)).count();
            (len > 0 && tail.get(len) == Some(&b' ')).then_some(from + len + 1)
        };
        let Some(container) = name(0) else { return false };
        let Some(start) = name(container) else { return false };
        if !starts_record(text.get(start..).unwrap_or_default()) {
            return false;
        }
        self.writer = text.get(..start - 1).unwrap_or_default();
        self.lead = text.get(..start).unwrap_or_default();
        self.transports.add(Transport::Stern);
        self.skip(start);
        true
    }

    /// Indentation and quote marks: taken off only where a head follows, for ` >` also ends a value.
    fn strip_quote(&mut self, line: &'l str, text: &'l str, at: usize) -> bool {
        let mark = |byte: &u8| matches!(byte, b' ' | b'>');
        let len = text.bytes().take(MAX_LEAD + 1).take_while(|byte| mark(byte)).count();
        if at != 0 || len > MAX_LEAD || !starts_record(text.get(len..).unwrap_or_default()) {
            return false;
        }
        self.lead = line.get(..len).unwrap_or_default();
        self.transports.add(Transport::Quoted);
        self.skip(len);
        true
    }
}

/// Pod and container names have at most 253 and 63 characters.
const MAX_WRITER: usize = 320;

/// Deeper indentation than this is no longer that of a paste.
const MAX_LEAD: usize = 64;

/// Says whether a text starts like a record or like a transport that wraps one.
fn starts_record(text: &str) -> bool {
    let bytes = text.as_bytes();
    if klog::starts_head(bytes) || text.starts_with("[pod/") || is_headless(text) {
        return true;
    }
    let Some(stamp) = stamp_len(bytes) else { return false };
    let rest = text.get(stamp..).unwrap_or_default();
    level_at(text, stamp).is_some()
        || rest.starts_with(" std")
        || rest.strip_prefix(' ').is_some_and(|rest| klog::starts_head(rest.as_bytes()))
}

fn ends_in_odd_backslashes(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

impl<'l> Payload<'l> {
    /// Returns the logged text.
    pub(crate) fn text(self) -> Cow<'l, str> {
        match self {
            Self::Plain(text, _) => Cow::Borrowed(text),
            Self::Escaped(raw, _) => quote::unquote(raw),
            Self::Doubled(raw, _) => Cow::Owned(raw.replace("\"\"", "\"")),
        }
    }

    /// Calls `piece` with each run of logged text and the bytes of the line that it stands for.
    pub(crate) fn for_each_piece(self, mut piece: impl FnMut(&str, usize, usize)) {
        match self {
            Self::Plain(text, at) => piece(text, at, text.len()),
            Self::Doubled(raw, at) => {
                let mut at = at;
                for (index, text) in raw.split("\"\"").enumerate() {
                    if index > 0 {
                        piece("\"", at, 2);
                        at += 2;
                    }
                    piece(text, at, text.len());
                    at += text.len();
                }
            }
            Self::Escaped(raw, at) => {
                let mut at = at;
                for part in QuotedPieces::new(raw) {
                    match part {
                        QuotedPiece::Plain(text) => {
                            piece(text, at, text.len());
                            at += text.len();
                        }
                        QuotedPiece::Escape(character, len) => {
                            piece(character.encode_utf8(&mut [0; 4]), at, len);
                            at += len;
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
