//! [`MessageId`], [`LogLines`]: the names by which rules ask for texts of the catalogue.
//!
//! The build makes a constant of each, so that a rule cannot name a text that does not exist.

use std::fmt;

use super::catalogue::Template;
use super::log::LogTemplate;
use super::tables::{LINES, TEMPLATES};

/// The id of a message template.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId(pub(super) u16);

impl MessageId {
    /// Returns the template.
    pub fn template(self) -> Option<&'static Template> {
        TEMPLATES.get(usize::from(self.0))
    }

    /// Returns the id as `grammar/messages` has it.
    pub fn name(self) -> &'static str {
        self.template().map_or("", |template| template.name)
    }
}

impl fmt::Debug for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A log line with its variants: the lines whose ids begin alike.
#[derive(Clone, Copy, Debug)]
pub struct LogLines {
    stem: &'static str,
    rows: &'static [u16],
}

impl LogLines {
    /// Returns what the ids begin with; the id itself if there is one line only.
    pub fn stem(self) -> &'static str {
        self.stem
    }

    /// Says whether a line is one of these.
    pub fn contains(self, line: &LogTemplate) -> bool {
        line.id.starts_with(self.stem)
    }

    /// Returns the lines.
    pub fn templates(self) -> impl Iterator<Item = &'static LogTemplate> {
        self.rows.iter().filter_map(|row| LINES.get(usize::from(*row)))
    }
}

/// A constant for each message template.
#[expect(dead_code, reason = "the catalogue has more than rules name")]
pub mod id {
    use super::MessageId;

    include!(concat!(env!("OUT_DIR"), "/ids.rs"));
}

/// A constant for each log line.
#[expect(dead_code, reason = "the catalogue has more than rules name")]
pub mod line {
    use super::LogLines;

    include!(concat!(env!("OUT_DIR"), "/lines.rs"));
}
