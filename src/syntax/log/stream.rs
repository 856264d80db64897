//! The doors of the log reader, and the stream cut into chunks.
//!
//! Reading is sequential, scanning parallel: while a batch of chunks is scanned, the one before it is collected and the
//! next one is read. A chunk ends where a record starts, as far as that can be seen, so that it rarely needs to know
//! what stands before it. Texts wait a while before lines are copied out of them: most records are pushed out by later ones
//! of their template until then. Three batches and the waiting texts are in memory at most.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read};

use rayon::prelude::*;

use super::chunk::{ChunkEnd, ChunkScan, scan_chunk};
use super::collect::{Collector, Keep, Promised};
use super::line_head::find_head;
use super::scan_result::{LogScan, ScannedLog};
use super::scan_state::ScanState;
use super::section_header::find_frame;
use super::transport::strip;
use super::{RetentionPolicy, ScanOptions};
use crate::input::{CodeUnits, Decoder, decode_utf8};
use crate::source::Encoding;

/// More chunks at a time would only cost memory: decompression is slower than a few cores.
const MAX_BATCH: usize = 8;

/// How many texts wait for their lines to be copied.
const MAX_WAITING: usize = 8;

/// How many lines a chunk gives up in search of one that starts a record.
const MAX_BORDER_LINES: usize = 512;

/// How many bytes are read at a time.
const MAX_READ: usize = 64 << 10;

/// Appends the next piece of a log to a text in UTF-8, as far as it is that, and says whether more may follow.
pub type NextPiece<'p> = &'p mut dyn FnMut(&mut Vec<u8>) -> bool;

/// Reads a log to its end, and keeps what is of interest.
///
/// A reader that fails ends the log there: what was read is kept, the error is noted.
pub fn scan_log(reader: &mut dyn Read, interest: RetentionPolicy<'_>) -> ScannedLog {
    scan_log_with(reader, interest, &ScanOptions::default())
}

/// Reads a log as [`scan_log`] does, within other limits.
pub fn scan_log_with(
    reader: &mut dyn Read,
    interest: RetentionPolicy<'_>,
    options: &ScanOptions,
) -> ScannedLog {
    let mut buffer = vec![0; options.chunk_bytes.clamp(1, MAX_READ)];
    let mut failed = None;
    let mut next = |text: &mut Vec<u8>| match reader.read(&mut buffer) {
        Ok(len @ 1..) => {
            text.extend_from_slice(buffer.get(..len).unwrap_or_default());
            true
        }
        Err(error) if error.kind() == ErrorKind::Interrupted => true,
        end => {
            failed = end.err().map(|error| error.to_string());
            false
        }
    };
    let mut log = scan(&mut next, interest, options);
    log.scan.tail_cut |= failed.is_some();
    log.read_error = failed;
    log
}

/// Reads a log that comes as text, piece by piece.
pub fn scan_pieces(next: NextPiece<'_>, interest: RetentionPolicy<'_>) -> ScannedLog {
    scan(next, interest, &ScanOptions::default())
}

/// A chunk that was scanned by itself.
struct Scanned {
    text: String,
    has_invalid: bool,
    scan: ChunkScan,
}

fn scan(next: NextPiece<'_>, interest: RetentionPolicy<'_>, options: &ScanOptions) -> ScannedLog {
    let mut chunks = Chunks::new(next, options);
    let mut window = Window::new(interest, options);
    let scan_one = |bytes: Vec<u8>| {
        let (text, has_invalid) = decode_utf8(bytes);
        let scan = scan_chunk(&text, ScanState::unknown(), ChunkEnd::Open, interest, options);
        Scanned { text, has_invalid, scan }
    };
    let mut scanned: Vec<Scanned> = Vec::new();
    let mut batch = chunks.next_batch();
    while !batch.is_empty() {
        let before = std::mem::take(&mut scanned);
        batch = rayon::in_place_scope(|scope| {
            let (scanned, scan_one) = (&mut scanned, &scan_one);
            scope.spawn(move |_| batch.into_par_iter().map(scan_one).collect_into_vec(scanned));
            window.add(before, &mut chunks.spare);
            chunks.next_batch()
        });
    }
    window.add(scanned, &mut chunks.spare);
    let has_invalid = window.has_invalid || chunks.has_invalid;
    ScannedLog { has_invalid, ..window.into_log(chunks.has_final_break) }
}

/// The collected chunks whose lines are not copied yet.
struct Window<'i> {
    collector: Collector<'i>,
    waiting: VecDeque<(String, Promised)>,
    has_invalid: bool,
}

impl<'i> Window<'i> {
    fn new(interest: RetentionPolicy<'i>, options: &ScanOptions) -> Self {
        let collector = Collector::new(interest, options, Keep::Copies);
        Self { collector, waiting: VecDeque::new(), has_invalid: false }
    }

    /// Collects chunks in their order; texts that are done go to `spare`.
    fn add(&mut self, scanned: Vec<Scanned>, spare: &mut Vec<Vec<u8>>) {
        for Scanned { text, has_invalid, scan } in scanned {
            self.has_invalid |= has_invalid;
            let promised = self.collector.add(&text, scan);
            self.waiting.push_back((text, promised));
            if self.waiting.len() > MAX_WAITING {
                spare.extend(self.copy_first().map(String::into_bytes));
            }
        }
    }

    /// Copies the lines of the chunk that waits longest, as far as they are still wanted.
    fn copy_first(&mut self) -> Option<String> {
        let (text, promised) = self.waiting.pop_front()?;
        let next = self.waiting.front().map(|(next, _)| next.as_str());
        self.collector.hold(&text, promised, next);
        Some(text)
    }

    fn into_log(mut self, has_final_break: bool) -> ScannedLog {
        while self.copy_first().is_some() {}
        self.collector.into_log(has_final_break)
    }
}

/// Reads log lines of a text that is held anyway; ranges count in that text.
pub fn scan_text(text: &str, interest: RetentionPolicy<'_>) -> LogScan {
    scan_text_with(text, interest, &ScanOptions::default())
}

/// Reads log lines as [`scan_text`] does, within other limits.
pub fn scan_text_with(text: &str, interest: RetentionPolicy<'_>, options: &ScanOptions) -> LogScan {
    let mut collector = Collector::new(interest, options, Keep::References);
    // In one piece, so that nothing has to be carried over in copies.
    let scan = scan_chunk(text, ScanState::fresh(), ChunkEnd::Log, interest, options);
    let promised = collector.add(text, scan);
    collector.hold(text, promised, None);
    collector.into_scan(text)
}

/// A stream in pieces of whole lines.
struct Chunks<'r> {
    next: NextPiece<'r>,
    chunk_bytes: usize,
    line_bytes: usize,
    /// What was read beyond the last chunk.
    rest: Vec<u8>,
    /// Texts of chunks that are done: fresh memory costs more than scanning it.
    spare: Vec<Vec<u8>>,
    is_done: bool,
    has_final_break: bool,
    /// Whether the rest of a line that was left out had bytes that are no UTF-8.
    has_invalid: bool,
}

impl<'r> Chunks<'r> {
    fn new(next: NextPiece<'r>, options: &ScanOptions) -> Self {
        Self {
            next,
            chunk_bytes: options.chunk_bytes.max(1),
            line_bytes: options.line_bytes,
            rest: Vec::new(),
            spare: Vec::new(),
            is_done: false,
            has_final_break: true,
            has_invalid: false,
        }
    }

    fn next_batch(&mut self) -> Vec<Vec<u8>> {
        let size = rayon::current_num_threads().min(MAX_BATCH);
        std::iter::from_fn(|| self.next_chunk()).take(size).collect()
    }

    fn next_chunk(&mut self) -> Option<Vec<u8>> {
        let mut text = self.spare.pop().unwrap_or_default();
        text.clear();
        text.append(&mut self.rest);
        let mut wanted = self.chunk_bytes.max(text.len());
        loop {
            while text.len() < wanted && !self.is_done {
                self.read(&mut text);
            }
            let end = if self.is_done { Some(text.len()) } else { border(&text) };
            if let Some(end) = end {
                self.rest.extend_from_slice(text.get(end..).unwrap_or_default());
                if self.is_done && !text.is_empty() {
                    self.has_final_break = text.ends_with(b"\n");
                }
                text.truncate(end);
                return (end > 0).then_some(text);
            }
            // A single line that fills the chunk: hold no more of it than is looked at, and the
            // whole of its last character, so that it is cut like any other.
            let held = self.line_bytes + 8;
            if text.len() > held {
                let is_inside = |at: &usize| text.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
                let end = (held - 3..=held).rev().find(|at| !is_inside(at)).unwrap_or(held);
                self.skip_line(text.get(end..).unwrap_or_default());
                text.truncate(end);
                text.push(b'\n');
                return Some(text);
            }
            wanted += self.chunk_bytes;
        }
    }

    fn read(&mut self, text: &mut Vec<u8>) {
        self.is_done = !(self.next)(text);
    }

    /// Reads over the rest of a line, which begins with what is given; what comes after it is kept for the next chunk.
    fn skip_line(&mut self, begun: &[u8]) {
        let (mut decoder, mut skipped) = (Decoder::new(CodeUnits::Utf8), String::new());
        decoder.push(begun, &mut skipped);
        let (mut piece, mut end) = (Vec::new(), None);
        while end.is_none() && !self.is_done {
            piece.clear();
            self.read(&mut piece);
            end = memchr::memchr(b'\n', &piece);
            skipped.clear();
            decoder.push(piece.get(..end.unwrap_or(piece.len())).unwrap_or_default(), &mut skipped);
        }
        decoder.finish(&mut skipped);
        self.has_invalid |= decoder.encoding() != Encoding::Utf8;
        self.has_final_break = end.is_some();
        if let Some(end) = end {
            self.rest.extend_from_slice(piece.get(end + 1..).unwrap_or_default());
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
