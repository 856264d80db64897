//! The door of the log reader for files that can be read at any place.
//!
//! Each thread reads a range of the file, scans it while it is in its cache, and hands it over; whoever finds the next one in
//! order there collects it. Threads do not wait for each other: one that is too far ahead goes, and is called again.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::Scope;

use super::chunk_buffer::Chunk;
use super::chunk_window::{Scanned, Scanning, Window};
use super::line_ranges::{LineRange, LineRanges, ReadFrom};
use super::scan_result::ScannedLog;
use super::stream::scan_stream;
use super::{RetentionPolicy, ScanOptions};
use crate::input::{ReadAt, ReadEnd};

/// How many threads read and scan at most: what they find is collected by one.
const MAX_THREADS: usize = 8;

/// How many ranges may be on their way for each thread.
const AHEAD: usize = 2;

/// Reads a log to its end, and keeps what is of interest; says how far it was read. `progress` is told of bytes that were read.
pub fn scan_file(
    file: &dyn ReadAt,
    interest: RetentionPolicy<'_>,
    options: &ScanOptions,
    progress: &(dyn Fn(usize) + Sync),
) -> (ScannedLog, ReadEnd) {
    let threads = rayon::current_num_threads().clamp(1, MAX_THREADS);
    let scanning = Scanning::new(interest, options);
    let desk = Desk {
        scanning: &scanning,
        file,
        progress,
        most: threads * AHEAD,
        state: Mutex::new(DeskState::new(LineRanges::new(file, options))),
        window: Mutex::new(Window::new(interest, options)),
    };
    rayon::scope(|scope| (0..threads).for_each(|_| scope.spawn(|scope| desk.work(scope))));
    let Desk { state, window, .. } = desk;
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    let window = window.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(at) = state.ranges.long_line() {
        // Such a line is not held as a whole, so that nobody but who reads in order can find its end.
        let mut rest = Counted { inner: ReadFrom { file, at }, progress, failed: None };
        let log = scan_stream(&mut rest, &scanning, window);
        return (log, ReadEnd { bytes: rest.inner.at, error: rest.failed });
    }
    let log = window.into_log(state.has_final_break);
    (log, ReadEnd { bytes: state.collected_bytes, error: state.ranges.failed })
}

/// What the threads share.
struct Desk<'d> {
    scanning: &'d Scanning<'d>,
    file: &'d dyn ReadAt,
    progress: &'d (dyn Fn(usize) + Sync),
    /// How many ranges may be on their way.
    most: usize,
    state: Mutex<DeskState<'d>>,
    window: Mutex<Window<'d>>,
}

/// What is given out and what came back.
struct DeskState<'d> {
    ranges: LineRanges<'d>,
    arrived: BTreeMap<u64, Arrival>,
    /// How many ranges are given out and not collected.
    under_way: usize,
    /// The number of the range that is collected next.
    next: u64,
    is_collecting: bool,
    /// How many threads went because too much was under way.
    gone: usize,
    spare: Vec<Chunk>,
    collected_bytes: u64,
    has_final_break: bool,
}

/// A range that was scanned.
struct Arrival {
    scanned: Scanned,
    /// Whether the file ends in it.
    is_last: bool,
}

impl<'d> DeskState<'d> {
    fn new(ranges: LineRanges<'d>) -> Self {
        Self {
            ranges,
            arrived: BTreeMap::new(),
            under_way: 0,
            next: 0,
            is_collecting: false,
            gone: 0,
            spare: Vec::new(),
            collected_bytes: 0,
            has_final_break: true,
        }
    }

    /// Takes out the next range in order, if it is there.
    fn take_next(&mut self) -> Option<Scanned> {
        let Arrival { scanned, is_last } = self.arrived.remove(&self.next)?;
        self.next += 1;
        let text = scanned.chunk.bytes();
        self.collected_bytes += text.len() as u64;
        if is_last {
            // Where a file grew while it was read, others may have read on.
            self.next = u64::MAX;
            self.has_final_break = text.is_empty() || text.ends_with(b"\n");
        }
        Some(scanned)
    }
}

impl<'d> Desk<'d> {
    /// Reads, scans and collects ranges as long as there are some.
    fn work<'s>(&'s self, scope: &Scope<'s>) {
        while let Some((range, mut chunk)) = self.give() {
            let (is_last, failed) = range.read(self.file, &mut chunk);
            if is_last || failed.is_some() {
                self.state().ranges.end(failed);
            }
            (self.progress)(chunk.bytes().len());
            let scanned = self.scanning.scan(chunk);
            self.state().arrived.insert(range.number, Arrival { scanned, is_last });
            self.collect(scope);
        }
    }

    fn give(&self) -> Option<(LineRange, Chunk)> {
        let mut state = self.state();
        if state.under_way >= self.most {
            state.gone += 1;
            return None;
        }
        let range = state.ranges.give()?;
        state.under_way += 1;
        Some((range, state.spare.pop().unwrap_or_default()))
    }

    /// Collects what arrived, as far as it is the next in order, unless somebody is at it; calls those who went.
    fn collect<'s>(&'s self, scope: &Scope<'s>) {
        let mut state = self.state();
        if state.is_collecting {
            return;
        }
        state.is_collecting = true;
        while let Some(scanned) = state.take_next() {
            drop(state);
            let spare = self.window.lock().unwrap_or_else(PoisonError::into_inner).add(scanned);
            state = self.state();
            state.spare.extend(spare);
            state.under_way -= 1;
            if state.gone > 0 {
                state.gone -= 1;
                scope.spawn(|scope| self.work(scope));
            }
        }
        state.is_collecting = false;
    }

    fn state(&self) -> MutexGuard<'_, DeskState<'d>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What follows the ranges, read in order. A fault ends it there.
struct Counted<'f> {
    inner: ReadFrom<'f>,
    progress: &'f (dyn Fn(usize) + Sync),
    failed: Option<io::Error>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.inner.read(buffer) {
            Ok(count) => {
                (self.progress)(count);
                Ok(count)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            Err(error) => {
                self.failed = Some(error);
                Ok(0)
            }
        }
    }
}
