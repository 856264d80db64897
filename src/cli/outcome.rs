//! How a command that judges ends: what it prints, and its exit code.

use clap::Args;

use super::Exit;

/// Arguments of every command whose exit code is a verdict.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct OutcomeArgs {
    /// Print nothing on standard output; the exit code tells the result.
    #[arg(short, long)]
    pub(super) quiet: bool,
    /// Exit with 0 even if something is found.
    #[arg(long)]
    pub(super) exit_zero: bool,
}

impl OutcomeArgs {
    /// Returns the exit of a command that found something or not.
    pub(super) fn ending(self, found: bool) -> Exit {
        if found && !self.exit_zero { Exit::Findings } else { Exit::Clean }
    }
}
