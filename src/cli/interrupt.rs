//! Ctrl-C, while a bundle is read and judged.

use std::io::Write as _;

/// What a shell tells of a program that an interrupt ended.
const INTERRUPTED: i32 = 130;

/// Ends the program at an interrupt, and says so.
///
/// Reports are written aside and renamed, so that none is ever half there.
#[expect(clippy::exit, reason = "whoever interrupts wants the end at once, not after the work")]
pub(super) fn end_on_interrupt() {
    // Without a handler the system ends the program as well, only without a word.
    let _ = ctrlc::set_handler(|| {
        let _ = writeln!(std::io::stderr(), "fleetlens: interrupted before the work was done");
        std::process::exit(INTERRUPTED);
    });
}
