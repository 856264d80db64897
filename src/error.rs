//! The ways in which the tool itself can fail; trouble in a bundle is a finding, never an error.

use std::path::PathBuf;

/// Why the tool could not do its job.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The report could not be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// Where.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A file that the user named cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// Something that the user named cannot be read.
    #[error(transparent)]
    Input(#[from] crate::input::Error),
    /// An argument makes no sense.
    #[error("{0}")]
    Usage(String),
}
