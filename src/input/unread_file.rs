//! [`UnreadFile`] and [`UnreadReason`]: what was not read, or not to its end, and why.
//!
//! A bundle is always half broken, so a bad file is a value here, not an error. A reason also travels
//! through [`std::io::Error`] where it arises below a [`Read`](std::io::Read).
//! Invariant: every reason reads as the end of the sentence "FILE …" and tells what was still read.

use std::io;

use smol_str::SmolStr;

/// A file that was not read, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path} {reason}")]
pub struct UnreadFile {
    /// The path as a member would show it; control characters are replaced.
    pub path: SmolStr,
    /// Why it was not read.
    pub reason: UnreadReason,
}

/// Why a file was not read, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnreadReason {
    /// The operating system would not give it.
    #[error("cannot be read: {0}")]
    Unreadable(SmolStr),
    /// The file or the archive around it was cut; what stands before the cut was read.
    #[error("ends too early: it was cut; what stands before the cut was read")]
    Truncated,
    /// The packed data contradicts itself; what stands before that place was read.
    #[error("is damaged ({0}); what stands before the damage was read")]
    Damaged(SmolStr),
    /// It is packed in a way that is not known here.
    #[error("is packed as {0}, which is not supported: unpack it and pass the folder")]
    Unsupported(&'static str),
    /// It needs a password.
    #[error("is encrypted: unpack it and pass the folder")]
    Encrypted,
    /// It cannot be read as one text.
    #[error("is larger than {limit} bytes, the most that is read as one text")]
    TooLarge {
        /// [`Limits::text`](super::Limits::text).
        limit: u64,
    },
    /// Too much is in memory already.
    #[error("would bring the text kept in memory above {limit} bytes")]
    TooMuchHeld {
        /// [`Limits::held`](super::Limits::held).
        limit: u64,
    },
    /// Too much came out of archives already.
    #[error("would bring the unpacked bytes above {limit}; the rest of it was not read")]
    TooMuchUnpacked {
        /// [`Limits::unpacked`](super::Limits::unpacked).
        limit: u64,
    },
    /// It unpacks to far more than a log or a dump ever does.
    #[error("unpacks to more than {limit} times its size, as a bomb does; the rest was not read")]
    Bomb {
        /// [`Limits::ratio`](super::Limits::ratio).
        limit: u64,
    },
    /// There are too many files.
    #[error("holds more than the {limit} files that are read; the rest was not read")]
    TooManyEntries {
        /// [`Limits::entries`](super::Limits::entries).
        limit: u64,
    },
    /// It lies in too many archives.
    #[error("lies deeper than {limit} archives inside each other")]
    TooDeep {
        /// [`Limits::nesting`](super::Limits::nesting).
        limit: u32,
    },
    /// Its name in the archive is absolute, climbs with `..`, or is longer than any system allows.
    #[error("has a name that no honest archive holds (absolute, with `..`, or too long)")]
    UnsafeName,
    /// It is a link to something outside the bundle.
    #[error("is a link that leaves the bundle (to {0}); it was not followed")]
    LinkOutside(SmolStr),
    /// It is a link to nothing, or to itself.
    #[error("is a link to nothing ({0})")]
    LinkBroken(SmolStr),
    /// It is a device, a pipe or the like inside a folder or an archive.
    #[error("is not a file but a device, a pipe or the like")]
    NotAFile,
}

impl From<UnreadReason> for io::Error {
    fn from(reason: UnreadReason) -> Self {
        Self::other(reason)
    }
}

impl From<&io::Error> for UnreadReason {
    fn from(error: &io::Error) -> Self {
        if let Some(reason) = error.get_ref().and_then(|inner| inner.downcast_ref::<Self>()) {
            return reason.clone();
        }
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Truncated,
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                Self::Damaged(error.to_string().into())
            }
            _ => Self::Unreadable(error.to_string().into()),
        }
    }
}

impl From<io::Error> for UnreadReason {
    fn from(error: io::Error) -> Self {
        Self::from(&error)
    }
}
