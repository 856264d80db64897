//! What a pre-commit hook pays: `check` on one small file beside a clap program that does nothing.
//!
//! The baseline is this very program, started with the words that `check` gets; it links clap and
//! none of fleetlens. Both are copied first, as an installation does: the pages of a file that the linker has just
//! written are mapped one by one, which costs the larger program more. They are started in turn, and the medians
//! are compared. Run with `cargo bench --bench startup`.

#![expect(
    clippy::disallowed_methods,
    reason = "a bench starts programs, reads the environment and the clock"
)]
#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;

/// Set in the process that is the baseline.
const NOTHING: &str = "FLEETLENS_BENCH_NOTHING";

/// How often each program is started.
const ROUNDS: usize = 300;

/// A command line like that of `check`, behind which nothing happens.
#[derive(Parser)]
struct Nothing {
    #[command(subcommand)]
    command: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Judges nothing.
    Check {
        /// Where the report would go.
        #[arg(long, default_value = "human")]
        format: String,
        /// What would be judged.
        paths: Vec<PathBuf>,
    },
}

fn main() {
    if std::env::var_os(NOTHING).is_some() {
        let Verb::Check { format, paths } = Nothing::parse().command;
        std::hint::black_box((format, paths));
        return;
    }
    let folder = tempfile::tempdir().expect("a folder of its own");
    let install = |program: &Path, name: &str| {
        let place = folder.path().join(name);
        std::fs::copy(program, &place).expect("a copy of the program");
        place
    };
    let this = install(&std::env::current_exe().expect("the path of this program"), "nothing");
    let tool = install(Path::new(env!("CARGO_BIN_EXE_fleetlens")), "fleetlens");
    let case = "testdata/rules/FL1008-unknown-field";
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["good.yaml", "bad.yaml"] {
        std::fs::copy(root.join(case).join(name), folder.path().join(name)).expect("a copy");
    }
    std::fs::write(folder.path().join("other.yaml"), "kind: Deployment\nspec: {}\n")
        .expect("a file");
    for name in ["good.yaml", "bad.yaml", "other.yaml"] {
        let (mut nothing, mut check) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            nothing.push(start(Command::new(&this).env(NOTHING, "1"), folder.path(), name));
            check.push(start(&mut Command::new(&tool), folder.path(), name));
        }
        let (nothing, check) = (median(nothing), median(check));
        println!(
            "check {name:<10} {check:>9.1?}   clap alone {nothing:>9.1?}   ratio {:.2}",
            check.as_secs_f64() / nothing.as_secs_f64()
        );
    }
}

fn start(command: &mut Command, folder: &Path, name: &str) -> Duration {
    let command = command.args(["check", "--format", "human", name]).current_dir(folder);
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    let begin = Instant::now();
    command.status().expect("the program starts");
    begin.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
