//! A file cut into ranges of whole lines, each of which one thread reads and scans.
//!
//! Where a range ends is found in a small piece of the file before anybody reads the range, so that threads wait for each
//! other only that long, and a range is scanned by the thread into whose cache it was read. Ranges are given out in order, each from
//! where the one before it ends: a file that changes in the meantime is read as it is found, no part of it twice.

use std::io::{self, ErrorKind, Read};

use super::ScanOptions;
use super::chunk_buffer::Chunk;
use super::chunk_reader::record_border;
use crate::input::ReadAt;

/// How much is looked at for the end of a range; more, if no record starts there.
const BORDER_BYTES: usize = 4096;

/// How much more is looked at each time.
const BORDER_GROWTH: usize = 16;

/// A range of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineRange {
    /// How many were given out before it.
    pub(super) number: u64,
    at: u64,
    /// How many bytes it has; the last one perhaps fewer.
    len: usize,
    /// How many bytes a range has at most.
    most: usize,
    /// Whether the file ends there.
    pub(super) is_last: bool,
}

/// What there is after the ranges that were given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ahead {
    Ranges,
    /// A line that is longer than a range.
    LongLine,
    Nothing,
}

/// The ranges of a file.
pub(super) struct LineRanges<'f> {
    file: &'f dyn ReadAt,
    chunk_bytes: usize,
    given: u64,
    at: u64,
    ahead: Ahead,
    /// Why the file ends early, if it does.
    pub(super) failed: Option<io::Error>,
    /// Where the end of a range is looked for.
    piece: Vec<u8>,
}

impl<'f> LineRanges<'f> {
    pub(super) fn new(file: &'f dyn ReadAt, options: &ScanOptions) -> Self {
        let chunk_bytes = options.chunk_bytes.max(1);
        let (ahead, failed) = (Ahead::Ranges, None);
        Self { file, chunk_bytes, given: 0, at: 0, ahead, failed, piece: Vec::new() }
    }

    /// Gives out no more ranges, since the file ends or cannot be read.
    pub(super) fn end(&mut self, error: Option<io::Error>) {
        self.ahead = Ahead::Nothing;
        self.failed = self.failed.take().or(error);
    }

    /// Returns where a line begins that is longer than a range, if that is why there are no more.
    pub(super) fn long_line(&self) -> Option<u64> {
        (self.ahead == Ahead::LongLine).then_some(self.at)
    }

    /// Gives out the next range.
    pub(super) fn give(&mut self) -> Option<LineRange> {
        if self.ahead != Ahead::Ranges {
            return None;
        }
        let (len, is_last) = match self.find_end() {
            RangeEnd::Border(len) => (len, false),
            RangeEnd::File(len) => (len, true),
            RangeEnd::LongLine => {
                self.ahead = Ahead::LongLine;
                return None;
            }
        };
        let most = self.chunk_bytes;
        let range = LineRange { number: self.given, at: self.at, len, most, is_last };
        self.given += 1;
        self.at += len as u64;
        if is_last {
            self.end(None);
        }
        Some(range)
    }

    /// Finds how long the next range is: up to the last line in it that starts a record, or up to its last line.
    fn find_end(&mut self) -> RangeEnd {
        let whole = self.chunk_bytes;
        let mut looked_at = BORDER_BYTES.min(whole);
        loop {
            let skipped = whole - looked_at;
            self.piece.resize(looked_at, 0);
            let at = self.at + skipped as u64;
            let (read, error) = read_some(self.file, &mut self.piece, at);
            if read < looked_at {
                self.failed = error;
                return RangeEnd::File(skipped + read);
            }
            let last = memchr::memrchr(b'\n', &self.piece).map(|at| at + 1);
            let border = last.and_then(|last| record_border(&self.piece, last));
            match border.or(last.filter(|_| looked_at == whole)) {
                Some(border) => return RangeEnd::Border(skipped + border),
                None if looked_at == whole => return RangeEnd::LongLine,
                None => looked_at = looked_at.saturating_mul(BORDER_GROWTH).min(whole),
            }
        }
    }
}

/// What ends a range.
enum RangeEnd {
    Border(usize),
    File(usize),
    /// Nothing: no line ends in it.
    LongLine,
}

impl LineRange {
    /// Reads the range; says whether the file ends in it, and what failed.
    pub(super) fn read(&self, file: &dyn ReadAt, chunk: &mut Chunk) -> (bool, Option<io::Error>) {
        let mut failed = None;
        chunk.begin(&[], self.most);
        chunk.fill(self.len, |room| {
            let (count, error) = read_some(file, room, self.at);
            failed = error;
            count
        });
        (self.is_last || chunk.bytes().len() < self.len, failed)
    }
}

/// Reads until there is nothing more to read or the buffer is full; returns how many bytes there are, and what failed.
fn read_some(file: &dyn ReadAt, buffer: &mut [u8], at: u64) -> (usize, Option<io::Error>) {
    let mut filled = 0;
    while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
        match file.read_at(room, at + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return (filled, Some(error)),
        }
    }
    (filled, None)
}

/// A file from a place on, read in order.
pub(super) struct ReadFrom<'f> {
    pub(super) file: &'f dyn ReadAt,
    pub(super) at: u64,
}

impl Read for ReadFrom<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(buffer, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}
