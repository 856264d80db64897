//! The body `table` on any bytes.

#![no_main]

use fleetlens_fuzz::{bodies, measure};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| measure(bytes, bodies::table));
