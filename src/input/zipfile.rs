//! Reads the entries of zip archives: stored and deflated ones, checked against their checksums.
//!
//! The table of contents is [`directory`]'s. Reading is ours, not a crate's: `zip` 4.6 reserves memory
//! for as many entries as the file claims, drops all but one entry of a name without a word, and gives
//! nothing of an archive whose end is missing.
//! Invariant: what the archive claims about sizes is never trusted with memory.

pub(super) mod directory;

use std::io::{self, Read, Seek, SeekFrom};

use flate2::Crc;
use flate2::read::DeflateDecoder;

use super::UnreadReason;
use directory::{LOCAL, Record, short};

/// A reader that can go back; archives on disk and in memory are such.
pub(super) trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// Opens an entry for reading.
pub(super) fn open<'a>(
    archive: &'a mut dyn ReadSeek,
    record: &Record,
) -> Result<Box<dyn Read + 'a>, UnreadReason> {
    if record.is_encrypted() {
        return Err(UnreadReason::Encrypted);
    }
    archive.seek(SeekFrom::Start(record.at))?;
    let mut header = [0; 30];
    archive.read_exact(&mut header)?;
    if !header.starts_with(LOCAL) {
        return Err(UnreadReason::Damaged("an entry is not where the directory says".into()));
    }
    let skip = i64::from(short(&header, 26)) + i64::from(short(&header, 28));
    archive.seek(SeekFrom::Current(skip))?;
    let packed = archive.take(record.packed);
    let inner: Box<dyn Read + 'a> = match record.method {
        0 => Box::new(packed),
        8 => Box::new(DeflateDecoder::new(packed)),
        9 => return Err(UnreadReason::Unsupported("deflate64")),
        12 => return Err(UnreadReason::Unsupported("bzip2")),
        14 => return Err(UnreadReason::Unsupported("lzma")),
        93 => return Err(UnreadReason::Unsupported("zstd in zip")),
        95 => return Err(UnreadReason::Unsupported("xz")),
        _ => return Err(UnreadReason::Unsupported("a rare zip method")),
    };
    Ok(Box::new(Checked { inner, length: 0, sum: Crc::new(), stated: record.stated }))
}

/// An entry's bytes, compared with its stated size and checksum once they end.
struct Checked<'a> {
    inner: Box<dyn Read + 'a>,
    length: u64,
    sum: Crc,
    stated: Option<(u64, u32)>,
}

impl Read for Checked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.length += count as u64;
        self.sum.update(buffer.get(..count).unwrap_or_default());
        match self.stated {
            _ if count > 0 || buffer.is_empty() => Ok(count),
            Some((length, _)) if self.length < length => Err(io::ErrorKind::UnexpectedEof.into()),
            Some((_, sum)) if self.sum.sum() != sum => {
                Err(UnreadReason::Damaged("its checksum is wrong".into()).into())
            }
            _ => Ok(0),
        }
    }
}
