//! [`ReadProgress`]: how many files and bytes of a bundle were read so far.

use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts files and bytes while they are read; another thread may look at it.
#[derive(Debug, Default)]
pub struct ReadProgress {
    files: AtomicU64,
    bytes: AtomicU64,
}

impl ReadProgress {
    /// Returns the files and bytes that were read so far.
    pub fn read_so_far(&self) -> (u64, u64) {
        (self.files.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }

    pub(super) fn add_file(&self) {
        self.files.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn add_bytes(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Counts what is read from a reader.
    pub(super) fn watch<R>(&self, inner: R) -> Watched<'_, R> {
        Watched { inner, progress: self }
    }
}

/// A reader of which the bytes are counted.
pub(super) struct Watched<'p, R> {
    pub(super) inner: R,
    progress: &'p ReadProgress,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.progress.add_bytes(count);
        Ok(count)
    }
}
