//! Measures what a body does with its bytes: more than a second of processor time per 100 kB, or 50 times their size in memory, is a failure.

mod bodies;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cpu_time::ProcessTime;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What tables, patterns and threads take, whatever the input is.
const AT_REST: usize = 24 << 20;

/// What a frame of zstd may ask for before anything of it is read: the largest window that is taken.
const WINDOW: usize = 100 << 20;

/// Each time that this many bytes more were tried, it is told.
const STEP: u64 = 1 << 20;

static TRIED: AtomicU64 = AtomicU64::new(0);

/// Runs the body of this name and measures it.
pub fn measure(bytes: &[u8], name: &str) {
    let body = bodies::ALL.iter().find(|(own, _)| *own == name);
    let (_, body) = body.expect("a body has this name");
    MEMORY.reset_peak_usage();
    // Time of the processor, so that a process which others starve does not fail without a reason.
    let (before, began) = (MEMORY.current_usage(), ProcessTime::now());
    body(bytes);
    let (took, peak) = (began.elapsed(), MEMORY.peak_usage().saturating_sub(before));
    let patience = Duration::from_secs(1 + bytes.len() as u64 / 100_000);
    assert!(took <= patience, "{took:?} for {} bytes", bytes.len());
    let window = if name == "archive" { WINDOW } else { 0 };
    let room = AT_REST + window + 50 * bytes.len();
    assert!(peak <= room, "{peak} bytes of memory for {} bytes", bytes.len());
    let length = bytes.len() as u64;
    let tried = TRIED.fetch_add(length, Ordering::Relaxed) + length;
    if tried / STEP != (tried - length) / STEP {
        eprintln!("tried {} MB", tried >> 20);
    }
}
