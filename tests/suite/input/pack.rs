//! Makes archives in memory, honest and otherwise.

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, EntryType, Header};
use zip::write::SimpleFileOptions;

/// An entry of a tar archive; names are written as they are, safe or not.
pub(crate) enum Item<'a> {
    File(&'a str, &'a [u8]),
    Symlink(&'a str, &'a str),
    Hardlink(&'a str, &'a str),
    Device(&'a str),
    /// A file that claims another size than it has.
    Claims(&'a str, EntryType, u64),
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).expect("a new name");
        writer.write_all(bytes).expect("memory takes it");
    }
    writer.finish().expect("memory takes it").into_inner()
}

pub(crate) fn tar(items: &[Item<'_>]) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    for item in items {
        let (name, kind, target, size, bytes): (_, _, _, _, &[u8]) = match *item {
            Item::File(name, bytes) => (name, EntryType::Regular, "", bytes.len() as u64, bytes),
            Item::Symlink(name, target) => (name, EntryType::Symlink, target, 0, &[]),
            Item::Hardlink(name, target) => (name, EntryType::Link, target, 0, &[]),
            Item::Device(name) => (name, EntryType::Char, "", 0, &[]),
            Item::Claims(name, kind, size) => (name, kind, "", size, b"short"),
        };
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(size);
        let old = header.as_old_mut();
        old.name[..name.len()].copy_from_slice(name.as_bytes());
        old.linkname[..target.len()].copy_from_slice(target.as_bytes());
        header.set_cksum();
        builder.append(&header, bytes).expect("memory takes it");
    }
    builder.into_inner().expect("memory takes it")
}
