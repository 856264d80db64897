//! [`log_template`]: the catalogue of log lines.
//!
//! The tables are made of `grammar/messages/log-*.yaml` and of the roles of log keys. A line is looked up by its exact
//! text, then by its source file; only files that print values inside the text are asked for a
//! pattern, and only after their first words agree. Case and blanks count: logs are machine text.

use super::hole_role::HoleRole;
use super::normalized::Normalized;
use super::pattern::{MatchMode, MessagePattern};
use super::recognised::{MessageRef, hole_refs};
use super::tables::{KEYS, LINES, LINES_BY_TEXT, LINES_WITH_VALUES};
use super::version::Versions;

/// How grave the line says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// klog `I`: normal operation.
    Info,
    /// Something is odd.
    Warning,
    /// Something failed.
    Error,
}

/// One line that the agents write.
#[derive(Debug)]
pub struct LogTemplate {
    /// The name that rules use.
    pub id: &'static str,
    /// The source file with its directory; only the directory where the file is not known, empty
    /// for lines that are written without one.
    pub file: &'static str,
    /// The text, with holes where values are printed inside.
    pub text: &'static str,
    /// How grave it says it is.
    pub level: LogLevel,
    /// The keys of the line with what they refer to.
    pub keys: &'static [(&'static str, HoleRole)],
    /// The releases that write it.
    pub versions: Versions,
    /// The wording that took its place.
    pub successor: Option<&'static str>,
    /// Written on every pass, so that it tells only that the controller lives.
    pub routine: bool,
    /// The key by whose object the line is counted, so that its last one about each object is known.
    pub per: Option<&'static str>,
    /// What the line tells.
    pub means: Option<&'static str>,
    pub(super) pattern: Option<MessagePattern>,
}

impl LogTemplate {
    /// Returns what the values inside the text refer to.
    pub fn refs(&'static self, message: &str) -> Vec<MessageRef> {
        let Some(pattern) = &self.pattern else { return Vec::new() };
        let text = Normalized::new(message);
        let Some(found) = pattern.find(&text, 0..text.len(), MatchMode::Whole) else {
            return Vec::new();
        };
        let holes = found.holes.into_iter();
        holes.flat_map(|(hole, range)| hole_refs(hole, message, text.origin(range))).collect()
    }

    /// Says whether the text itself holds the name of an object.
    pub fn names_object_in_text(&self) -> bool {
        self.pattern.as_ref().is_some_and(|pattern| pattern.roles().any(HoleRole::is_object))
    }

    /// Tells how well a source file agrees: by directory and name, by name, or not.
    fn agrees(&self, directory: &str, name: &str) -> Option<u8> {
        if self.file.is_empty() || name.is_empty() {
            return Some(if self.file == name { 2 } else { 0 });
        }
        let (own_directory, own_name) = self.file.rsplit_once('/').unwrap_or(("", self.file));
        let same = own_directory == directory;
        match own_name {
            "" => (same || directory.is_empty()).then_some(1),
            _ if own_name == name => Some(if same { 2 } else { 1 }),
            _ => None,
        }
    }
}

/// Finds the template of a log line by its source file and message.
///
/// The file may come with its directory and its line number, or be empty.
pub fn log_template(file: &str, message: &str) -> Option<&'static LogTemplate> {
    let file = file.split_once(':').map_or(file, |(file, _)| file);
    let (path, name) = file.rsplit_once('/').unwrap_or(("", file));
    let directory = path.rsplit_once('/').map_or(path, |(_, directory)| directory);
    let best = rows(LINES_BY_TEXT.get(message))
        .filter_map(|template| Some((template.agrees(directory, name)?, template)))
        .reduce(|best, one| if one.0 > best.0 { one } else { best });
    if let Some((_, template)) = best {
        return Some(template);
    }
    rows(LINES_WITH_VALUES.get(name)).find(|template| {
        let head = template.text.split('{').next().unwrap_or_default();
        let fits = |pattern: &MessagePattern| {
            let text = Normalized::new(message);
            pattern.find(&text, 0..text.len(), MatchMode::Whole).is_some()
        };
        message.starts_with(head) && template.pattern.as_ref().is_some_and(fits)
    })
}

/// Returns what the value of a log key refers to.
pub fn key_role(key: &str) -> Option<HoleRole> {
    KEYS.get(key).copied()
}

/// Returns all log keys with what their values refer to.
pub fn key_roles() -> impl Iterator<Item = (&'static str, HoleRole)> {
    KEYS.entries().map(|(key, role)| (*key, *role))
}

/// Returns every log template.
pub fn log_templates() -> &'static [LogTemplate] {
    &LINES
}

/// Returns the log templates of a list of rows.
fn rows(rows: Option<&'static &'static [u16]>) -> impl Iterator<Item = &'static LogTemplate> {
    rows.into_iter().copied().flatten().filter_map(|row| LINES.get(usize::from(*row)))
}
