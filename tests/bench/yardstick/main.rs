//! What the tool is measured against: large inputs cloned from the captures of the testdata, and programs that do
//! the least that could be done with them.
//!
//! `tests/bench/ratios` starts it and prints all ratios. By hand, with `Y` for the program that
//! `cargo bench --bench yardstick --no-run` names: `Y make log 100 hub-agent.log`, `Y yaml FILE`. Inputs are the same
//! on every machine: the generator is seeded.

#![expect(
    clippy::disallowed_methods,
    reason = "a bench reads its testdata, the environment and the clock"
)]
#![expect(clippy::print_stdout, reason = "a bench prints what it found")]

mod dump;
mod fleet;
mod template;

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Parser;
use dump::Rest;

/// A clap program like the tool, behind which next to nothing happens.
#[derive(Parser)]
struct Yardstick {
    /// What `cargo bench` says.
    #[arg(long, hide = true)]
    bench: bool,
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Does nothing.
    Nothing {
        /// What would be judged.
        paths: Vec<PathBuf>,
    },
    /// Reads a file into a `serde_yaml::Value`.
    Yaml { file: PathBuf },
    /// Reads a file into a `serde_json::Value`.
    Json { file: PathBuf },
    /// Inflates a file and forgets what comes out.
    Inflate { file: PathBuf },
    /// Makes an input of a size: megabytes, or how many.
    Make { what: String, size: usize, out: PathBuf },
}

fn main() {
    match Yardstick::parse().verb {
        None => println!("started by tests/bench/ratios"),
        Some(Verb::Nothing { paths }) => drop(std::hint::black_box(paths)),
        Some(Verb::Yaml { file }) => {
            let text = std::fs::read_to_string(file).expect("a file");
            std::hint::black_box(serde_yaml::from_str::<serde_yaml::Value>(&text).expect("YAML"));
        }
        Some(Verb::Json { file }) => {
            let text = std::fs::read(file).expect("a file");
            std::hint::black_box(serde_json::from_slice::<serde_json::Value>(&text).expect("JSON"));
        }
        Some(Verb::Inflate { file }) => {
            let file = std::fs::File::open(file).expect("a file");
            let mut reader = flate2::read::GzDecoder::new(file);
            let mut block = vec![0; 1 << 16];
            while reader.read(&mut block).expect("a gzip file") > 0 {}
        }
        Some(Verb::Make { what, size, out }) => make(&what, size, &out),
    }
}

fn make(what: &str, size: usize, out: &Path) {
    const SEED: u64 = 15;
    let mut seeded = template::Seeded::new(SEED);
    let bytes = size * 1_000_000;
    let rest = |what: &str| match what.rsplit_once('-').map(|(_, rest)| rest) {
        Some("foreign") => Rest::Foreign,
        Some("pods") => Rest::Pods,
        _ => Rest::None,
    };
    match what {
        "log" => dump::log(out, bytes, &mut seeded),
        "describe" => dump::describe(out, bytes, &mut seeded),
        "healthy" => fleet::clusters(out, size, 0, &mut seeded),
        "one-stuck" => fleet::clusters(out, size, 1, &mut seeded),
        "all-stuck" => fleet::clusters(out, size, size - 1, &mut seeded),
        "placements" => fleet::placements(out, size, &mut seeded),
        "repository" => dump::repository(out, size, &mut seeded),
        "unknown-keys" => dump::unknown_keys(out, size),
        "packed" => dump::pack(out, &out.with_extension("").with_extension("yaml")),
        _ if what.starts_with("yaml-") => dump::dump(out, bytes, rest(what), false, &mut seeded),
        _ if what.starts_with("json-") => dump::dump(out, bytes, rest(what), true, &mut seeded),
        _ => panic!("no such input: {what}"),
    }
}
