//! [`FileText`]: the text of one input file, read whole or in pieces.
//!
//! It is decoded and unpacked already, whatever the file was. Reading never fails: a fault (a cut
//! archive, a limit) ends the text early and becomes an [`UnreadFile`](super::UnreadFile) of the outcome.
//! Invariant: at most one piece and the peeked start are in memory while a log is streamed.

use std::io::{self, Read};

use super::encoding::Decoder;
use super::file_ranges::{FileBytes, FileRanges};
use super::read_budget::ReadBudget;
use super::{UnreadReason, sniff};
use crate::source::Encoding;

/// How much is read at once, and looked at to tell what a file is.
pub(super) const PIECE: usize = 64 << 10;

/// A reader whose first bytes were looked at.
pub(super) struct Peeked<'a> {
    head: Vec<u8>,
    at: usize,
    pending: Option<io::Error>,
    rest: Box<dyn Read + 'a>,
    /// The file whose bytes these are, from its first one on, where it can be read at any place.
    file: Option<FileBytes<'a>>,
}

impl<'a> Peeked<'a> {
    pub(super) fn new(mut rest: Box<dyn Read + 'a>) -> Self {
        let mut head = Vec::new();
        let result = (&mut rest).take(PIECE as u64).read_to_end(&mut head);
        Self { head, at: 0, pending: result.err(), rest, file: None }
    }

    /// Takes note of the file that is read.
    pub(super) fn of_file(self, file: Option<FileBytes<'a>>) -> Self {
        Self { file, ..self }
    }

    /// Counts what is read of it as given by the user.
    pub(super) fn counted(self, budget: &'a ReadBudget) -> Self {
        budget.give(self.head.len() as u64);
        Self { rest: Box::new(Given { inner: self.rest, budget }), ..self }
    }

    pub(super) fn head(&self) -> &[u8] {
        &self.head
    }

    /// Returns why there is nothing after the first bytes, if they end with a fault.
    pub(super) fn fault(&self) -> Option<UnreadReason> {
        self.pending.as_ref().map(UnreadReason::from)
    }

    /// Decodes the first bytes and makes a body of it, or returns `None` for a binary file.
    pub(super) fn into_body(mut self, budget: &'a ReadBudget) -> Option<FileText<'a>> {
        let (decoder, head) = sniff::decode_head(&self.head)?;
        self.at = self.head.len();
        budget.read.set(budget.read.get() + self.head.len() as u64);
        let mut body = FileText { raw: self, decoder, head, ended: false, bombed: false, budget };
        if body.raw.at < PIECE && body.raw.pending.is_none() {
            // Most files are small; this one is known to have ended.
            let mut head = std::mem::take(&mut body.head);
            body.end(&mut head);
            body.head = head;
        }
        Some(body)
    }
}

/// Bytes that the user gave.
struct Given<'a> {
    inner: Box<dyn Read + 'a>,
    budget: &'a ReadBudget,
}

impl Read for Given<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.budget.give(count as u64);
        Ok(count)
    }
}

impl Read for Peeked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut left = self.head.get(self.at..).unwrap_or_default();
        let count = left.read(buffer)?;
        if count > 0 {
            self.at += count;
            return Ok(count);
        }
        self.pending.take().map_or_else(|| self.rest.read(buffer), Err)
    }
}

/// A text that was read whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedText {
    /// How it was decoded.
    pub encoding: Encoding,
    /// The text, as [`SourceFile`](crate::source::SourceFile) wants it.
    pub text: String,
}

/// The text of one member; dropping it skips the member.
pub struct FileText<'a> {
    raw: Peeked<'a>,
    decoder: Decoder,
    head: String,
    ended: bool,
    bombed: bool,
    budget: &'a ReadBudget,
}

impl<'a> FileText<'a> {
    /// Returns the start of the text: all of a small file, about 64 KiB of a larger one.
    pub fn peek(&self) -> &str {
        &self.head
    }

    /// Reads the rest and returns the whole text; `None` if it is too large to keep, which the
    /// outcome's refusals then say.
    pub fn into_text(mut self) -> Option<DecodedText> {
        let limit = self.budget.limits.text;
        let mut text = std::mem::take(&mut self.head);
        if !self.ended && self.decoder.is_plain() {
            // Bytes are read to where they stay, and looked at once for what is no UTF-8.
            let decoded = text.len();
            let mut bytes = text.into_bytes();
            bytes.append(&mut self.decoder.give_up());
            while !self.ended && bytes.len() as u64 <= limit {
                self.read_behind(&mut bytes);
            }
            text = String::from_utf8(bytes).unwrap_or_else(|invalid| {
                let bytes = invalid.into_bytes();
                let (head, rest) = bytes.split_at_checked(decoded).unwrap_or_default();
                let mut text = String::from_utf8_lossy(head).into_owned();
                self.decoder.push(rest, &mut text);
                self.decoder.finish(&mut text);
                text
            });
        }
        let mut buffer = if self.ended { Vec::new() } else { vec![0; PIECE] };
        while !self.ended && text.len() as u64 <= limit {
            self.fill(&mut buffer, &mut text);
        }
        if self.bombed {
            return None;
        }
        if text.len() as u64 > limit {
            self.budget.note(UnreadReason::TooLarge { limit });
            return None;
        }
        if let Err(reason) = self.budget.hold(text.len() as u64) {
            self.budget.note(reason);
            return None;
        }
        Some(DecodedText { encoding: self.decoder.encoding(), text })
    }

    /// Returns the file, from its first byte on, if its bytes are the text as it is, so that several threads can read it.
    pub fn ranges(&self) -> Option<FileRanges<'a>> {
        let is_plain = !self.ended && self.decoder.is_plain() && self.raw.pending.is_none();
        let file = self.raw.file.filter(|_| is_plain)?;
        Some(FileRanges::new(file, self.budget, self.raw.head.len()))
    }

    /// Reads the text piece by piece.
    pub fn into_pieces(mut self) -> TextPieces<'a> {
        let mut ready = std::mem::take(&mut self.head).into_bytes();
        ready.append(&mut self.decoder.give_up());
        TextPieces { body: self, ready, taken: 0, buffer: Vec::new() }
    }

    fn fill(&mut self, buffer: &mut [u8], text: &mut String) {
        match self.read(buffer) {
            Some(count) => self.decoder.push(buffer.get(..count).unwrap_or_default(), text),
            None => self.end(text),
        }
    }

    /// Reads straight behind what is there.
    fn read_behind(&mut self, text: &mut Vec<u8>) {
        let at = text.len();
        text.resize(at + PIECE, 0);
        let count = text.get_mut(at..).and_then(|buffer| self.read(buffer));
        text.truncate(at + count.unwrap_or(0));
        self.ended = count.is_none();
    }

    /// Reads some bytes; `None` is the end of the text, or of what can be read of it.
    fn read(&mut self, buffer: &mut [u8]) -> Option<usize> {
        match self.raw.read(buffer) {
            Ok(0) => None,
            Ok(count) => {
                self.budget.read.set(self.budget.read.get() + count as u64);
                Some(count)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Some(0),
            Err(error) => {
                let reason = UnreadReason::from(error);
                // What a bomb gave before it was stopped is no text of anybody.
                self.bombed = matches!(reason, UnreadReason::Bomb { .. });
                self.budget.note(reason);
                None
            }
        }
    }

    fn end(&mut self, text: &mut String) {
        self.ended = true;
        self.decoder.finish(text);
    }
}

/// A text in UTF-8, piece by piece. The end is the end of the text or of what could be read of it: reading never fails.
///
/// Bytes that are no UTF-8 come as they are: whoever takes the pieces apart by all threads looks for them there.
pub struct TextPieces<'a> {
    body: FileText<'a>,
    /// What is known and was not taken yet: the start of the text, and what was decoded of it.
    ready: Vec<u8>,
    taken: usize,
    /// Of a text that has to be decoded: what was read last.
    buffer: Vec<u8>,
}

impl Read for TextPieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let mut ready = self.ready.get(self.taken..).unwrap_or_default();
            if !ready.is_empty() {
                let count = ready.read(buffer)?;
                self.taken += count;
                return Ok(count);
            }
            if self.body.ended || buffer.is_empty() {
                return Ok(0);
            }
            if self.body.decoder.is_plain() {
                match self.body.read(buffer) {
                    Some(0) => {}
                    Some(count) => return Ok(count),
                    None => self.body.ended = true,
                }
            } else {
                self.buffer.resize(PIECE, 0);
                let mut decoded = String::new();
                self.body.fill(&mut self.buffer, &mut decoded);
                (self.ready, self.taken) = (decoded.into_bytes(), 0);
            }
        }
    }
}

impl TextPieces<'_> {
    /// Returns the encoding; `has_invalid` says whether bytes of the pieces were no UTF-8.
    pub fn encoding(&self, has_invalid: bool) -> Encoding {
        match self.body.decoder.encoding() {
            Encoding::Utf8 if has_invalid => Encoding::Utf8Invalid,
            encoding => encoding,
        }
    }
}
