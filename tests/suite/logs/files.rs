//! Files that several threads read, each at its own place: the same as a reading in order, also of a file that changes.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::input::ReadAt;
use fleetlens::internals::source::Encoding;
use fleetlens::internals::syntax::log::{ScanOptions, ScannedLog, scan_file, scan_log_with};
use proptest::prelude::*;

use super::property::{Log, log, options, some};
use super::read;

fn in_ranges(file: &dyn ReadAt, options: &ScanOptions) -> (ScannedLog, u64, Option<String>) {
    let (log, end) = scan_file(file, &some, options, &|_| {});
    (log, end.bytes, end.error.map(|error| error.to_string()))
}

fn in_order(bytes: &[u8], options: &ScanOptions) -> ScannedLog {
    scan_log_with(&mut &*bytes, &some, options)
}

/// What happens to a file after so many reads of it.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// It has so many bytes.
    Length(usize),
    /// It cannot be read any more.
    Fault,
}

/// A file that changes while it is read.
struct Changing<'b> {
    bytes: &'b [u8],
    /// How long it is at first.
    len: usize,
    reads: AtomicUsize,
    after: usize,
    change: Change,
}

impl ReadAt for Changing<'_> {
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        let has_changed = self.reads.fetch_add(1, Ordering::Relaxed) >= self.after;
        let len = match self.change {
            Change::Length(len) if has_changed => len,
            Change::Fault if has_changed => return Err(io::Error::other("a bad sector")),
            _ => self.len,
        };
        self.bytes.get(..len).unwrap_or(self.bytes).read_at(buffer, at)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ranges_do_not_matter(Log(bytes) in log(), options in options(), chunk in 1_usize..400) {
        let whole = in_order(&bytes, &ScanOptions { chunk_bytes: 1 << 22, ..options });
        for chunk_bytes in [1, chunk, 4096, 1 << 20] {
            let options = ScanOptions { chunk_bytes, ..options };
            let (log, read, error) = in_ranges(&&*bytes, &options);
            prop_assert_eq!(&log, &whole, "in ranges of {}", chunk_bytes);
            prop_assert_eq!((read, error), (bytes.len() as u64, None));
        }
    }

    #[test]
    fn a_file_that_changes_is_read_up_to_a_place(
        Log(bytes) in log(),
        options in options(),
        chunk_bytes in prop_oneof![Just(300_usize), 1_usize..400],
        len in 0_usize..2_000,
        after in 0_usize..40,
        change in prop_oneof![2 => (0_usize..2_000).prop_map(Change::Length), 1 => Just(Change::Fault)],
    ) {
        let options = ScanOptions { chunk_bytes, ..options };
        let file = Changing { bytes: &bytes, len, reads: AtomicUsize::new(0), after, change };
        let (log, read, error) = in_ranges(&file, &options);
        let read = usize::try_from(read).unwrap();
        prop_assert!(read <= bytes.len());
        prop_assert_eq!(&log, &in_order(&bytes[..read], &options));
        if let Change::Fault = change {
            let is_whole = read == len.min(bytes.len());
            prop_assert!(is_whole || error.is_some(), "{read} of {len}, silently");
        }
    }
}

/// Logs with some thousand lines, so that several ranges are under way at once.
#[test]
fn long_logs_are_the_same_in_any_ranges() {
    for name in ["hub-agent.log", "member-agent.log", "transport/cri.log", "transport/docker.log"] {
        let text = read(name).repeat(40);
        let options = ScanOptions { keep_first: 20, keep_last: 7, ..ScanOptions::default() };
        let whole = in_order(text.as_bytes(), &options);
        for (chunk_bytes, waiting_chunks) in [(700, 3), (10_000, 0), (10_000, 50), (1 << 16, 96)] {
            let options = ScanOptions { chunk_bytes, waiting_chunks, ..options };
            let (log, ..) = in_ranges(&text.as_bytes(), &options);
            assert_eq!(log, whole, "{name} in ranges of {chunk_bytes}");
        }
    }
}

/// A file on disk is read at its place, what comes packed is read in order: the bundle is the same.
#[test]
fn a_file_on_disk_reads_as_a_packed_one() {
    let text = read("hub-agent.log");
    let crlf = text.replace('\n', "\r\n").repeat(30);
    let mut invalid = text.repeat(30).into_bytes();
    for at in (1000..invalid.len()).step_by(70_001) {
        invalid[at] = 0xE9;
    }
    let wide: Vec<u8> = text.repeat(30).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = [&b"\xFF\xFE"[..], &wide].concat();
    let long_line = [text.as_bytes(), &[b'x'; 3 << 20], b"\n", text.as_bytes()].concat();
    let cases = [
        (crlf.into_bytes(), Encoding::Utf8),
        (invalid, Encoding::Utf8Invalid),
        (wide, Encoding::Utf16Le),
        (long_line, Encoding::Utf8),
    ];
    for (bytes, encoding) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let open = |bytes: &[u8]| {
            let path = folder.path().join("hub-agent.log");
            std::fs::write(&path, bytes).expect("a file");
            Bundle::open(&[path.to_string_lossy().into_owned()]).expect("a bundle")
        };
        let plain = open(&bytes);
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(&bytes).expect("memory has room");
        let packed = open(&packer.finish().expect("memory has room"));
        let [one, other] = [&plain, &packed].map(|bundle| {
            let [log] = bundle.logs.as_slice() else { panic!("{} logs", bundle.logs.len()) };
            let source = bundle.sources.get(log.source);
            (source.text().to_owned(), source.encoding(), log.scan.clone(), bundle.tally.bytes)
        });
        assert_eq!(one.1, encoding);
        assert!(one.2.counts.records > 100);
        assert_eq!(one, other);
    }
}
