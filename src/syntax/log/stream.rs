//! The doors of the log reader, and the stream cut into chunks.
//!
//! Reading is sequential, scanning parallel: while a batch of chunks is scanned, the next one is read.
//! A chunk ends where a record starts, as far as that can be seen, so that it rarely needs to know
//! what stands before it. At most two batches are in memory.

use std::io::{ErrorKind, Read};

use rayon::prelude::*;

use super::chunk::{ChunkScan, End, scan_chunk};
use super::collect::{Collector, Keep};
use super::frame::find_frame;
use super::head::find_head;
use super::outcome::{LogScan, ScannedLog};
use super::state::State;
use super::transport::strip;
use super::{Interested, ScanOptions};

/// More chunks at a time would only cost memory: decompression is slower than a few cores.
const MAX_BATCH: usize = 8;

/// How many lines a chunk gives up in search of one that starts a record.
const MAX_BORDER_LINES: usize = 512;

/// How much of an overlong line is read over at a time.
const SKIP_BYTES: usize = 16 << 10;

/// Reads a log to its end, and keeps what is of interest.
///
/// A reader that fails ends the log there: what was read is kept, the error is noted.
pub fn scan_log(reader: &mut dyn Read, interest: Interested<'_>) -> ScannedLog {
    scan_log_with(reader, interest, &ScanOptions::default())
}

/// Reads a log as [`scan_log`] does, within other limits.
pub fn scan_log_with(
    reader: &mut dyn Read,
    interest: Interested<'_>,
    options: &ScanOptions,
) -> ScannedLog {
    let mut chunks = Chunks::new(reader, options);
    let mut collector = Collector::new(interest, options, Keep::Copies);
    let mut batch = chunks.next_batch();
    while !batch.is_empty() {
        let mut scanned: Vec<(String, ChunkScan)> = Vec::new();
        let mut next = Vec::new();
        rayon::in_place_scope(|scope| {
            let scanned = &mut scanned;
            scope.spawn(move |_| {
                let scan = |bytes| {
                    let text = into_text(bytes);
                    let scan = scan_chunk(&text, State::unknown(), End::Open, interest, options);
                    (text, scan)
                };
                batch.into_par_iter().map(scan).collect_into_vec(scanned);
            });
            next = chunks.next_batch();
        });
        for (text, scan) in scanned {
            collector.add(&text, scan);
            chunks.spare.push(text.into_bytes());
        }
        batch = next;
    }
    let mut log = collector.into_log(chunks.has_final_break);
    log.scan.tail_cut |= chunks.error.is_some();
    log.read_error = chunks.error;
    log
}

/// Reads log lines of a text that is held anyway; ranges count in that text.
pub fn scan_text(text: &str, interest: Interested<'_>) -> LogScan {
    scan_text_with(text, interest, &ScanOptions::default())
}

/// Reads log lines as [`scan_text`] does, within other limits.
pub fn scan_text_with(text: &str, interest: Interested<'_>, options: &ScanOptions) -> LogScan {
    let mut collector = Collector::new(interest, options, Keep::References);
    // In one piece, so that nothing has to be carried over in copies.
    let scan = scan_chunk(text, State::fresh(), End::Log, interest, options);
    collector.add(text, scan);
    collector.into_scan(text)
}

/// Makes text of bytes, each invalid one a question mark, so that offsets stay.
fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let bytes = error.into_bytes();
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|_| '?'));
        }
        text
    })
}

/// A stream in pieces of whole lines.
struct Chunks<'r> {
    reader: &'r mut dyn Read,
    chunk_bytes: usize,
    line_bytes: usize,
    /// What was read beyond the last chunk.
    rest: Vec<u8>,
    /// Buffers of chunks that are done: fresh memory costs more than scanning it.
    spare: Vec<Vec<u8>>,
    is_done: bool,
    has_final_break: bool,
    error: Option<String>,
}

impl<'r> Chunks<'r> {
    fn new(reader: &'r mut dyn Read, options: &ScanOptions) -> Self {
        Self {
            reader,
            chunk_bytes: options.chunk_bytes.max(1),
            line_bytes: options.line_bytes,
            rest: Vec::new(),
            spare: Vec::new(),
            is_done: false,
            has_final_break: true,
            error: None,
        }
    }

    fn next_batch(&mut self) -> Vec<Vec<u8>> {
        let size = rayon::current_num_threads().min(MAX_BATCH);
        std::iter::from_fn(|| self.next_chunk()).take(size).collect()
    }

    fn next_chunk(&mut self) -> Option<Vec<u8>> {
        let mut buffer = self.spare.pop().unwrap_or_default();
        let mut filled = self.rest.len();
        let mut wanted = self.chunk_bytes.max(filled);
        buffer.resize(wanted, 0);
        buffer.get_mut(..filled)?.copy_from_slice(&self.rest);
        loop {
            filled = self.fill(&mut buffer, filled);
            let text = buffer.get(..filled)?;
            let end = if self.is_done { Some(filled) } else { border(text) };
            if let Some(end) = end {
                self.rest.clear();
                self.rest.extend_from_slice(text.get(end..)?);
                if self.is_done && filled > 0 {
                    self.has_final_break = text.ends_with(b"\n");
                }
                buffer.truncate(end);
                return (end > 0).then_some(buffer);
            }
            // A single line that fills the buffer: hold no more of it than is looked at, and the
            // whole of its last character, so that it is cut like any other.
            let held = self.line_bytes + 4;
            if filled > held {
                buffer.truncate(held);
                buffer.push(b'\n');
                self.skip_line();
                return Some(buffer);
            }
            wanted += self.chunk_bytes;
            buffer.resize(wanted, 0);
        }
    }

    /// Reads until the buffer is full or the stream ends; returns how far it is filled.
    fn fill(&mut self, buffer: &mut [u8], mut filled: usize) -> usize {
        while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
            if self.is_done {
                break;
            }
            match self.reader.read(room) {
                Ok(0) => self.is_done = true,
                Ok(len) => filled += len.min(room.len()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.error = Some(error.to_string());
                    self.is_done = true;
                }
            }
        }
        filled
    }

    /// Reads over the rest of a line; what comes after it is kept for the next chunk.
    fn skip_line(&mut self) {
        let mut buffer = [0; SKIP_BYTES];
        self.rest.clear();
        loop {
            let filled = self.fill(&mut buffer, 0);
            let text = buffer.get(..filled).unwrap_or_default();
            if let Some(at) = memchr::memchr(b'\n', text) {
                self.rest.extend_from_slice(text.get(at + 1..).unwrap_or_default());
                return;
            }
            if self.is_done {
                self.has_final_break = false;
                return;
            }
        }
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
