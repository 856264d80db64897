//! The body `yaml` on any bytes.

#![no_main]

use fleetlens_fuzz::measure;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| measure(bytes, "yaml"));
