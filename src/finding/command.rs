//! Commands that a finding proposes, each with what it risks.

/// What a command changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Risk {
    /// It only looks.
    ReadOnly,
    /// It changes something that can be changed back.
    Reversible,
    /// It deletes something or cannot be undone.
    Destructive,
}

impl Risk {
    /// Returns the word used in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::Reversible => "reversible",
            Self::Destructive => "destructive",
        }
    }
}

/// A command line, ready to paste.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The command.
    pub text: String,
    /// What it risks.
    pub risk: Risk,
}

impl Command {
    /// Makes a command that only looks.
    pub fn look(text: impl Into<String>) -> Self {
        Self { text: text.into(), risk: Risk::ReadOnly }
    }

    /// Makes a command whose effect can be taken back.
    pub fn change(text: impl Into<String>) -> Self {
        Self { text: text.into(), risk: Risk::Reversible }
    }

    /// Makes a command that deletes or cannot be undone.
    pub fn destroy(text: impl Into<String>) -> Self {
        Self { text: text.into(), risk: Risk::Destructive }
    }
}
