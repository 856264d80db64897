//! [`Limits`]: how much of an untrusted bundle is read.
//!
//! The defaults let through what support really gets (a 1 GB log, a 300 MB dump, a zip of tarballs)
//! and stop what only an attacker sends. Running into one is an [`UnreadReason`](super::UnreadReason), never an
//! error: the rest of the bundle is still read.

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// How much is read before a file or an archive is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that may come out of archives and compressed files, all together.
    ///
    /// Plain files on disk do not count: they are as large as the user already knows.
    pub unpacked: u64,
    /// Bytes of one file that is read whole; a log that is read in blocks may be larger.
    pub text: u64,
    /// Bytes kept in memory: all texts that were read whole, and zips inside other archives while they
    /// are open.
    pub held: u64,
    /// Files on disk and entries of archives, all together.
    pub entries: u64,
    /// Archives and compressed files inside each other: 1 reads an archive, but none inside it.
    pub nesting: u32,
    /// Unpacked bytes per packed byte: of one archive or compressed file, and of everything that comes out of
    /// archives, at any depth, per byte that was given.
    pub ratio: u64,
    /// Unpacked bytes from which on the ratio is looked at: small files may be as empty as they like.
    pub ratio_from: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            unpacked: 16 * GIB,
            text: 512 * MIB,
            held: 2 * GIB,
            entries: 200_000,
            nesting: 5,
            // Deflate ends at 1032; logs of one repeated line were seen at 200 and below.
            ratio: 500,
            // A zip of zips gives as much from any depth as a plain one may.
            ratio_from: 16 * MIB,
        }
    }
}
