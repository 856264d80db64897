//! A stream cut into chunks of whole lines.
//!
//! A chunk ends where a record starts, as far as that can be seen, so that it rarely needs to know what stands before it.
//! It is read straight into its buffer.

use std::io::{ErrorKind, Read};

use super::ScanOptions;
use super::chunk_buffer::Chunk;
use super::line_head::find_head;
use super::section_header::find_frame;
use super::transport::strip;
use crate::input::{CodeUnits, Decoder};
use crate::source::Encoding;

/// More chunks at a time would only cost memory: decompression is slower than a few cores.
const MAX_BATCH: usize = 8;

/// How many lines a chunk gives up in search of one that starts a record.
const MAX_BORDER_LINES: usize = 512;

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
            while chunk.len() < wanted && !self.is_done {
                chunk.fill(wanted, |room| self.read(room));
            }
            let text = chunk.bytes();
            let end = if self.is_done { Some(text.len()) } else { border(text) };
            if let Some(end) = end {
                self.rest.extend_from_slice(text.get(end..).unwrap_or_default());
                if self.is_done && !text.is_empty() {
                    self.has_final_break = text.ends_with(b"\n");
                }
                chunk.cut(end);
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
    Some(record_border(buffer, last).unwrap_or(last))
}

/// Returns where the last line that starts a record begins, of those that end before a place behind a line break.
pub(super) fn record_border(buffer: &[u8], last: usize) -> Option<usize> {
    let mut end = last;
    for _ in 0..MAX_BORDER_LINES {
        let Some(before) = buffer.get(..end - 1) else { break };
        let Some(start) = memchr::memrchr(b'\n', before).map(|at| at + 1) else { break };
        if starts_record(before.get(start..).unwrap_or_default()) {
            return Some(start);
        }
        end = start;
    }
    None
}

/// Says whether a line starts a record or a section, as far as it tells by itself.
fn starts_record(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line);
    let stripped = strip(&line);
    find_frame(&line).is_some() || find_head(&stripped.payload.text()).is_some()
}
