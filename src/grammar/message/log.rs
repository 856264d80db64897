//! [`log_template`]: the catalogue of log lines.
//!
//! Owns `grammar/messages/log-*.yaml` and the roles of log keys. A line is looked up by its exact
//! text, then by its source file; only files that print values inside the text are asked for a
//! pattern, and only after their first words agree. Case and blanks count: logs are machine text.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::Deserialize;

use super::part::{Ref, hole_refs};
use super::pattern::{Fit, Pattern};
use super::role::Role;
use super::squeezed::Squeezed;
use super::version::{Version, Versions};

/// How grave the line says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Level {
    /// Something happened.
    #[serde(rename = "I")]
    Info,
    /// Something is odd.
    #[serde(rename = "W")]
    Warning,
    /// Something failed.
    #[serde(rename = "E")]
    Error,
}

/// One line that the agents write.
#[derive(Debug)]
pub struct LogTemplate {
    /// The name that rules use.
    pub id: String,
    /// The source file with its directory; only the directory where the file is not known, empty
    /// for lines that are written without one.
    pub file: String,
    /// The text, with holes where values are printed inside.
    pub text: String,
    /// How grave it says it is.
    pub level: Level,
    /// The keys of the line with what they refer to.
    pub keys: Vec<(String, Role)>,
    /// The releases that write it.
    pub versions: Versions,
    /// The wording that took its place.
    pub successor: Option<String>,
    /// Written on every pass, so that it tells only that the controller lives.
    pub routine: bool,
    /// The key by whose object the line is counted, so that its last one about each object is known.
    pub per: Option<String>,
    /// What the line tells.
    pub means: Option<String>,
    pattern: Option<Pattern>,
}

impl LogTemplate {
    /// Returns what the values inside the text refer to.
    pub fn refs(&'static self, message: &str) -> Vec<Ref> {
        let Some(pattern) = &self.pattern else { return Vec::new() };
        let text = Squeezed::new(message);
        let Some(found) = pattern.find(&text, 0..text.len(), Fit::Whole) else { return Vec::new() };
        let holes = found.holes.into_iter();
        holes.flat_map(|(hole, range)| hole_refs(hole, message, text.origin(range))).collect()
    }

    /// Says whether the text itself holds the name of an object.
    pub fn names_object_in_text(&self) -> bool {
        self.pattern.as_ref().is_some_and(|pattern| pattern.roles().any(Role::is_object))
    }

    /// Tells how well a source file agrees: by directory and name, by name, or not.
    fn agrees(&self, directory: &str, name: &str) -> Option<u8> {
        if self.file.is_empty() || name.is_empty() {
            return Some(if self.file == name { 2 } else { 0 });
        }
        let (own_directory, own_name) = self.file.rsplit_once('/').unwrap_or(("", &self.file));
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
    let index = index();
    let exact = index.by_text.get(message).into_iter().flatten();
    let best = exact
        .filter_map(|template| Some((template.agrees(directory, name)?, *template)))
        .reduce(|best, one| if one.0 > best.0 { one } else { best });
    if let Some((_, template)) = best {
        return Some(template);
    }
    index.formatted.get(name)?.iter().copied().find(|template| {
        let head = template.text.split('{').next().unwrap_or_default();
        let fits = |pattern: &Pattern| {
            let text = Squeezed::new(message);
            pattern.find(&text, 0..text.len(), Fit::Whole).is_some()
        };
        message.starts_with(head) && template.pattern.as_ref().is_some_and(fits)
    })
}

/// Returns what the value of a log key refers to.
pub fn key_role(key: &str) -> Option<Role> {
    static ROLES: OnceLock<HashMap<String, Role>> = OnceLock::new();
    let roles = ROLES.get_or_init(|| {
        serde_yaml::from_str(include_str!("../../../grammar/messages/keys.yaml"))
            .expect("the embedded table of keys is read by a test")
    });
    roles.get(key).copied()
}

/// Returns every log template.
pub fn log_templates() -> &'static [LogTemplate] {
    static LINES: OnceLock<Vec<LogTemplate>> = OnceLock::new();
    LINES.get_or_init(|| {
        FILES
            .iter()
            .map(|yaml| read_lines(yaml))
            .collect::<Result<Vec<_>, _>>()
            .expect("the embedded catalogue is read by a test")
            .into_iter()
            .flatten()
            .collect()
    })
}

/// The ways to a template. Only ever looked up: the order of a hash map reaches nothing.
#[derive(Default)]
struct Index {
    by_text: HashMap<&'static str, Vec<&'static LogTemplate>>,
    /// Lines with values inside, by the name of their source file.
    formatted: HashMap<&'static str, Vec<&'static LogTemplate>>,
}

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut index = Index::default();
        for template in log_templates() {
            if template.pattern.is_some() {
                let name = template.file.rsplit('/').next().unwrap_or_default();
                index.formatted.entry(name).or_default().push(template);
            } else {
                index.by_text.entry(&template.text).or_default().push(template);
            }
        }
        index
    })
}

macro_rules! files {
    ($($name:literal)*) => {
        [$(include_str!(concat!("../../../grammar/messages/log-", $name, ".yaml"))),*]
    };
}

const FILES: [&str; 13] = files!(
    "run" "run-old" "placement" "scheduler" "rollout" "work" "override" "membercluster"
    "eviction" "webhook" "applier" "agent" "runtime"
);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceFile {
    file: String,
    lines: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    #[serde(default = "info")]
    level: Level,
    text: String,
    #[serde(default)]
    keys: Vec<String>,
    since: Option<Version>,
    until: Option<Version>,
    successor: Option<String>,
    #[serde(default)]
    routine: bool,
    per: Option<String>,
    means: Option<String>,
}

fn info() -> Level {
    Level::Info
}

fn read_lines(yaml: &str) -> Result<Vec<LogTemplate>, String> {
    let files: Vec<SourceFile> = serde_yaml::from_str(yaml).map_err(|fault| fault.to_string())?;
    let mut lines = Vec::new();
    for SourceFile { file, lines: rows } in files {
        for row in rows {
            let role = |key: String| {
                let role = key_role(&key).unwrap_or(Role::Text);
                (key, role)
            };
            let pattern = Pattern::parse(&row.text)?.into_iter().next();
            lines.push(LogTemplate {
                id: row.id,
                file: file.clone(),
                level: row.level,
                keys: row.keys.into_iter().map(role).collect(),
                versions: Versions { since: row.since, until: row.until },
                successor: row.successor,
                routine: row.routine,
                per: row.per,
                means: row.means,
                pattern: pattern.filter(Pattern::has_holes),
                text: row.text,
            });
        }
    }
    Ok(lines)
}
