//! What a file is, by its first bytes: packed, binary, or text in which encoding.
//!
//! Names are never asked: customers rename archives to `.txt` to get them past a mail filter.
//! Invariant: a file that a person could read in an editor is text.

use super::encoding::{CodeUnits, Decoder};

/// A way of packing one stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Gzip,
    Zstd,
}

/// What the first bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Packed(Packing),
    Zip,
    Tar,
    /// Packed in a way that is recognised but not unpacked.
    Unsupported(&'static str),
    /// Anything else: see [`decode_head`].
    Plain,
}

const UNSUPPORTED: &[(&[u8], &str)] = &[
    (b"\xfd7zXZ\0", "xz"),
    (b"BZh", "bzip2"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    (b"Rar!\x1a\x07", "RAR"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"\x1f\x9d", "compress (.Z)"),
    (b"MSCF\0\0\0\0", "a Windows cabinet"),
];

/// Recognises packed files.
pub(super) fn sniff(head: &[u8]) -> Content {
    if head.starts_with(b"\x1f\x8b\x08") {
        return Content::Packed(Packing::Gzip);
    }
    let skippable = head.first().is_some_and(|&byte| byte & 0xf0 == 0x50)
        && head.get(1..4) == Some(b"\x2a\x4d\x18");
    if skippable || head.starts_with(b"\x28\xb5\x2f\xfd") {
        return Content::Packed(Packing::Zstd);
    }
    if [b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"].iter().any(|magic| head.starts_with(*magic)) {
        return Content::Zip;
    }
    if head.get(..512).is_some_and(is_tar_header) {
        return Content::Tar;
    }
    let known = UNSUPPORTED.iter().find(|(magic, _)| head.starts_with(magic));
    // `BZh` alone also begins words; the digit and the block mark do not.
    let known = known.filter(|(magic, _)| {
        *magic != b"BZh" || matches!(head.get(4..10), Some(b"1AY&SY" | b"\x17rE8P\x90"))
    });
    known.map_or(Content::Plain, |&(_, format)| Content::Unsupported(format))
}

/// Says whether a block is a tar header: its checksum is right. Old archives have no other mark.
pub(super) fn is_tar_header(block: &[u8]) -> bool {
    let sum: u32 = (0..).zip(block).map(|(at, &byte)| tar_weight(at, byte)).sum();
    let named = block.first().is_some_and(|&byte| byte != 0);
    named
        && block.len() == 512
        && tar::Header::from_byte_slice(block).cksum().is_ok_and(|stated| stated == sum)
}

/// The checksum field itself counts as blanks.
fn tar_weight(at: usize, byte: u8) -> u32 {
    if (148..156).contains(&at) { u32::from(b' ') } else { u32::from(byte) }
}

/// Decodes the first bytes of a plain file; `None` means that it is binary.
pub(super) fn decode_head(head: &[u8]) -> Option<(Decoder, String)> {
    if head.starts_with(b"%PDF-") || head.starts_with(b"\xff\xfe\0\0") {
        return None;
    }
    let mut decoder = Decoder::new(form_of(head));
    let mut text = String::with_capacity(head.len());
    decoder.push(head, &mut text);
    let controls = text.bytes().filter(|&byte| is_odd_control(byte)).count();
    // One byte in ten of packed or random data is such a control; text of any language and code page
    // has none. Terminal recordings have escapes and backspaces, which count as text.
    let binary = controls * 20 > text.len();
    (!binary).then_some((decoder, text))
}

fn is_odd_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x07 | 0x08 | 0x0c | 0x1b)
}

fn form_of(head: &[u8]) -> CodeUnits {
    if head.starts_with(b"\xff\xfe") {
        return CodeUnits::Utf16Le;
    }
    if head.starts_with(b"\xfe\xff") {
        return CodeUnits::Utf16Be;
    }
    let (pairs, _) = head.as_chunks::<2>();
    let first = pairs.iter().filter(|pair| pair[0] == 0).count();
    let second = pairs.iter().filter(|pair| pair[1] == 0).count();
    // Without a mark: nearly every character is of the first 256, so one half of each pair is zero.
    let mostly = |count: usize| pairs.len() > 1 && count * 10 >= pairs.len() * 7;
    let hardly = |count: usize| count * 50 <= pairs.len();
    if mostly(second) && hardly(first) {
        CodeUnits::Utf16Le
    } else if mostly(first) && hardly(second) {
        CodeUnits::Utf16Be
    } else {
        CodeUnits::Utf8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoding(head: &[u8]) -> Option<crate::source::Encoding> {
        decode_head(head).map(|(decoder, _)| decoder.encoding())
    }

    #[test]
    fn text_is_told_from_binary() {
        use crate::source::Encoding;
        assert_eq!(encoding(b""), Some(Encoding::Utf8));
        assert_eq!(encoding(b"caf\xe9: 1\n"), Some(Encoding::Utf8Invalid));
        assert_eq!(encoding(b"\xcf\xf0\xe8\xe2\xe5\xf2\n"), Some(Encoding::Utf8Invalid));
        assert_eq!(encoding(b"\x1b[32mok\x1b[0m\x08\r\n"), Some(Encoding::Utf8));
        assert_eq!(encoding(b"k\0i\0n\0d\0:\0"), Some(Encoding::Utf16Le));
        assert_eq!(encoding(b"\0k\0i\0n\0d\0:"), Some(Encoding::Utf16Be));
        assert_eq!(encoding(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01"), None);
        assert_eq!(encoding(b"%PDF-1.7 looks like text"), None);
        assert_eq!(encoding(&[0; 4096]), None);
    }

    #[test]
    fn magic_needs_more_than_a_word() {
        assert_eq!(sniff(b"BZh is a word"), Content::Plain);
        assert_eq!(sniff(b"BZh91AY&SY\x01"), Content::Unsupported("bzip2"));
        assert_eq!(sniff(b"PK stands for Peter"), Content::Plain);
        assert_eq!(sniff(&[b' '; 512]), Content::Plain);
    }
}
