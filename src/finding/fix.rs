//! [`Fix`]: what would repair a finding, as changes to the text.
//!
//! Owns whether it may be done unasked. How a change becomes an edit is left to
//! [`crate::syntax::edit`], whether it is done to the user.

use crate::syntax::edit::TextEdit;

/// Whether a fix may be done without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Safety {
    /// It writes what the author surely means, or takes out what has no effect.
    Safe,
    /// It decides something that is the author's to decide.
    Consent,
}

impl Safety {
    /// Returns the word used in machine-readable reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Consent => "consent",
        }
    }

    /// Returns the option of `check` that does it.
    pub fn option(self) -> &'static str {
        match self {
            Self::Safe => "--fix",
            Self::Consent => "--fix=all",
        }
    }
}

/// What would repair a finding.
#[derive(Clone, Debug)]
pub struct Fix {
    /// Whether it may be done without asking.
    pub safety: Safety,
    /// The changes, which are made together or not at all.
    pub changes: Vec<TextEdit>,
}
