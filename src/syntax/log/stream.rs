//! The doors of the log reader for streams and for texts.
//!
//! Reading is sequential, scanning parallel: while a batch of chunks is scanned, the one before it is collected and the
//! next one is read. Three batches and the waiting texts are in memory at most.

use std::io::Read;

use rayon::prelude::*;

use super::chunk::{ChunkEnd, ScanPolicy, scan_chunk};
use super::chunk_reader::ChunkReader;
use super::chunk_window::{Scanned, Scanning, Window};
use super::collect::{ChunkText, Collector, Keep};
use super::scan_result::{LogScan, ScannedLog};
use super::scan_state::ScanState;
use super::statements::Statements;
use super::{RetentionPolicy, ScanOptions};

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
    let scanning = Scanning::new(interest, options);
    scan_stream(reader, &scanning, Window::new(interest, options))
}

/// Reads what follows of a log.
pub(super) fn scan_stream(
    reader: &mut dyn Read,
    scanning: &Scanning<'_>,
    mut window: Window<'_>,
) -> ScannedLog {
    let mut chunks = ChunkReader::new(reader, scanning.options);
    let mut scanned: Vec<Scanned> = Vec::new();
    let mut batch = chunks.next_batch();
    while !batch.is_empty() {
        let before = std::mem::take(&mut scanned);
        batch = rayon::in_place_scope(|scope| {
            let scanned = &mut scanned;
            scope.spawn(move |_| {
                batch.into_par_iter().map(|chunk| scanning.scan(chunk)).collect_into_vec(scanned);
            });
            chunks.spare.extend(before.into_iter().filter_map(|scanned| window.add(scanned)));
            chunks.next_batch()
        });
    }
    scanned.into_iter().for_each(|scanned| drop(window.add(scanned)));
    chunks.spare.clear();
    window.has_invalid |= chunks.has_invalid;
    let mut log = window.into_log(chunks.has_final_break);
    log.scan.tail_cut |= chunks.failed.is_some();
    ScannedLog { read_error: chunks.failed, ..log }
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
