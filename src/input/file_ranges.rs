//! [`FileRanges`]: a file on disk that is text as it is, read by several threads, each at its own place.
//!
//! Nothing is decoded: whoever takes the bytes apart looks for those that are no UTF-8. Reading at a place does not
//! move where others read.

use std::fs::File;
use std::io;

use super::UnreadReason;
use super::read_budget::ReadBudget;
use crate::source::Encoding;

/// Bytes that can be read at any place, by several threads at once.
pub trait ReadAt: Sync {
    /// Reads some bytes from a place on; none are the end.
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize>;
}

impl ReadAt for &[u8] {
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        let mut behind = usize::try_from(at).ok().and_then(|at| self.get(at..)).unwrap_or_default();
        io::Read::read(&mut behind, buffer)
    }
}

/// The bytes of a file.
#[derive(Clone, Copy, Debug)]
pub struct FileBytes<'a>(&'a File);

impl<'a> FileBytes<'a> {
    /// Takes a regular file, where the system can read it at a place.
    pub(super) fn of(file: &'a File) -> Option<Self> {
        cfg!(any(unix, windows)).then_some(Self(file))
    }
}

impl ReadAt for FileBytes<'_> {
    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self.0, buffer, at)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self.0, buffer, at)
    }

    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, _: &mut [u8], _: u64) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// How far a file was read.
#[derive(Debug, Default)]
pub struct ReadEnd {
    /// How many bytes were read, from the first one on.
    pub bytes: u64,
    /// Why that is not all, if reading failed.
    pub error: Option<io::Error>,
}

/// The text of a file, not yet read.
pub struct FileRanges<'a> {
    /// Its bytes.
    pub bytes: FileBytes<'a>,
    budget: &'a ReadBudget,
    /// How many of them were looked at before, and counted.
    counted: usize,
}

impl<'a> FileRanges<'a> {
    pub(super) fn new(bytes: FileBytes<'a>, budget: &'a ReadBudget, counted: usize) -> Self {
        Self { bytes, budget, counted }
    }

    /// Takes note of how far it was read; `has_invalid` says whether bytes were no UTF-8.
    pub fn finish(self, end: ReadEnd, has_invalid: bool) -> Encoding {
        let read = &self.budget.read;
        read.set(read.get() + end.bytes.saturating_sub(self.counted as u64));
        if let Some(error) = end.error {
            self.budget.note(UnreadReason::from(error));
        }
        if has_invalid { Encoding::Utf8Invalid } else { Encoding::Utf8 }
    }
}
