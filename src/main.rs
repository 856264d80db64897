//! The `fleetlens` command: parse the arguments, run, say how it went.

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    fleetlens::cli::run(fleetlens::cli::Cli::parse())
}
