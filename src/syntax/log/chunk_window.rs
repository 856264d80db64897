//! Chunks on their way: scanned by themselves, collected in order, and taken in a while later.
//!
//! Chunks wait before their records are taken in: by then most of these are known to be pushed out by later ones of
//! their template.

use std::collections::VecDeque;
use std::sync::Mutex;

use super::chunk::{ChunkEnd, ScanPolicy, scan_chunk};
use super::chunk_buffer::Chunk;
use super::chunk_scan::ChunkScan;
use super::collect::{ChunkText, Collected, Collector, Keep};
use super::scan_result::ScannedLog;
use super::scan_state::ScanState;
use super::statements::Statements;
use super::{RetentionPolicy, ScanOptions};
use crate::input::decode_utf8;

/// A chunk that was scanned by itself.
pub(super) struct Scanned {
    pub(super) chunk: Chunk,
    has_invalid: bool,
    scan: ChunkScan,
}

/// What all chunks of a log are scanned with.
pub(super) struct Scanning<'i> {
    interest: RetentionPolicy<'i>,
    pub(super) options: &'i ScanOptions,
    /// What was decided so far, once for each thread.
    known: Mutex<Vec<Statements>>,
}

impl<'i> Scanning<'i> {
    pub(super) fn new(interest: RetentionPolicy<'i>, options: &'i ScanOptions) -> Self {
        Self { interest, options, known: Mutex::default() }
    }

    /// Scans a chunk as if nothing stood before it.
    pub(super) fn scan(&self, mut chunk: Chunk) -> Scanned {
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
pub(super) struct Window<'i> {
    collector: Collector<'i>,
    waiting: VecDeque<(Chunk, Collected)>,
    /// How many chunks wait at most.
    most: usize,
    pub(super) has_invalid: bool,
}

impl<'i> Window<'i> {
    pub(super) fn new(interest: RetentionPolicy<'i>, options: &ScanOptions) -> Self {
        let collector = Collector::new(interest, options, Keep::Copies);
        // The line behind the last one of a chunk stands in the next chunk.
        let (waiting, most) = (VecDeque::new(), options.waiting_chunks.max(1));
        Self { collector, waiting, most, has_invalid: false }
    }

    /// Collects the next chunk; returns one that is done.
    pub(super) fn add(&mut self, scanned: Scanned) -> Option<Chunk> {
        let Scanned { chunk, has_invalid, scan } = scanned;
        if chunk.bytes().is_empty() {
            return Some(chunk);
        }
        self.has_invalid |= has_invalid;
        let collected = self.collector.add(chunk.bytes(), scan);
        self.waiting.push_back((chunk, collected));
        let is_full = self.waiting.len() > self.most;
        is_full.then(|| self.take_in_first()).flatten()
    }

    /// Takes in the records of the chunk that waits longest.
    fn take_in_first(&mut self) -> Option<Chunk> {
        let (chunk, collected) = self.waiting.pop_front()?;
        let next = self.waiting.front().map(|(next, _)| next.bytes());
        self.collector.take_in(ChunkText { here: chunk.bytes(), next }, collected);
        Some(chunk)
    }

    /// Ends the log. `has_final_break` says whether its last line is whole as a line.
    pub(super) fn into_log(mut self, has_final_break: bool) -> ScannedLog {
        while self.take_in_first().is_some() {}
        let log = self.collector.into_log(has_final_break);
        ScannedLog { has_invalid: self.has_invalid, ..log }
    }
}
