//! Reads tar archives entry by entry, from a stream.
//!
//! The `tar` crate reads the headers; the walk is ours because its own keeps a long name of any size
//! in memory and gives out entries that cannot be put behind one trait object.
//! Invariant: what is kept of an archive is one header and its extensions, at most [`EXTENSION`] each.

use std::io::{self, Read};

use tar::{EntryType, Header, PaxExtensions};

use super::UnreadReason;
use super::sniff::is_tar_header;

/// The most that a long name or a table of attributes may take.
const EXTENSION: u64 = 1 << 20;
const BLOCK: usize = 512;

/// What an archive entry is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TarEntryKind {
    File,
    Directory,
    /// A link, with its target as seen from the folder of the link.
    Symlink(Vec<u8>),
    /// Another name of an entry, with that entry's name.
    Hardlink(Vec<u8>),
    /// A file with holes, which GNU tar packs in a way of its own.
    Sparse,
    /// A device or the like.
    Other,
}

/// The head of one entry; its bytes are read from the [`Tarball`].
#[derive(Debug)]
pub(super) struct TarEntry {
    pub(super) name: Vec<u8>,
    pub(super) kind: TarEntryKind,
    /// When it was written, in seconds; archives that are made to be equal have none.
    pub(super) modified: Option<i64>,
}

/// What extension headers say about the entry after them.
#[derive(Default)]
struct Extensions {
    name: Option<Vec<u8>>,
    target: Option<Vec<u8>>,
    size: Option<u64>,
}

/// A tar archive; as a reader it gives the bytes of the current entry.
pub(super) struct Tarball<R> {
    inner: R,
    /// Bytes of the current entry that are still to come, and the padding after them.
    left: u64,
    padding: u64,
    /// Whether the last block was empty, which marks the end.
    closed: bool,
    broken: bool,
}

impl<R: Read> Tarball<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, left: 0, padding: 0, closed: false, broken: false }
    }

    /// Says whether the archive's own bytes failed while an entry was read.
    pub(super) fn is_broken(&self) -> bool {
        self.broken
    }

    /// Goes to the next entry, over whatever was not read of this one.
    pub(super) fn next_entry(&mut self) -> Result<Option<TarEntry>, UnreadReason> {
        let mut extensions = Extensions::default();
        while let Some(block) = self.next_block()? {
            let header = Header::from_byte_slice(&block);
            let kind = header.entry_type();
            let stated = header.entry_size();
            let stated = stated.map_err(|error| UnreadReason::Damaged(error.to_string().into()))?;
            self.left = extensions.size.unwrap_or(stated);
            self.padding = self.left.wrapping_neg() % BLOCK as u64;
            match kind {
                EntryType::GNULongName => extensions.name = Some(self.read_name()?),
                EntryType::GNULongLink => extensions.target = Some(self.read_name()?),
                EntryType::XHeader => self.read_pax(&mut extensions)?,
                EntryType::XGlobalHeader => {}
                _ => {
                    self.skip_sparse_map(header)?;
                    return Ok(Some(entry(header, extensions)));
                }
            }
        }
        Ok(None)
    }

    /// Returns the next header. Empty blocks are passed over, as archives may be joined end to end.
    fn next_block(&mut self) -> Result<Option<[u8; BLOCK]>, UnreadReason> {
        self.skip()?;
        loop {
            let mut block = [0; BLOCK];
            let count = fill(&mut self.inner, &mut block)?;
            match count {
                0 if self.closed => return Ok(None),
                BLOCK if block.iter().all(|&byte| byte == 0) => self.closed = true,
                BLOCK if is_tar_header(&block) => {
                    self.closed = false;
                    return Ok(Some(block));
                }
                BLOCK if self.closed => return Ok(None),
                BLOCK => return Err(UnreadReason::Damaged("the checksum of a tar header".into())),
                _ if self.closed => return Ok(None),
                _ => return Err(UnreadReason::Truncated),
            }
        }
    }

    fn skip(&mut self) -> Result<(), UnreadReason> {
        let left = self.left.saturating_add(self.padding);
        (self.left, self.padding) = (0, 0);
        let skipped = io::copy(&mut (&mut self.inner).take(left), &mut io::sink())?;
        if skipped < left { Err(UnreadReason::Truncated) } else { Ok(()) }
    }

    fn read_extension(&mut self) -> Result<Vec<u8>, UnreadReason> {
        if self.left > EXTENSION {
            return Err(UnreadReason::Damaged("a tar extension header beyond all measure".into()));
        }
        let mut bytes = Vec::new();
        self.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn read_name(&mut self) -> Result<Vec<u8>, UnreadReason> {
        let mut name = self.read_extension()?;
        name.truncate(name.iter().position(|&byte| byte == 0).unwrap_or(name.len()));
        Ok(name)
    }

    fn read_pax(&mut self, extensions: &mut Extensions) -> Result<(), UnreadReason> {
        let bytes = self.read_extension()?;
        for record in PaxExtensions::new(&bytes).flatten() {
            let value = record.value_bytes();
            match record.key_bytes() {
                b"path" => extensions.name = Some(value.to_vec()),
                b"linkpath" => extensions.target = Some(value.to_vec()),
                b"size" => extensions.size = record.value().ok().and_then(|text| text.parse().ok()),
                _ => {}
            }
        }
        Ok(())
    }

    /// A map of holes that does not fit the header stands in blocks of its own before the content.
    fn skip_sparse_map(&mut self, header: &Header) -> Result<(), UnreadReason> {
        let mut more = header
            .as_gnu()
            .is_some_and(|gnu| header.entry_type() == EntryType::GNUSparse && gnu.is_extended());
        while more {
            let mut block = [0; BLOCK];
            self.inner.read_exact(&mut block)?;
            more = block[504] == 1;
        }
        Ok(())
    }
}

impl<R: Read> Read for Tarball<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = (&mut self.inner).take(self.left).read(buffer);
        let cut = matches!(result, Ok(0)) && self.left > 0 && !buffer.is_empty();
        let result = if cut { Err(io::ErrorKind::UnexpectedEof.into()) } else { result };
        self.broken |= result.is_err();
        let count = result?;
        self.left -= count as u64;
        Ok(count)
    }
}

fn entry(header: &Header, extensions: Extensions) -> TarEntry {
    let name = extensions.name.unwrap_or_else(|| header.path_bytes().into_owned());
    let target = || {
        let short = header.link_name_bytes().map(std::borrow::Cow::into_owned);
        extensions.target.or(short).unwrap_or_default()
    };
    let kind = match header.entry_type() {
        // Archives from before 1988 mark a folder by its name alone.
        EntryType::Regular | EntryType::Continuous if name.ends_with(b"/") => {
            TarEntryKind::Directory
        }
        EntryType::Regular | EntryType::Continuous => TarEntryKind::File,
        EntryType::Directory => TarEntryKind::Directory,
        EntryType::Symlink => TarEntryKind::Symlink(target()),
        EntryType::Link => TarEntryKind::Hardlink(target()),
        EntryType::GNUSparse => TarEntryKind::Sparse,
        _ => TarEntryKind::Other,
    };
    let modified = header.mtime().ok().and_then(|seconds| i64::try_from(seconds).ok());
    TarEntry { name, kind, modified: modified.filter(|seconds| *seconds > 0) }
}

fn fill(reader: &mut impl Read, block: &mut [u8; BLOCK]) -> io::Result<usize> {
    let mut count = 0;
    while let Some(rest) = block.get_mut(count..).filter(|rest| !rest.is_empty()) {
        match reader.read(rest) {
            Ok(0) => break,
            Ok(more) => count += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}
