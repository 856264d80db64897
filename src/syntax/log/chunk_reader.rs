//! A stream cut into chunks of whole lines.
//!
//! A chunk ends where a record starts, as far as that can be seen, so that it rarely needs to know what stands before it.
//! It is read straight into its buffer, and buffers are used again: fresh memory costs more than scanning it.

use std::io::{ErrorKind, Read};

use super::ScanOptions;
use super::line_head::find_head;
use super::section_header::find_frame;
use super::transport::strip;
use crate::input::{CodeUnits, Decoder};
use crate::source::Encoding;

/// More chunks at a time would only cost memory: decompression is slower than a few cores.
const MAX_BATCH: usize = 8;

/// How many lines a chunk gives up in search of one that starts a record.
const MAX_BORDER_LINES: usize = 512;

/// A chunk: the first bytes of a buffer, which keeps its length so that it never has to be cleared.
#[derive(Default)]
pub(super) struct Chunk {
    buffer: Vec<u8>,
    len: usize,
}

impl Chunk {
    /// Returns what was read.
    pub(super) fn bytes(&self) -> &[u8] {
        self.buffer.get(..self.len).unwrap_or_default()
    }

    /// Puts another text in its place.
    pub(super) fn replace(&mut self, text: String) {
        (self.len, self.buffer) = (text.len(), text.into_bytes());
    }

    /// Starts anew with some bytes, and with room for so many in all.
    fn begin(&mut self, bytes: &[u8], wanted: usize) {
        self.len = 0;
        if let Some(start) = self.room(wanted.max(bytes.len())).get_mut(..bytes.len()) {
            start.copy_from_slice(bytes);
            self.len = bytes.len();
        }
    }

    /// Ends what was read here, with a line break in place of what follows.
    fn end_line(&mut self, len: usize) {
        self.buffer.truncate(len);
        self.buffer.push(b'\n');
        self.len = len + 1;
    }

    /// Returns the room behind what was read, up to so many bytes in all.
    fn room(&mut self, wanted: usize) -> &mut [u8] {
        if self.buffer.len() < wanted {
            // Memory that comes zeroed is touched only where something is read into it: a short log fills little of a chunk.
            let mut larger = vec![0; wanted];
            if let Some(start) = larger.get_mut(..self.len) {
                start.copy_from_slice(self.bytes());
            }
            self.buffer = larger;
        }
        self.buffer.get_mut(self.len..wanted).unwrap_or_default()
    }
}

/// A stream in pieces of whole lines.
pub(super) struct ChunkReader<'r> {
    reader: &'r mut dyn Read,
    chunk_bytes: usize,
    line_bytes: usize,
    /// What was read beyond the last chunk.
    rest: Vec<u8>,
    /// Chunks that are done.
    pub(super) spare: Vec<Chunk>,
    is_done: bool,
    /// Why reading stopped before the end of the stream, if it did.
    pub(super) failed: Option<String>,
    pub(super) has_final_break: bool,
    /// Whether the rest of a line that was left out had bytes that are no UTF-8.
    pub(super) has_invalid: bool,
}

impl<'r> ChunkReader<'r> {
    pub(super) fn new(reader: &'r mut dyn Read, options: &ScanOptions) -> Self {
        Self {
            reader,
            chunk_bytes: options.chunk_bytes.max(1),
            line_bytes: options.line_bytes,
            rest: Vec::new(),
            spare: Vec::new(),
            is_done: false,
            failed: None,
            has_final_break: true,
            has_invalid: false,
        }
    }

    pub(super) fn next_batch(&mut self) -> Vec<Chunk> {
        let size = rayon::current_num_threads().min(MAX_BATCH);
        std::iter::from_fn(|| self.next_chunk()).take(size).collect()
    }

    fn next_chunk(&mut self) -> Option<Chunk> {
        let mut chunk = self.spare.pop().unwrap_or_default();
        let mut wanted = self.chunk_bytes.max(self.rest.len());
        chunk.begin(&self.rest, wanted);
        self.rest.clear();
        loop {
            while chunk.len < wanted && !self.is_done {
                chunk.len += self.read(chunk.room(wanted));
            }
            let text = chunk.bytes();
            let end = if self.is_done { Some(text.len()) } else { border(text) };
            if let Some(end) = end {
                self.rest.extend_from_slice(text.get(end..).unwrap_or_default());
                if self.is_done && !text.is_empty() {
                    self.has_final_break = text.ends_with(b"\n");
                }
                chunk.len = end;
                return (end > 0).then_some(chunk);
            }
            // A single line that fills the chunk: hold no more of it than is looked at, and the
            // whole of its last character, so that it is cut like any other.
            let held = self.line_bytes + 8;
            if text.len() > held {
                let is_inside = |at: &usize| text.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
                let end = (held - 3..=held).rev().find(|at| !is_inside(at)).unwrap_or(held);
                self.skip_line(text.get(end..).unwrap_or_default());
                chunk.end_line(end);
                return Some(chunk);
            }
            wanted += self.chunk_bytes;
        }
    }

    /// Reads some bytes; a reader that ends or fails ends the stream.
    fn read(&mut self, room: &mut [u8]) -> usize {
        match self.reader.read(room) {
            Ok(len @ 1..) => len,
            Err(error) if error.kind() == ErrorKind::Interrupted => 0,
            end => {
                self.failed = end.err().map(|error| error.to_string());
                self.is_done = true;
                0
            }
        }
    }

    /// Reads over the rest of a line, which begins with what is given; what comes after it is kept for the next chunk.
    fn skip_line(&mut self, begun: &[u8]) {
        let (mut decoder, mut skipped) = (Decoder::new(CodeUnits::Utf8), String::new());
        decoder.push(begun, &mut skipped);
        let (mut piece, mut end) = (vec![0; self.chunk_bytes], None);
        while end.is_none() && !self.is_done {
            let len = self.read(&mut piece);
            let read = piece.get(..len).unwrap_or_default();
            end = memchr::memchr(b'\n', read);
            skipped.clear();
            decoder.push(read.get(..end.unwrap_or(len)).unwrap_or_default(), &mut skipped);
            if let Some(end) = end {
                self.rest.extend_from_slice(read.get(end + 1..).unwrap_or_default());
            }
        }
        decoder.finish(&mut skipped);
        self.has_invalid |= decoder.encoding() != Encoding::Utf8;
        self.has_final_break = end.is_some();
    }
}

/// Returns where to cut: before the last line that starts a record, or before the last line.
fn border(buffer: &[u8]) -> Option<usize> {
    let last = memchr::memrchr(b'\n', buffer)? + 1;
    let mut end = last;
    for _ in 0..MAX_BORDER_LINES {
        let Some(before) = buffer.get(..end - 1) else { break };
        let Some(start) = memchr::memrchr(b'\n', before).map(|at| at + 1) else { break };
        if starts_record(before.get(start..).unwrap_or_default()) {
            return Some(start);
        }
        end = start;
    }
    Some(last)
}

/// Says whether a line starts a record or a section, as far as it tells by itself.
fn starts_record(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line);
    let stripped = strip(&line);
    find_frame(&line).is_some() || find_head(&stripped.payload.text()).is_some()
}
