//! Severities on the command line.

use clap::ValueEnum;

use crate::finding::Severity;

/// A severity as an argument.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum SeverityArg {
    /// Notes, warnings and errors.
    Note,
    /// Warnings and errors.
    Warning,
    /// Errors only.
    Error,
}

impl From<SeverityArg> for Severity {
    fn from(level: SeverityArg) -> Self {
        match level {
            SeverityArg::Note => Self::Note,
            SeverityArg::Warning => Self::Warning,
            SeverityArg::Error => Self::Error,
        }
    }
}
