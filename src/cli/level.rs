//! Severities on the command line.

use clap::ValueEnum;

use crate::finding::Severity;

/// A severity as an argument.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Level {
    /// Everything.
    Note,
    /// Warnings and errors.
    Warning,
    /// Errors only.
    Error,
}

impl From<Level> for Severity {
    fn from(level: Level) -> Self {
        match level {
            Level::Note => Self::Note,
            Level::Warning => Self::Warning,
            Level::Error => Self::Error,
        }
    }
}
