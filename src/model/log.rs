//! Log events: lines of controller logs that say something about an object.
//!
//! Owns [`LogEvent`] and [`Log`]. A line is known by its source file and message, through the catalogue;
//! what it names becomes typed references with places. Times are instants only where the bundle gives a
//! clock; without one events of two logs are never compared.

use jiff::Timestamp;
use smol_str::SmolStr;

use super::key::ObjectKey;
use crate::grammar::kind::Kind;
use crate::grammar::message::{HoleRole, LogLines, LogTemplate};
use crate::kube::time::{show_duration, show_timestamp};
use crate::source::{SourceId, Span};
use crate::syntax::log::{Civil, LogClock, LogCounts, RecordLevel};

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

impl Agent {
    /// Returns the name of the agent, which its deployments and containers bear too.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Hub => Some("hub-agent"),
            Self::Member => Some("member-agent"),
            Self::Unknown => None,
        }
    }
}

/// How a log writes its times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// No record has one.
    None,
    /// With year and zone.
    Full,
    /// Some or all without year and zone.
    Civil,
}

/// One log, as a whole.
#[derive(Clone, Debug)]
pub struct Log {
    /// The source that holds its kept lines.
    pub source: SourceId,
    /// The agent that wrote it.
    pub agent: Agent,
    /// The cluster it comes from, if that is known.
    pub cluster: Option<SmolStr>,
    /// The exact counts.
    pub counts: LogCounts,
    /// How many records name an object, or mention one that the bundle holds.
    pub attached: u64,
    /// The first and the last instant in it.
    pub covers: Option<(Timestamp, Timestamp)>,
    /// How its times were turned into instants.
    pub clock: Option<LogClock>,
    /// How its times are written.
    pub times: Times,
    /// Whether it ends in the middle of a record.
    pub tail_cut: bool,
}

impl Log {
    /// Says in words how year and zone of its times were found.
    pub fn timing(&self) -> String {
        let Some(clock) = &self.clock else {
            return match self.times {
                Times::None => "no record has a time",
                Times::Full => "times with year and zone",
                Times::Civil => {
                    "year and zone not known: its times stay civil and are not compared with others"
                }
            }
            .to_owned();
        };
        let zone = match clock.offset.seconds() {
            0 => String::new(),
            _ => format!(" (UTC{})", clock.offset),
        };
        let skew = match clock.ahead.as_secs() {
            0 => String::new(),
            seconds => {
                let side = if seconds > 0 { "ahead of" } else { "behind" };
                let by = show_duration(clock.ahead.abs());
                format!("; its clock is {by} {side} the timestamps in front of the lines")
            }
        };
        format!("{clock}{zone}{skew}")
    }
}

/// Something that a line names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRef {
    /// What it refers to.
    pub role: HoleRole,
    /// Its namespace, `""` in cluster scope or where the line does not say.
    pub namespace: SmolStr,
    /// Its name or value.
    pub name: SmolStr,
    /// Where it stands.
    pub span: Span,
}

/// The families that lines name, the most telling first.
const SUBJECTS: [(HoleRole, Kind); 8] = [
    (HoleRole::Run, Kind::Run),
    (HoleRole::Work, Kind::Work),
    (HoleRole::Binding, Kind::Binding),
    (HoleRole::ApprovalRequest, Kind::ApprovalRequest),
    (HoleRole::Placement, Kind::Placement),
    (HoleRole::Snapshot, Kind::ResourceSnapshot),
    (HoleRole::PolicySnapshot, Kind::PolicySnapshot),
    (HoleRole::Strategy, Kind::Strategy),
];

impl LogRef {
    /// Returns the object that the reference stands for, where the role tells its kind.
    pub fn object(&self) -> Option<ObjectKey> {
        let (_, family) = SUBJECTS.iter().find(|(role, _)| *role == self.role)?;
        Some(ObjectKey::of(*family, &self.namespace, &self.name))
    }
}

/// An object of the bundle that a line mentions without saying what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The object.
    pub object: ObjectKey,
    /// Where it stands in the line.
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
    pub level: Option<RecordLevel>,
    /// When, as an instant.
    pub time: Option<Timestamp>,
    /// When by the head of the line, which has neither year nor zone, and the New Years since the log began.
    pub civil: Option<(Civil, i16)>,
    /// The whole record.
    pub span: Span,
    /// Its line in the original file.
    pub line: u32,
    /// The message.
    pub message: SmolStr,
    /// What it names.
    pub refs: Vec<LogRef>,
    /// Known objects that it mentions otherwise, only looked for where it names none; and objects whose kind it tells.
    pub mentions: Vec<Mention>,
    /// The error it carries, decoded, and its place.
    pub error: Option<(SmolStr, Span)>,
}

impl LogEvent {
    /// Says whether this is one of some lines of the catalogue.
    pub fn is(&self, lines: LogLines) -> bool {
        self.template.is_some_and(|template| lines.contains(template))
    }

    /// Returns the first thing that the line names in a role.
    pub fn find(&self, role: HoleRole) -> Option<&LogRef> {
        self.refs.iter().find(|found| found.role == role)
    }

    /// Returns the object that the line is about, as far as it tells.
    pub fn subject(&self) -> Option<ObjectKey> {
        let named = SUBJECTS.iter().find_map(|(role, ..)| self.find(*role)?.object());
        named.or_else(|| self.mentions.first().map(|mention| mention.object.clone()))
    }

    /// Returns every object that the line names or mentions.
    pub fn objects(&self) -> impl Iterator<Item = ObjectKey> + '_ {
        let mentioned = self.mentions.iter().map(|mention| mention.object.clone());
        self.refs.iter().filter_map(LogRef::object).chain(mentioned)
    }

    /// Shows when it was written: as an instant, else as the line has it; `None` if it has no time.
    pub fn shown_time(&self) -> Option<String> {
        let civil = || {
            let (at, _) = self.civil?;
            let (month, day) = (at.month, at.day);
            let (hour, minute, second) = (at.hour, at.minute, at.second);
            Some(format!(
                "{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} (year and zone not known)"
            ))
        };
        self.time.map(show_timestamp).or_else(civil)
    }

    /// Returns the time for the middle of a sentence: ` at …`, or nothing where it has none.
    pub fn at_time(&self) -> String {
        self.shown_time().map(|time| format!(" at {time}")).unwrap_or_default()
    }

    /// Returns the name of the first thing in a role.
    pub fn named(&self, role: HoleRole) -> Option<&str> {
        self.find(role).map(|found| &*found.name)
    }
}
