//! The ways in which the tool itself can fail; trouble in a bundle is a finding, never an error.

use std::path::PathBuf;

use crate::source::{Sources, Span};

/// What is wrong in a file that tells the tool what to do, and where.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The text that is at fault.
    pub span: Span,
    /// What to say there.
    pub label: String,
    /// The message for the user.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl Fault {
    /// Makes a fault without advice.
    pub fn new(span: Span, label: impl Into<String>, message: impl Into<String>) -> Self {
        Self { span, label: label.into(), message: message.into(), help: String::new() }
    }

    /// Says what to do about it.
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: help.into(), ..self }
    }
}

/// Why the tool could not do its job.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The report could not be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file that could not be written.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        source: std::io::Error,
    },
    /// A file that the user named cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        source: std::io::Error,
    },
    /// Something that the user named cannot be read.
    #[error(transparent)]
    Input(#[from] crate::input::InputError),
    /// A file that tells the tool what to do makes no sense.
    #[error("{} cannot be used", path.display())]
    Faulty {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        faults: Vec<Fault>,
        /// The file that holds the faults.
        sources: Box<Sources>,
    },
    /// There is nothing to judge in what the user named; says what it is and what to do with it.
    #[error("{0}")]
    Nothing(String),
    /// An argument makes no sense.
    #[error("{0}")]
    Usage(String),
}
