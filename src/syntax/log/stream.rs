//! The doors of the log reader.
//!
//! Reading is sequential, scanning parallel: while a batch of chunks is scanned, the one before it is collected and the
//! next one is read. Chunks wait a while before their records are taken in: by then most of these are known to be pushed out
//! by later ones of their template. Three batches and the waiting texts are in memory at most.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::Mutex;

use rayon::prelude::*;

use super::chunk::{ChunkEnd, ScanPolicy, scan_chunk};
use super::chunk_reader::{Chunk, ChunkReader};
use super::chunk_scan::ChunkScan;
use super::collect::{ChunkText, Collected, Collector, Keep};
use super::scan_result::{LogScan, ScannedLog};
use super::scan_state::ScanState;
use super::statements::Statements;
use super::{RetentionPolicy, ScanOptions};
use crate::input::decode_utf8;

/// How many chunks wait for their records to be taken in.
const MAX_WAITING: usize = 24;

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
    let mut chunks = ChunkReader::new(reader, options);
    let mut window = Window::new(interest, options);
    let scanning = Scanning { interest, options, known: Mutex::default() };
    let mut scanned: Vec<Scanned> = Vec::new();
    let mut batch = chunks.next_batch();
    while !batch.is_empty() {
        let before = std::mem::take(&mut scanned);
        batch = rayon::in_place_scope(|scope| {
            let (scanned, scanning) = (&mut scanned, &scanning);
            scope.spawn(move |_| {
                batch.into_par_iter().map(|chunk| scanning.scan(chunk)).collect_into_vec(scanned);
            });
            window.add(before, &mut chunks.spare);
            chunks.next_batch()
        });
    }
    window.add(scanned, &mut chunks.spare);
    chunks.spare.clear();
    let has_invalid = window.has_invalid || chunks.has_invalid;
    let mut log = window.into_log(chunks.has_final_break);
    log.scan.tail_cut |= chunks.failed.is_some();
    ScannedLog { has_invalid, read_error: chunks.failed, ..log }
}

/// A chunk that was scanned by itself.
struct Scanned {
    chunk: Chunk,
    has_invalid: bool,
    scan: ChunkScan,
}

/// What all chunks of a log are scanned with.
struct Scanning<'i> {
    interest: RetentionPolicy<'i>,
    options: &'i ScanOptions,
    /// What was decided so far, once for each thread.
    known: Mutex<Vec<Statements>>,
}

impl Scanning<'_> {
    fn scan(&self, mut chunk: Chunk) -> Scanned {
        let bytes = chunk.bytes();
        // To see that all is ASCII takes a fraction of reading characters.
        let is_valid = bytes.is_ascii() || std::str::from_utf8(bytes).is_ok();
        if !is_valid {
            let (text, _) = decode_utf8(bytes.to_vec());
            chunk.replace(text);
        }
        let scan = self.scan_text(chunk.bytes());
        Scanned { chunk, has_invalid: !is_valid, scan }
    }

    fn scan_text(&self, text: &[u8]) -> ChunkScan {
        let known = self.known.lock().ok().and_then(|mut known| known.pop());
        let mut statements = known.unwrap_or_default();
        let (interest, options) = (self.interest, self.options);
        let policy = ScanPolicy { interest, options, statements: &mut statements };
        let scan = scan_chunk(text, ScanState::unknown(), ChunkEnd::Open, policy);
        if let Ok(mut known) = self.known.lock() {
            known.push(statements);
        }
        scan
    }
}

/// The collected chunks whose records are not taken in yet.
struct Window<'i> {
    collector: Collector<'i>,
    waiting: VecDeque<(Chunk, Collected)>,
    has_invalid: bool,
}

impl<'i> Window<'i> {
    fn new(interest: RetentionPolicy<'i>, options: &ScanOptions) -> Self {
        let collector = Collector::new(interest, options, Keep::Copies);
        Self { collector, waiting: VecDeque::new(), has_invalid: false }
    }

    /// Collects chunks in their order; those that are done go to `spare`.
    fn add(&mut self, scanned: Vec<Scanned>, spare: &mut Vec<Chunk>) {
        for Scanned { chunk, has_invalid, scan } in scanned {
            self.has_invalid |= has_invalid;
            let collected = self.collector.add(chunk.bytes(), scan);
            self.waiting.push_back((chunk, collected));
            if self.waiting.len() > MAX_WAITING {
                spare.extend(self.take_in_first());
            }
        }
    }

    /// Takes in the records of the chunk that waits longest.
    fn take_in_first(&mut self) -> Option<Chunk> {
        let (chunk, collected) = self.waiting.pop_front()?;
        let next = self.waiting.front().map(|(next, _)| next.bytes());
        self.collector.take_in(ChunkText { here: chunk.bytes(), next }, collected);
        Some(chunk)
    }

    fn into_log(mut self, has_final_break: bool) -> ScannedLog {
        while self.take_in_first().is_some() {}
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
    let mut statements = Statements::default();
    let policy = ScanPolicy { interest, options, statements: &mut statements };
    // In one piece, so that nothing has to be carried over in copies.
    let scan = scan_chunk(text.as_bytes(), ScanState::fresh(), ChunkEnd::Log, policy);
    let collected = collector.add(text.as_bytes(), scan);
    collector.take_in(ChunkText { here: text.as_bytes(), next: None }, collected);
    collector.into_scan(text)
}
