//! `grammar/messages`: templates, log lines, reasons and keys as tables.
//!
//! Every text is compiled to its pieces, and every table has the indexes by which it is asked.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use phf_codegen::Map;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::notation::{self, Piece};
use crate::rust::{bytes, option, slice, table, texts, variant};

/// How many bytes of its first words a template is found by.
const HEAD: usize = 4;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    families: Vec<Family>,
    logs: Vec<String>,
    stems: Vec<String>,
    releases: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Family {
    file: String,
    #[serde(default)]
    kinds: Vec<String>,
}

/// Templates that share what is written here.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    kind: String,
    slot: Option<String>,
    #[serde(default)]
    on: Vec<String>,
    end: Option<String>,
    #[serde(default)]
    carrier: bool,
    templates: Vec<Template>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Template {
    id: String,
    #[serde(default)]
    aka: Vec<String>,
    text: String,
    on: Option<Vec<String>>,
    end: Option<String>,
    since: Option<String>,
    until: Option<String>,
    successor: Option<String>,
    #[serde(default)]
    overlaps: Vec<String>,
    means: Option<String>,
    r#do: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReasonGroup {
    of: String,
    /// Who writes them.
    by: String,
    /// Where such conditions stand, as `Family.key.key`.
    #[serde(default)]
    at: Vec<String>,
    /// How all its reasons begin.
    begins: Option<String>,
    reasons: Vec<Reason>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    on: String,
    by: Option<String>,
    means: String,
    end: Option<String>,
    since: Option<String>,
    until: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceFile {
    file: String,
    lines: Vec<Line>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: String,
    #[serde(default)]
    level: Level,
    text: String,
    #[serde(default)]
    keys: Vec<String>,
    since: Option<String>,
    until: Option<String>,
    successor: Option<String>,
    #[serde(default)]
    routine: bool,
    per: Option<String>,
    means: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
enum Level {
    #[default]
    #[serde(rename = "I")]
    Info,
    #[serde(rename = "W")]
    Warning,
    #[serde(rename = "E")]
    Error,
}

/// What the tables are made with.
struct Writer {
    index: Index,
    keys: BTreeMap<String, String>,
    /// The rows of the templates by their ids.
    ids: BTreeMap<String, usize>,
    /// How many literals there are so far; each has a number of its own.
    literals: usize,
    out: String,
}

/// Writes the tables of `grammar/messages` into a folder.
pub(crate) fn write(out: &Path) -> Result<(), Box<dyn Error>> {
    let index: Index = read("index")?;
    let families = index
        .families
        .iter()
        .map(|family| read(&family.file))
        .collect::<Result<Vec<Vec<Group>>, String>>()?;
    let rows = families.iter().flatten().flat_map(|group| &group.templates);
    let ids = rows.zip(0..).map(|(row, number)| (row.id.clone(), number)).collect();
    let mut writer = Writer { index, keys: read("keys")?, ids, literals: 0, out: String::new() };
    let releases = format!("&{:?}", writer.index.releases);
    writer.out += &format!("pub(super) static RELEASES: &[&str] = {releases};\n");
    writer.write_templates(&families)?;
    writer.write_reasons()?;
    let line_ids = writer.write_lines()?;
    writer.write_keys();
    let literals = writer.literals;
    writer.out += &format!("pub(super) const LITERALS: usize = {literals};\n");
    fs::write(out.join("messages.rs"), writer.out)?;
    let ids: Vec<String> = writer
        .ids
        .iter()
        .map(|(id, row)| constant(id, id, "MessageId", &format!("MessageId({row})")))
        .collect();
    fs::write(out.join("ids.rs"), ids.concat())?;
    fs::write(out.join("lines.rs"), lines(&writer.index.stems, &line_ids).concat())?;
    Ok(())
}

/// Writes the constants of the log lines: each id stands for itself and for the variants whose ids go on after
/// it; so does a stem that is no id itself.
fn lines(stems: &[String], ids: &[String]) -> Vec<String> {
    let named = ids.iter().chain(stems);
    let line = |stem: &String| {
        let own = (0..ids.len()).filter(|row| ids[*row].starts_with(&**stem));
        let rows = slice(own.map(|row| row.to_string()));
        let name = stem.trim_start_matches("log-").trim_end_matches('-');
        constant(name, stem, "LogLines", &format!("LogLines {{ stem: {stem:?}, rows: {rows} }}"))
    };
    named.map(line).collect()
}

/// Writes a constant that is named after a text of the catalogue.
fn constant(name: &str, id: &str, of: &str, value: &str) -> String {
    let name = name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_").to_uppercase();
    format!("/// `{id}`.\npub const {name}: {of} = {value};\n")
}

fn read<T: DeserializeOwned>(name: &str) -> Result<T, String> {
    let path = format!("grammar/messages/{name}.yaml");
    let text = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    serde_yaml::from_str(&text).map_err(|error| format!("{path}: {error}"))
}

fn write_home(home: &str) -> String {
    let mut words = home.split('.').map(str::to_owned);
    let family = words.next().unwrap_or_default();
    format!(
        "ConditionHome {{ family: Kind::{family}, path: {} }}",
        texts(&words.collect::<Vec<_>>())
    )
}

impl Writer {
    fn write_templates(&mut self, groups: &[Vec<Group>]) -> Result<(), Box<dyn Error>> {
        let mut rows = Vec::new();
        let (mut carriers, mut silent) = (Vec::new(), Vec::new());
        let mut heads: BTreeMap<[u8; HEAD], Vec<String>> = BTreeMap::new();
        let mut headless = Vec::new();
        for (family, groups) in groups.iter().enumerate() {
            for group in groups {
                for one in &group.templates {
                    let number = rows.len();
                    let aggregate = group.slot.as_deref() == Some("aggregate");
                    let spellings =
                        if aggregate { Vec::new() } else { notation::parse(&one.text)? };
                    for (spelling, pieces) in spellings.iter().enumerate() {
                        // Prefixes are looked for by themselves.
                        let at = format!(
                            "PatternPosition {{ template: {number}, pattern: {spelling} }}"
                        );
                        match pieces.first() {
                            _ if family == 0 => {}
                            Some(Piece::Literal(words, _)) if words.len() >= HEAD => {
                                let mut head = [0; HEAD];
                                head.copy_from_slice(&words[..HEAD]);
                                heads.entry(head).or_default().push(at);
                            }
                            _ => headless.push(at),
                        }
                    }
                    if group.carrier {
                        carriers.push(number.to_string());
                    }
                    if one.text.is_empty() {
                        silent.push(number.to_string());
                    }
                    rows.push(self.template(family, group, one, &spellings)?);
                }
            }
        }
        let families = std::mem::take(&mut self.index.families);
        let families: Vec<String> = families
            .iter()
            .map(|one| format!("TemplateFile {{ kinds: {} }},\n", texts(&one.kinds)))
            .collect();
        let heads: Vec<String> = heads
            .into_iter()
            .map(|(head, at)| format!("(*{}, {}),\n", bytes(&head), slice(at)))
            .collect();
        self.out += &table("FAMILIES", "TemplateFile", &families);
        self.out += &table("TEMPLATES", "Template", &rows);
        self.out += &table("HEADS", &format!("([u8; {HEAD}], &[PatternPosition])"), &heads);
        self.out +=
            &format!("pub(super) static HEADLESS: &[PatternPosition] = {};\n", slice(headless));
        self.out += &format!("pub(super) static CARRIERS: &[u16] = {};\n", slice(carriers));
        self.out += &format!("pub(super) static SILENT: &[u16] = {};\n", slice(silent));
        Ok(())
    }

    fn template(
        &mut self,
        family: usize,
        group: &Group,
        one: &Template,
        spellings: &[Vec<Piece<'_>>],
    ) -> Result<String, String> {
        let on = one.on.as_ref().unwrap_or(&group.on);
        let conditions = on.iter().map(|on| condition(on)).collect::<Result<Vec<_>, _>>()?;
        let patterns: Vec<String> =
            spellings.iter().map(|pieces| notation::rust(pieces, &mut self.literals)).collect();
        Ok(format!(
            "Template {{ id: MessageId({}), name: {:?}, aka: {}, text: {:?}, kind: {}, slot: {}, conditions: {}, \
             outcome: {}, versions: {}, successor: {}, overlaps: {}, carrier: {}, means: {:?}, \
             remedy: {:?}, family: {family}, patterns: {} }},\n",
            self.ids[&one.id],
            one.id,
            texts(&one.aka),
            one.text,
            variant("MessageKind", &group.kind),
            option(group.slot.as_ref().map(|slot| variant("PrefixLayer", slot))),
            slice(conditions),
            outcome(one.end.as_ref().or(group.end.as_ref())),
            self.versions(&one.since, &one.until)?,
            option(one.successor.as_ref().map(|id| self.id(id)).transpose()?),
            slice(one.overlaps.iter().map(|id| self.id(id)).collect::<Result<Vec<_>, _>>()?),
            group.carrier,
            one.means,
            one.r#do,
            slice(patterns),
        ))
    }

    fn id(&self, id: &str) -> Result<String, String> {
        let row = self.ids.get(id).ok_or_else(|| format!("there is no template {id}"))?;
        Ok(format!("MessageId({row})"))
    }

    fn write_reasons(&mut self) -> Result<(), Box<dyn Error>> {
        let (mut rows, mut owners) = (Vec::new(), Vec::new());
        let mut by_reason: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for group in read::<Vec<ReasonGroup>>("reasons")? {
            owners.push(format!(
                "ReasonOwner {{ of: {:?}, begins: {:?}, homes: {} }},\n",
                group.of,
                group.begins,
                slice(group.at.iter().map(|home| write_home(home))),
            ));
            for one in group.reasons {
                let reason = one.on.rsplit('/').next().unwrap_or_default().to_owned();
                by_reason.entry(reason).or_default().push(rows.len().to_string());
                rows.push(format!(
                    "Reason {{ condition: {}, of: {:?}, by: {:?}, means: {:?}, outcome: {}, versions: {} }},\n",
                    condition(&one.on)?,
                    group.of,
                    one.by.as_ref().unwrap_or(&group.by),
                    one.means,
                    outcome(one.end.as_ref()),
                    self.versions(&one.since, &one.until)?,
                ));
            }
        }
        self.out += &table("REASONS", "Reason", &rows);
        self.out += &table("OWNERS", "ReasonOwner", &owners);
        self.lists("BY_REASON", by_reason);
        Ok(())
    }

    /// Writes the log lines and returns their ids.
    fn write_lines(&mut self) -> Result<Vec<String>, Box<dyn Error>> {
        let (mut rows, mut ids) = (Vec::new(), Vec::new());
        let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut formatted: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for name in std::mem::take(&mut self.index.logs) {
            for source in read::<Vec<SourceFile>>(&format!("log-{name}"))? {
                for line in source.lines {
                    let number = rows.len().to_string();
                    let spellings = notation::parse(&line.text)?;
                    let first = spellings.first().filter(|pieces| {
                        pieces.iter().any(|piece| matches!(piece, Piece::Hole(_)))
                    });
                    let pattern = first.map(|pieces| notation::rust(pieces, &mut self.literals));
                    if pattern.is_some() {
                        let file = source.file.rsplit('/').next().unwrap_or_default();
                        formatted.entry(file.to_owned()).or_default().push(number);
                    } else {
                        by_text.entry(line.text.clone()).or_default().push(number);
                    }
                    rows.push(self.line(&source.file, &line, pattern)?);
                    ids.push(line.id);
                }
            }
        }
        self.out += &table("LINES", "LogTemplate", &rows);
        self.lists("LINES_BY_TEXT", by_text);
        self.lists("LINES_WITH_VALUES", formatted);
        Ok(ids)
    }

    fn line(&self, file: &str, line: &Line, pattern: Option<String>) -> Result<String, String> {
        let keys = line.keys.iter().map(|key| {
            let role = self.keys.get(key).map_or("text", |role| role);
            format!("({key:?}, {})", variant("HoleRole", role))
        });
        Ok(format!(
            "LogTemplate {{ id: {:?}, file: {file:?}, text: {:?}, level: LogLevel::{:?}, keys: {}, \
             versions: {}, successor: {:?}, routine: {}, per: {:?}, means: {:?}, pattern: {} }},\n",
            line.id,
            line.text,
            line.level,
            slice(keys),
            self.versions(&line.since, &line.until)?,
            line.successor,
            line.routine,
            line.per,
            line.means,
            option(pattern),
        ))
    }

    fn write_keys(&mut self) {
        let mut keys = Map::new();
        for (key, role) in std::mem::take(&mut self.keys) {
            keys.entry(key, variant("HoleRole", &role));
        }
        self.map("KEYS", "HoleRole", &keys);
    }

    /// Writes lists of rows by a text.
    fn lists(&mut self, name: &str, lists: BTreeMap<String, Vec<String>>) {
        let mut map = Map::new();
        for (key, rows) in lists {
            map.entry(key, slice(rows));
        }
        self.map(name, "&[u16]", &map);
    }

    fn map(&mut self, name: &str, of: &str, map: &Map<String>) {
        let map = map.build();
        self.out += &format!("pub(super) static {name}: phf::Map<&str, {of}> = {map};\n");
    }

    fn versions(&self, since: &Option<String>, until: &Option<String>) -> Result<String, String> {
        let version = |name: &Option<String>| match name {
            None => Ok("None".to_owned()),
            Some(name) => {
                let known = self.index.releases.iter().position(|known| known == name);
                let at = known.ok_or_else(|| format!("unknown version {name}"))?;
                Ok::<_, String>(format!("Some(Version({at}))"))
            }
        };
        Ok(format!("Versions {{ since: {}, until: {} }}", version(since)?, version(until)?))
    }
}

fn outcome(word: Option<&String>) -> String {
    option(word.map(|word| variant("SelfRecovery", word)))
}

/// Reads `Type=Status/Reason`; `Placement.` before the type stands for both placement kinds.
fn condition(text: &str) -> Result<String, String> {
    let parts = text.split_once('=').and_then(|(name, rest)| {
        rest.split_once('/').map(|(status, reason)| (name, status, reason))
    });
    let (name, status, reason) =
        parts.ok_or_else(|| format!("{text} is not Type=Status/Reason"))?;
    let plain = name.strip_prefix("Placement.").unwrap_or(name);
    let placement = plain != name;
    Ok(format!(
        "ConditionSpec {{ r#type: {plain:?}, status: {status:?}, reason: {reason:?}, placement: {placement} }}"
    ))
}
