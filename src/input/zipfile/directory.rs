//! The table of contents of a zip archive.
//!
//! It stands at the end of the file. Where the end is missing (an upload that broke off), the headers
//! before the entries are collected instead, so that what arrived can still be read.
//! Invariant: counts and sizes in the file only ever shorten the walk, never size an allocation.

use std::io::{self, BufReader, Read, SeekFrom};
use std::rc::Rc;

use flate2::read::DeflateDecoder;

use super::ReadSeek;
use crate::input::UnreadReason;
use crate::input::name::LONGEST;
use crate::input::read_budget::{ArchiveSize, BudgetReader, ReadBudget};

pub(super) const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
const END64: &[u8] = b"PK\x06\x06";
const LOCATOR64: &[u8] = b"PK\x06\x07";

/// One entry of the archive.
#[derive(Debug, Default)]
pub(in crate::input) struct Record {
    pub(in crate::input) name: Vec<u8>,
    pub(in crate::input) is_link: bool,
    flags: u16,
    pub(super) method: u16,
    /// Bytes that the entry takes in the archive.
    pub(super) packed: u64,
    /// Unpacked size and checksum, where they are known beforehand.
    pub(super) stated: Option<(u64, u32)>,
    /// Where the entry's own header stands.
    pub(super) at: u64,
}

impl Record {
    pub(super) fn is_encrypted(&self) -> bool {
        self.flags & 1 != 0
    }
}

/// What is in an archive, in the order of its directory.
#[derive(Debug, Default)]
pub(in crate::input) struct Directory {
    pub(in crate::input) records: Vec<Record>,
    /// Set when the directory is missing or broken.
    pub(in crate::input) fault: Option<UnreadReason>,
}

/// Reads the directory, or what can be said without one.
pub(in crate::input) fn read_directory(
    archive: &mut dyn ReadSeek,
    budget: &ReadBudget,
) -> Directory {
    let most = usize::try_from(budget.may_enter()).unwrap_or(usize::MAX).saturating_add(1);
    match find_directory(archive).and_then(|place| read_central(archive, place, most)) {
        // No program packs two files into the same bytes, so none of them is read.
        Ok(Some(records)) if overlap(&records) => {
            let fault = UnreadReason::Damaged("its entries overlap, as those of a bomb do".into());
            Directory { records: Vec::new(), fault: Some(fault) }
        }
        Ok(Some(records)) => Directory { records, fault: None },
        Ok(None) => {
            let mut records = Vec::new();
            let rehearsal = budget.dry_run();
            let fault = match scan_headers(archive, &rehearsal, most, &mut records) {
                Ok(()) => UnreadReason::Truncated,
                Err(error) => UnreadReason::from(error),
            };
            budget.charge_dry_run(&rehearsal);
            Directory { records, fault: Some(fault) }
        }
        Err(error) => Directory { records: Vec::new(), fault: Some(error.into()) },
    }
}

/// Where the central directory stands.
#[derive(Clone, Copy)]
struct Place {
    start: u64,
    end: u64,
    /// What to add to all offsets in it: archives may have a program or a mail header before them.
    shift: u64,
}

fn find_directory(archive: &mut dyn ReadSeek) -> io::Result<Option<Place>> {
    let length = archive.seek(SeekFrom::End(0))?;
    // The record takes 22 bytes and a comment of up to 65535.
    let tail_at = length.saturating_sub(22 + 0xffff);
    archive.seek(SeekFrom::Start(tail_at))?;
    let mut tail = Vec::new();
    archive.take(22 + 0xffff).read_to_end(&mut tail)?;
    let Some(end) = memchr::memmem::rfind(&tail, END) else { return Ok(None) };
    let Some(record) = tail.get(end..end + 22) else { return Ok(None) };
    let (mut size, mut offset) = (u64::from(long(record, 12)), u64::from(long(record, 16)));
    let mut end_at = tail_at + end as u64;
    let locator = tail.get(end.saturating_sub(20)..end).unwrap_or_default();
    if locator.starts_with(LOCATOR64) {
        let mut record = Vec::new();
        archive.seek(SeekFrom::Start(double(locator, 8)))?;
        archive.take(56).read_to_end(&mut record)?;
        if !record.starts_with(END64) {
            return Ok(None);
        }
        end_at = double(locator, 8);
        (size, offset) = (double(&record, 40), double(&record, 48));
    }
    let Some(start) = end_at.checked_sub(size) else { return Ok(None) };
    let Some(shift) = start.checked_sub(offset) else { return Ok(None) };
    let is_empty = short(record, 10) == 0;
    Ok((is_empty || start < end_at).then_some(Place { start, end: end_at, shift }))
}

fn read_central(
    archive: &mut dyn ReadSeek,
    place: Option<Place>,
    most: usize,
) -> io::Result<Option<Vec<Record>>> {
    let Some(place) = place else { return Ok(None) };
    archive.seek(SeekFrom::Start(place.start))?;
    let mut directory = BufReader::new(archive.take(place.end - place.start));
    let mut records = Vec::new();
    let mut header = [0; 46];
    while records.len() < most && read_whole(&mut directory, &mut header)? {
        if !header.starts_with(CENTRAL) {
            return Ok(None);
        }
        let mut record = Record {
            flags: short(&header, 8),
            method: short(&header, 10),
            packed: u64::from(long(&header, 20)),
            stated: Some((u64::from(long(&header, 24)), long(&header, 16))),
            at: u64::from(long(&header, 42)),
            // The upper half holds the Unix mode if a Unix system (3) or a Mac (19) made the entry.
            is_link: matches!(header[5], 3 | 19) && long(&header, 38) >> 28 == 0xa,
            name: read_some(&mut directory, short(&header, 28))?,
        };
        record.name.truncate(LONGEST + 1);
        widen(&mut record, &read_some(&mut directory, short(&header, 30))?);
        record.at = record.at.saturating_add(place.shift);
        read_some(&mut directory, short(&header, 32))?;
        records.push(record);
    }
    Ok(Some(records))
}

/// Says whether an entry takes bytes of another one.
fn overlap(records: &[Record]) -> bool {
    /// The fixed part of the header that stands before an entry.
    const HEADER: u64 = 30;
    let mut ranges: Vec<(u64, u64)> = records
        .iter()
        .map(|record| (record.at, record.at.saturating_add(HEADER).saturating_add(record.packed)))
        .collect();
    ranges.sort_unstable();
    ranges.windows(2).any(|pair| matches!(pair, [(_, end), (start, _)] if start < end))
}

/// Takes over the 64-bit numbers of an entry above 4 GiB.
fn widen(record: &mut Record, mut extra: &[u8]) {
    while extra.len() >= 4 {
        let (tag, size) = (short(extra, 0), usize::from(short(extra, 2)));
        let mut field = extra.get(4..).unwrap_or_default();
        if tag == 1 {
            let mut next = |value: &mut u64| {
                if *value == u64::from(u32::MAX) {
                    *value = double(field, 0);
                    field = field.get(8..).unwrap_or_default();
                }
            };
            if let Some((size, _)) = &mut record.stated {
                next(size);
            }
            next(&mut record.packed);
            next(&mut record.at);
            return;
        }
        extra = extra.get(4 + size..).unwrap_or_default();
    }
}

/// Collects the headers that stand before each entry, from the start of the file.
fn scan_headers(
    archive: &mut dyn ReadSeek,
    rehearsal: &ReadBudget,
    most: usize,
    records: &mut Vec<Record>,
) -> io::Result<()> {
    let size = Rc::new(ArchiveSize::default());
    size.packed.set(archive.seek(SeekFrom::End(0))?);
    let mut at = 0;
    let mut header = [0; 30];
    while records.len() < most {
        archive.seek(SeekFrom::Start(at))?;
        if !read_whole(archive, &mut header)? || !header.starts_with(LOCAL) {
            break;
        }
        let mut record = Record {
            flags: short(&header, 6),
            method: short(&header, 8),
            packed: u64::from(long(&header, 18)),
            stated: Some((u64::from(long(&header, 22)), long(&header, 14))),
            name: read_some(archive, short(&header, 26))?,
            at,
            is_link: false,
        };
        record.name.truncate(LONGEST + 1);
        widen(&mut record, &read_some(archive, short(&header, 28))?);
        at = archive.stream_position()?;
        if record.flags & 8 == 0 {
            at = at.saturating_add(record.packed);
            records.push(record);
            continue;
        }
        // The sizes stand after the entry, so only unpacking shows where it ends.
        let inner = DeflateDecoder::new(&mut *archive);
        let mut meter = BudgetReader { inner, size: Rc::clone(&size), budget: rehearsal };
        let whole = record.method == 8 && io::copy(&mut meter, &mut io::sink()).is_ok();
        let length = meter.inner.total_in();
        record.stated = None;
        record.packed = if whole { length } else { u64::MAX };
        records.push(record);
        if !whole {
            break;
        }
        at = after_descriptor(archive, at.saturating_add(length))?;
    }
    Ok(())
}

/// Steps over the sizes after an entry, which come in four lengths.
fn after_descriptor(archive: &mut dyn ReadSeek, at: u64) -> io::Result<u64> {
    let mut bytes = Vec::new();
    archive.seek(SeekFrom::Start(at))?;
    archive.take(28).read_to_end(&mut bytes)?;
    let next = [12, 16, 20, 24]
        .into_iter()
        .find(|&skip| bytes.get(skip..).is_some_and(|rest| rest.starts_with(LOCAL)));
    Ok(at.saturating_add(next.unwrap_or(bytes.len()) as u64))
}

/// Fills the buffer; says `false` when the input ends before that.
fn read_whole(reader: &mut (impl Read + ?Sized), buffer: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn read_some(reader: &mut (impl Read + ?Sized), count: u16) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(u64::from(count)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a little-endian number; what lies outside is zero.
pub(super) fn short(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |raw| u16::from_le_bytes(*raw))
}

/// Reads a little-endian number; what lies outside is zero.
fn long(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |raw| u32::from_le_bytes(*raw))
}

fn double(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |raw| u64::from_le_bytes(*raw))
}
