//! Log events: lines of controller logs that say something about an object.
//!
//! Owns [`LogEvent`] and [`Log`]. A line is known by its source file and message, through the catalogue;
//! what it names becomes typed references with places. Times are instants only where the bundle gives a
//! clock; without one events of two logs are never compared.

use jiff::Timestamp;

use crate::grammar::message::{LogTemplate, Role};
use crate::source::{SourceId, Span};
use crate::syntax::log::{Level, LogClock, LogCounts};

/// Which agent wrote a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agent {
    /// hub-agent.
    Hub,
    /// member-agent.
    Member,
    /// It could not be told.
    Unknown,
}

/// One log, as a whole.
#[derive(Clone, Debug)]
pub struct Log {
    /// The source that holds its kept lines.
    pub source: SourceId,
    /// Who wrote it.
    pub agent: Agent,
    /// The cluster it comes from, if that is known.
    pub cluster: Option<Box<str>>,
    /// The exact counts.
    pub counts: LogCounts,
    /// The first and the last instant in it.
    pub covers: Option<(Timestamp, Timestamp)>,
    /// How its times were turned into instants.
    pub clock: Option<LogClock>,
    /// Whether it begins in the middle of a record.
    pub head_cut: bool,
    /// Whether it ends in the middle of a record.
    pub tail_cut: bool,
}

/// Something that a line names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRef {
    /// What it refers to.
    pub role: Role,
    /// Its namespace, `""` in cluster scope or where the line does not say.
    pub namespace: Box<str>,
    /// Its name or value.
    pub name: Box<str>,
    /// Where it stands.
    pub span: Span,
}

/// One line (with its continuation) that was kept.
#[derive(Clone, Debug)]
pub struct LogEvent {
    /// The log, by its place among the logs of the bundle.
    pub log: usize,
    /// What the catalogue knows of the line.
    pub template: Option<&'static LogTemplate>,
    /// How grave it says it is.
    pub level: Option<Level>,
    /// When, as an instant.
    pub time: Option<Timestamp>,
    /// The whole record.
    pub span: Span,
    /// Its line in the original file.
    pub line: u32,
    /// The message.
    pub message: Box<str>,
    /// What it names.
    pub refs: Vec<LogRef>,
    /// The error it carries, decoded, and its place.
    pub error: Option<(Box<str>, Span)>,
}

impl LogEvent {
    /// Says whether this is a line of the catalogue with the id, or a variant whose id goes on after it.
    pub fn is(&self, id: &str) -> bool {
        self.template.is_some_and(|template| template.id.starts_with(id))
    }

    /// Returns the first thing that the line names in a role.
    pub fn find(&self, role: Role) -> Option<&LogRef> {
        self.refs.iter().find(|found| found.role == role)
    }

    /// Returns the name of the first thing in a role.
    pub fn named(&self, role: Role) -> Option<&str> {
        self.find(role).map(|found| &*found.name)
    }
}
