//! The `fleetlens` command: parse the arguments, run, say how it went.

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let words = fleetlens::cli::arguments(std::env::args_os());
    fleetlens::cli::run(fleetlens::cli::Cli::parse_from(words))
}
