//! Unpacks gzip and zstd streams, within the read budget.
//!
//! Both may consist of several parts one after another (rotated logs, parallel compressors).
//! Invariant: a stream that was cut gives all that stands before the cut, then
//! [`UnreadReason::Truncated`] rather than a decoder's own words.

use std::io::{self, Read};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::UnreadReason;
use super::read_budget::{ArchiveSize, BudgetReader, CountingReader, ReadBudget};
use super::sniff::Packing;

/// Makes a reader of the unpacked bytes.
pub(super) fn unpack<'a>(
    packing: Packing,
    packed: impl Read + 'a,
    budget: &'a ReadBudget,
) -> Box<dyn Read + 'a> {
    let size = Rc::new(ArchiveSize::default());
    let source = CountingReader { inner: packed, size: Rc::clone(&size) };
    match packing {
        Packing::Gzip => {
            let inner = MultiGzDecoder::new(source);
            Box::new(BudgetReader { inner, size, budget })
        }
        Packing::Zstd => {
            let inner = Zstd::new(source, Rc::clone(&size));
            Box::new(BudgetReader { inner, size, budget })
        }
    }
}

/// A frame without content.
const EMPTY_FRAME: &[u8] = b"\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00";
/// An empty last block, and room for a checksum.
const LAST_BLOCK: &[u8] = b"\x01\x00\x00\x00\x00\x00\x00";

/// The frames of a zstd stream, one after another.
struct Zstd<R> {
    source: R,
    decoder: FrameDecoder,
    size: Rc<ArchiveSize>,
    /// Why the stream ended early; told once everything before it was read.
    fault: Option<UnreadReason>,
}

impl<R: Read> Zstd<R> {
    fn new(source: R, size: Rc<ArchiveSize>) -> Self {
        let mut decoder = FrameDecoder::new();
        // ruzstd 0.8.3 checks the window size of every frame but the first; unchecked, a window of
        // terabytes makes it keep everything in memory. So the first one is ours.
        let mut empty = EMPTY_FRAME;
        let ready = decoder.init(&mut empty).is_ok()
            && decoder.decode_blocks(&mut empty, BlockDecodingStrategy::All).is_ok();
        let fault =
            (!ready).then(|| UnreadReason::Damaged("the zstd decoder did not start".into()));
        Self { source, decoder, size, fault }
    }

    /// Starts the next frame; says whether there was one.
    fn start_frame(&mut self) -> io::Result<bool> {
        let mut magic = Vec::new();
        (&mut self.source).take(4).read_to_end(&mut magic)?;
        if magic.is_empty() {
            return Ok(false);
        }
        match self.decoder.reset(magic.as_slice().chain(&mut self.source)) {
            Ok(()) => {}
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                io::copy(&mut (&mut self.source).take(u64::from(length)), &mut io::sink())?;
            }
            Err(error) => self.fault = Some(self.reason(&error)),
        }
        Ok(true)
    }

    fn decode_block(&mut self) {
        let step = BlockDecodingStrategy::UptoBlocks(1);
        let Err(error) = self.decoder.decode_blocks(&mut self.source, step) else { return };
        self.fault = Some(self.reason(&error));
        // The decoder keeps back as much as its window until the frame ends, so end it.
        let mut last = LAST_BLOCK;
        let _ = self.decoder.decode_blocks(&mut last, BlockDecodingStrategy::All);
    }

    /// Puts the decoder's error into our words: it does not itself tell a cut from damage.
    fn reason(&self, error: &FrameDecoderError) -> UnreadReason {
        match error {
            FrameDecoderError::WindowSizeTooBig { .. } => {
                UnreadReason::Unsupported("zstd with a window above 100 MiB")
            }
            _ if self.size.ended.get() => UnreadReason::Truncated,
            _ => UnreadReason::Damaged(error.to_string().into()),
        }
    }

    fn check_sum(&self) -> io::Result<()> {
        match (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum()) {
            (Some(stated), Some(real)) if stated != real => {
                Err(UnreadReason::Damaged("its checksum is wrong".into()).into())
            }
            _ => Ok(()),
        }
    }
}

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(buffer);
            }
            if let Some(fault) = &self.fault {
                return Err(fault.clone().into());
            }
            if !self.decoder.is_finished() {
                self.decode_block();
                continue;
            }
            self.check_sum()?;
            if !self.start_frame()? {
                return Ok(0);
            }
        }
    }
}
