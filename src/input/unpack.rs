//! Opens files and archives, at any depth, and hands out the files inside them.
//!
//! Everything is read once, as a stream, and members come in the archive's order (of a zip: its
//! directory's). Only zip needs seeking, so a zip that is not a file on disk is held in memory.
//! Invariant: a fault in one member or archive never keeps the others from being read.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::rc::Rc;

use super::compressed;
use super::file_ranges::FileBytes;
use super::file_text::{PIECE, Peeked};
use super::layout::Survey;
use super::name::{UsedNames, read_name, shown, stays_inside};
use super::read_budget::{ArchiveSize, BudgetReader, ReadBudget};
use super::sniff::{Content, sniff};
use super::tarball::{TarEntryKind, Tarball};
use super::zipfile::directory::{Record, read_directory};
use super::zipfile::{self, ReadSeek};
use super::{InputFile, ReadOutcome, Sink, UnreadFile, UnreadReason};

/// The two paths of a file.
#[derive(Clone, Debug)]
pub(super) struct FilePaths {
    /// As shown to the user.
    pub(super) path: String,
    /// As layouts see it: below the folder that holds everything.
    pub(super) inside: String,
    /// When an archive says that it was written. What the disk says is when it was unpacked.
    pub(super) modified: Option<i64>,
}

impl FilePaths {
    fn join(&self, name: &str) -> Self {
        let path = format!("{}/{name}", self.path);
        Self { path, inside: format!("{}/{name}", self.inside), modified: self.modified }
    }
}

/// One reading: what it may spend, what it knows, and where the members go.
pub(super) struct Unpacker<'a> {
    pub(super) budget: &'a ReadBudget,
    pub(super) survey: Survey,
    pub(super) sink: &'a mut dyn Sink,
    pub(super) outcome: ReadOutcome,
    /// The members that went to the sink.
    pub(super) given: Vec<FilePaths>,
}

impl Unpacker<'_> {
    /// Reads a file on disk.
    pub(super) fn read_disk(&mut self, place: &FilePaths, path: &Path) {
        if let Err(reason) = self.budget.enter(place.path.len(), 0) {
            return self.refuse(place, reason);
        }
        let opened = open(path).and_then(|file| Ok((file.metadata()?.is_file(), file)));
        let (is_file, mut file) = match opened {
            Ok(opened) => opened,
            Err(error) => return self.refuse(place, error.into()),
        };
        let stream = Peeked::new(Box::new(BufReader::with_capacity(PIECE, &file)));
        if is_file && sniff(stream.head()) == Content::Zip {
            if self.may_enter(place, 0) {
                drop(stream);
                self.budget.give(file.metadata().map_or(0, |data| data.len()));
                self.read_zip(place, &mut file, 1);
            }
        } else {
            let bytes = FileBytes::of(&file).filter(|_| is_file);
            self.read_stream(place, stream.of_file(bytes), 0);
        }
    }

    /// Reads a file that is in memory.
    pub(super) fn read_bytes(&mut self, place: &FilePaths, bytes: &[u8]) {
        if let Err(reason) = self.budget.enter(place.path.len(), 0) {
            return self.refuse(place, reason);
        }
        if sniff(bytes) == Content::Zip {
            if self.may_enter(place, 0) {
                self.budget.give(bytes.len() as u64);
                self.read_zip(place, &mut Cursor::new(bytes), 1);
            }
        } else {
            self.read_stream(place, Peeked::new(Box::new(bytes)), 0);
        }
    }

    /// Reads something that comes once: a file, a pipe, or a member of an archive.
    pub(super) fn read_stream(&mut self, place: &FilePaths, stream: Peeked<'_>, depth: u32) {
        let stream = if depth == 0 && sniff(stream.head()) != Content::Plain {
            stream.counted(self.budget)
        } else {
            stream
        };
        match sniff(stream.head()) {
            Content::Plain | Content::Unsupported(_) => self.hand_out(place, stream),
            _ if !self.may_enter(place, depth) => {}
            Content::Tar => self.read_tar(place, stream, depth + 1),
            Content::Zip => self.read_held(place, stream, depth + 1),
            Content::Packed(packing) => {
                let inside = Peeked::new(compressed::unpack(packing, stream, self.budget));
                // A packed tar is one archive, not two.
                if sniff(inside.head()) == Content::Tar {
                    self.read_tar(place, inside, depth + 1);
                } else {
                    self.read_stream(place, inside, depth + 1);
                }
            }
        }
    }

    fn read_held(&mut self, place: &FilePaths, stream: Peeked<'_>, depth: u32) {
        let most = self.budget.may_hold().saturating_add(1);
        let mut bytes = Vec::new();
        let result = stream.take(most).read_to_end(&mut bytes);
        let size = bytes.len() as u64;
        if let Err(reason) = self.budget.hold(size) {
            return self.refuse(place, reason);
        }
        let refused = self.outcome.refusals.len();
        self.read_zip(place, &mut Cursor::new(&*bytes), depth);
        self.budget.release(size);
        // What was cut outside is also cut inside, and that was told with more detail.
        if let Err(error) = result
            && self.outcome.refusals.len() == refused
        {
            self.refuse(place, error.into());
        }
    }

    fn read_tar(&mut self, place: &FilePaths, stream: Peeked<'_>, depth: u32) {
        self.outcome.tally.archives += 1;
        let mut names = UsedNames::default();
        let mut tarball = Tarball::new(stream);
        loop {
            let refused = self.outcome.refusals.len();
            let entry = match tarball.next_entry() {
                Ok(Some(entry)) => entry,
                Ok(None) => return,
                Err(reason) => return self.refuse(place, reason),
            };
            if let Err(reason) = self.budget.enter(place.path.len(), entry.name.len()) {
                return self.refuse(place, reason);
            }
            let raw = String::from_utf8_lossy(&entry.name);
            if let Some(member) = self.member_place(place, &raw, &entry.kind, &mut names) {
                let member = FilePaths { modified: entry.modified.or(place.modified), ..member };
                self.read_stream(&member, Peeked::new(Box::new(&mut tarball)), depth);
            }
            // A stream that broke inside a member is broken for good, and that was just told.
            if tarball.is_broken() && self.outcome.refusals.len() > refused {
                return;
            }
        }
    }

    fn read_zip(&mut self, place: &FilePaths, archive: &mut dyn ReadSeek, depth: u32) {
        self.outcome.tally.archives += 1;
        let directory = read_directory(archive, self.budget);
        let size = Rc::new(ArchiveSize::default());
        size.packed.set(archive.seek(io::SeekFrom::End(0)).unwrap_or(0));
        let mut names = UsedNames::default();
        for record in &directory.records {
            if let Err(reason) = self.budget.enter(place.path.len(), record.name.len()) {
                return self.refuse(place, reason);
            }
            // Old Windows programs wrote their own separator.
            let raw = String::from_utf8_lossy(&record.name).replace('\\', "/");
            let kind = match zip_kind(archive, record, &raw) {
                Ok(kind) => kind,
                Err(reason) => {
                    self.refuse(&place.join(&shown(&raw)), reason);
                    continue;
                }
            };
            let Some(member) = self.member_place(place, &raw, &kind, &mut names) else { continue };
            match zipfile::open(archive, record) {
                Ok(inner) => {
                    let meter = BudgetReader { inner, size: Rc::clone(&size), budget: self.budget };
                    self.read_stream(&member, Peeked::new(Box::new(meter)), depth);
                }
                Err(reason) => self.refuse(&member, reason),
            }
        }
        if let Some(reason) = directory.fault {
            self.refuse(place, reason);
        }
    }

    /// Returns where a member stands if it is to be read; whatever else it is gets counted or refused.
    fn member_place(
        &mut self,
        archive: &FilePaths,
        raw: &str,
        kind: &TarEntryKind,
        names: &mut UsedNames,
    ) -> Option<FilePaths> {
        let name = match read_name(raw) {
            Ok(Some(name)) => name,
            Ok(None) => {
                self.outcome.tally.ignored += u64::from(*kind == TarEntryKind::File);
                return None;
            }
            Err(reason) => {
                self.refuse(&archive.join(shown(raw).trim_start_matches('/')), reason);
                return None;
            }
        };
        let reason = match kind {
            TarEntryKind::File => {
                let place = archive.join(&names.unique(name));
                self.survey.add(&place.inside);
                return Some(place);
            }
            TarEntryKind::Directory => return None,
            TarEntryKind::Symlink(target) | TarEntryKind::Hardlink(target) => {
                let target = String::from_utf8_lossy(target);
                let from =
                    if matches!(kind, TarEntryKind::Symlink(_)) { name.as_str() } else { "" };
                if stays_inside(from, &target) {
                    // What it points to is read under its own name.
                    self.outcome.tally.links += 1;
                    return None;
                }
                UnreadReason::LinkOutside(shown(&target).into())
            }
            TarEntryKind::Sparse => UnreadReason::Unsupported("a GNU sparse file"),
            TarEntryKind::Other => UnreadReason::NotAFile,
        };
        self.refuse(&archive.join(&name), reason);
        None
    }

    fn may_enter(&mut self, place: &FilePaths, depth: u32) -> bool {
        let limit = self.budget.limits.nesting;
        if depth >= limit {
            self.refuse(place, UnreadReason::TooDeep { limit });
        }
        depth < limit
    }

    fn hand_out(&mut self, place: &FilePaths, stream: Peeked<'_>) {
        if let Content::Unsupported(format) = sniff(stream.head()) {
            return self.refuse(place, UnreadReason::Unsupported(format));
        }
        let fault = stream.fault();
        let is_empty = stream.head().is_empty();
        let body = match (stream.into_body(self.budget), fault) {
            (Some(body), None) => body,
            (Some(body), Some(_)) if !is_empty => body,
            // A cut archive may look like anything; that it was cut is what matters.
            (_, Some(reason)) => return self.refuse(place, reason),
            (None, None) => {
                self.outcome.tally.binary += 1;
                return;
            }
        };
        self.outcome.tally.files += 1;
        self.given.push(place.clone());
        self.sink.take(InputFile { path: &place.path, body });
        if let Some(reason) = self.budget.take_fault() {
            self.refuse(place, reason);
        }
    }

    fn refuse(&mut self, place: &FilePaths, reason: UnreadReason) {
        self.outcome.refusals.push(UnreadFile { path: place.path.as_str().into(), reason });
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the layer that reads files")]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Says what a zip entry is; a link's target is its content.
fn zip_kind(
    archive: &mut dyn ReadSeek,
    record: &Record,
    name: &str,
) -> Result<TarEntryKind, UnreadReason> {
    if name.ends_with('/') {
        return Ok(TarEntryKind::Directory);
    }
    if !record.is_link {
        return Ok(TarEntryKind::File);
    }
    let mut target = Vec::new();
    zipfile::open(archive, record)?.take(4096).read_to_end(&mut target)?;
    Ok(TarEntryKind::Symlink(target))
}
