//! The doors of the log reader, and the stream cut into chunks.
//!
//! Reading is sequential, scanning parallel: while a batch of chunks is scanned, the next one is read.
//! A chunk ends where a record starts, as far as that can be seen, so that it rarely needs to know
//! what stands before it. At most two batches are in memory.

use std::io::{ErrorKind, Read};

use rayon::prelude::*;

use super::chunk::{ChunkScan, End, clip, scan_chunk};
use super::collect::{Collector, Keep};
use super::frame::find_frame;
use super::head::find_head;
use super::outcome::{LogScan, ScannedLog};
use super::state::State;
use super::transport::strip;
use super::{Interested, ScanOptions};
use crate::input::{Decoder, Form};

/// More chunks at a time would only cost memory: decompression is slower than a few cores.
const MAX_BATCH: usize = 8;

/// How many lines a chunk gives up in search of one that starts a record.
const MAX_BORDER_LINES: usize = 512;

/// How many bytes are read at a time.
const MAX_READ: usize = 64 << 10;

/// Appends the next piece of a log to a text, and says whether more may follow.
pub type NextPiece<'p> = &'p mut dyn FnMut(&mut String) -> bool;

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
    let mut buffer = vec![0; options.chunk_bytes.clamp(1, MAX_READ)];
    let mut decoder = Decoder::new(Form::Utf8);
    let mut failed = None;
    let mut next = |text: &mut String| match reader.read(&mut buffer) {
        Ok(len @ 1..) => {
            decoder.push(buffer.get(..len).unwrap_or_default(), text);
            true
        }
        Err(error) if error.kind() == ErrorKind::Interrupted => true,
        end => {
            failed = end.err().map(|error| error.to_string());
            decoder.finish(text);
            false
        }
    };
    let mut log = scan(&mut next, interest, options);
    log.scan.tail_cut |= failed.is_some();
    log.read_error = failed;
    log
}

/// Reads a log that comes as text, piece by piece.
pub fn scan_pieces(next: NextPiece<'_>, interest: Interested<'_>) -> ScannedLog {
    scan(next, interest, &ScanOptions::default())
}

fn scan(next: NextPiece<'_>, interest: Interested<'_>, options: &ScanOptions) -> ScannedLog {
    let mut chunks = Chunks::new(next, options);
    let mut collector = Collector::new(interest, options, Keep::Copies);
    let mut batch = chunks.next_batch();
    while !batch.is_empty() {
        let mut scanned: Vec<(String, ChunkScan)> = Vec::new();
        let mut next = Vec::new();
        rayon::in_place_scope(|scope| {
            let scanned = &mut scanned;
            scope.spawn(move |_| {
                let scan = |text: String| {
                    let scan = scan_chunk(&text, State::unknown(), End::Open, interest, options);
                    (text, scan)
                };
                batch.into_par_iter().map(scan).collect_into_vec(scanned);
            });
            next = chunks.next_batch();
        });
        for (text, scan) in scanned {
            collector.add(&text, scan);
            chunks.spare.push(text);
        }
        batch = next;
    }
    collector.into_log(chunks.has_final_break)
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

/// A stream in pieces of whole lines.
struct Chunks<'r> {
    next: NextPiece<'r>,
    chunk_bytes: usize,
    line_bytes: usize,
    /// What was read beyond the last chunk.
    rest: String,
    /// Texts of chunks that are done: fresh memory costs more than scanning it.
    spare: Vec<String>,
    is_done: bool,
    has_final_break: bool,
}

impl<'r> Chunks<'r> {
    fn new(next: NextPiece<'r>, options: &ScanOptions) -> Self {
        Self {
            next,
            chunk_bytes: options.chunk_bytes.max(1),
            line_bytes: options.line_bytes,
            rest: String::new(),
            spare: Vec::new(),
            is_done: false,
            has_final_break: true,
        }
    }

    fn next_batch(&mut self) -> Vec<String> {
        let size = rayon::current_num_threads().min(MAX_BATCH);
        std::iter::from_fn(|| self.next_chunk()).take(size).collect()
    }

    fn next_chunk(&mut self) -> Option<String> {
        let mut text = self.spare.pop().unwrap_or_default();
        text.clear();
        text.push_str(&self.rest);
        self.rest.clear();
        let mut wanted = self.chunk_bytes.max(text.len());
        loop {
            while text.len() < wanted && !self.is_done {
                self.read(&mut text);
            }
            let end = if self.is_done { Some(text.len()) } else { border(text.as_bytes()) };
            if let Some(end) = end {
                self.rest.push_str(text.get(end..).unwrap_or_default());
                if self.is_done && !text.is_empty() {
                    self.has_final_break = text.ends_with('\n');
                }
                text.truncate(end);
                return (end > 0).then_some(text);
            }
            // A single line that fills the chunk: hold no more of it than is looked at, and the
            // whole of its last character, so that it is cut like any other.
            let held = self.line_bytes + 4;
            if text.len() > held {
                let end = clip(&text, held).len();
                text.truncate(end);
                text.push('\n');
                self.skip_line();
                return Some(text);
            }
            wanted += self.chunk_bytes;
        }
    }

    fn read(&mut self, text: &mut String) {
        self.is_done = !(self.next)(text);
    }

    /// Reads over the rest of a line; what comes after it is kept for the next chunk.
    fn skip_line(&mut self) {
        let mut piece = String::new();
        while !self.is_done {
            piece.clear();
            self.read(&mut piece);
            if let Some(at) = memchr::memchr(b'\n', piece.as_bytes()) {
                self.rest.push_str(piece.get(at + 1..).unwrap_or_default());
                return;
            }
        }
        self.has_final_break = false;
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
