//! The `fleetlens` command: parse the arguments, run, say how it went.

use std::process::ExitCode;

fn main() -> ExitCode {
    let words = fleetlens::cli::arguments(std::env::args_os());
    fleetlens::cli::run(fleetlens::cli::parse(words))
}
