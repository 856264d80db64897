//! Commands that a finding proposes, each with what it risks.
//!
//! They are made to be pasted into a shell, and the names in them come from a bundle that nobody vouches
//! for: [`word`] quotes one, [`Command::can_be_pasted`] tells a line in which a name could do more than name.

use std::borrow::Cow;

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

impl Command {
    /// Says whether every name is there, and a shell reads nothing in it but words and text in single quotes.
    pub fn can_be_pasted(&self) -> bool {
        // Every second piece stands between single quotes, where a shell reads nothing.
        let pieces: Vec<&str> = self.text.split('\'').collect();
        pieces.len() % 2 == 1
            && pieces.iter().step_by(2).all(|open| open.chars().all(|c| c == ' ' || is_harmless(c)))
            && pieces.iter().skip(1).step_by(2).all(|quoted| !quoted.is_empty())
    }
}

/// Returns a name as one word of a shell: quoted where it is not plain.
///
/// No object has a name with a quote; it becomes the empty word, which [`Command::can_be_pasted`] refuses.
pub fn word(name: &str) -> Cow<'_, str> {
    if !name.is_empty() && name.chars().all(is_harmless) {
        return Cow::Borrowed(name);
    }
    if name.contains('\'') { Cow::Borrowed("''") } else { Cow::Owned(format!("'{name}'")) }
}

fn is_harmless(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._:/@%+=,".contains(c)
}

#[cfg(test)]
mod tests {
    use super::{Command, word};

    #[test]
    fn names_of_objects_stay_as_they_are() {
        for name in ["web-app.v2", "system:node-reader", "fleet-member-member1"] {
            assert_eq!(word(name), name);
        }
    }

    #[test]
    fn a_name_that_a_shell_would_run_is_quoted() {
        for name in ["x;reboot", "$(reboot)", "`reboot`", "x --all", "a\nb"] {
            let text = format!("kubectl get pods {}", word(name));
            assert!(Command::look(&*text).can_be_pasted(), "{text}");
        }
    }

    #[test]
    fn a_line_without_a_name_or_with_one_that_a_shell_would_run_is_not_for_pasting() {
        for name in ["x;reboot", "$(reboot)", "x|sh", "x>y", "x'y", "x'$(reboot)'y", "a\nb", "x\\"]
        {
            let text = format!("kubectl patch pods web -p '{{\"x\":\"{name}\"}}' {name}");
            assert!(!Command::look(&*text).can_be_pasted(), "{text}");
        }
        for name in ["", "'", "a'b", "'x;reboot'", "x';reboot;'y", "a' -n 'b"] {
            let text = format!("kubectl get pods {}", word(name));
            assert!(!Command::look(&*text).can_be_pasted(), "{text}");
        }
    }
}
