//! Turns `grammar/` into what the program embeds: tables of kinds and of messages.
//!
//! People write and review YAML and tables; reading those costs several times as much as using them, and
//! a pre-commit hook pays that whenever it starts. A fault in the data stops the build.

#![expect(clippy::disallowed_methods, reason = "a build script reads and writes files")]
#![expect(clippy::print_stdout, reason = "a build script speaks to cargo by printing")]

mod kinds;
mod messages;
mod notation;
mod rust;
mod samples;
// Templates are normalized by the same rule as the texts that they are compared with.
#[expect(dead_code, reason = "the build has no use for the way back to the text")]
#[path = "../../src/grammar/message/normalized.rs"]
mod normalized;

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=grammar");
    println!("cargo:rerun-if-changed=src/grammar/message/normalized.rs");
    let out = std::env::var("OUT_DIR")?;
    kinds::write(Path::new(&out))?;
    samples::write(Path::new(&out))?;
    messages::write(Path::new(&out))
}
