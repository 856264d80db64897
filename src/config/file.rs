//! `fleetlens.toml`: what a repository wants of the tool.
//!
//! Owns the keys and their meaning; `schema/config-1.json` says the same for editors, and a test keeps
//! the two together. Reading the file is left to the command line.
//! Invariant: a file with any fault gives no configuration at all.

use super::toml_table::{Table, TomlItem, with_table};
use super::{Ignore, Level, Pages, Pattern, Policy};
use crate::error::Fault;
use crate::finding::Severity;
use crate::manifest::Webhooks;
use crate::rules::{find_rule, nearest_rule};
use crate::source::SourceFile;

/// The JSON Schema of the file, shipped with the program.
pub const SCHEMA: &str = include_str!("schema/config-1.json");

/// The keys of the file.
pub const KEYS: &[&str] = &[
    "fail-on", "webhooks", "context", "members", "exclude", "baseline", "pages", "rules", "ignore",
];

/// The keys of an entry under `ignore`.
pub const IGNORE_KEYS: &[&str] = &["rule", "kind", "namespace", "name", "reason", "expires"];

const LEVELS: [(&str, Level); 4] = [
    ("off", Level::Off),
    ("note", Level::At(Severity::Note)),
    ("warning", Level::At(Severity::Warning)),
    ("error", Level::At(Severity::Error)),
];

/// What a `fleetlens.toml` says.
#[derive(Clone, Debug, Default)]
pub struct FileConfig {
    /// The severity that fails a check.
    pub fail_on: Option<Severity>,
    /// Whether the hub has its admission webhooks.
    pub webhooks: Option<Webhooks>,
    /// The folder to look things up in, relative to the file.
    pub context: Option<String>,
    /// Dumps of member clusters, relative to the file.
    pub members: Vec<String>,
    /// Paths that are neither judged nor looked up, relative to the file.
    pub exclude: Vec<Pattern>,
    /// The file of known findings, relative to the file.
    pub baseline: Option<String>,
    /// Where the pages of rules stand.
    pub pages: Option<Pages>,
    /// Levels of rules and what is ignored.
    pub policy: Policy,
}

impl FileConfig {
    /// Reads the text of a configuration; the error is everything that is wrong with it.
    pub fn parse(source: &SourceFile) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let config = with_table(source, |table| read(&table, &mut faults));
        faults.sort_by_key(|fault| fault.span);
        match config {
            Ok(config) if faults.is_empty() => Ok(config),
            Ok(_) => Err(faults),
            Err(fault) => Err(vec![fault]),
        }
    }
}

fn read(table: &Table<'_>, faults: &mut Vec<Fault>) -> FileConfig {
    table.refuse_others(KEYS, faults);
    let mut config = FileConfig::default();
    if let Some(item) = table.get("fail-on") {
        let words = LEVELS.iter().filter_map(|(word, level)| match level {
            Level::At(severity) => Some((*word, *severity)),
            Level::Off => None,
        });
        config.fail_on = item.word(&words.collect::<Vec<_>>(), faults);
    }
    if let Some(item) = table.get("webhooks") {
        config.webhooks = item.word(&[("on", Webhooks::On), ("off", Webhooks::Off)], faults);
    }
    let path = |key: &str, faults: &mut Vec<Fault>| {
        table.get(key).and_then(|item| item.text(faults)).map(str::to_owned)
    };
    config.context = path("context", faults);
    config.baseline = path("baseline", faults);
    config.members = texts(table, "members", faults).map(str::to_owned).collect();
    config.exclude = patterns(table, "exclude", faults);
    config.pages = table.get("pages").and_then(|item| pages(item, faults));
    if let Some(rules) = table.get("rules").and_then(|item| item.table(faults)) {
        config.policy.levels = levels(&rules, faults);
    }
    if let Some(item) = table.get("ignore") {
        let entries = item.list("tables: write [[ignore]]", faults);
        config.policy.ignores =
            entries.into_iter().filter_map(|entry| ignore(entry, faults)).collect();
    }
    config
}

/// Reads the address of the pages of rules.
fn pages(item: TomlItem<'_>, faults: &mut Vec<Fault>) -> Option<Pages> {
    let span = item.span;
    let pages = Pages::new(item.text(faults)?);
    pages
        .map_err(|why| {
            let message = format!("`pages` is no address: {why}");
            faults.push(Fault::new(span, "no address", message));
        })
        .ok()
}

fn texts<'t>(
    table: &Table<'t>,
    key: &str,
    faults: &mut Vec<Fault>,
) -> impl Iterator<Item = &'t str> + use<'t> {
    let items = table.get(key).map(|item| item.list("a list of texts", faults));
    let texts: Vec<&str> =
        items.unwrap_or_default().into_iter().filter_map(|item| item.text(faults)).collect();
    texts.into_iter()
}

/// Reads a list of patterns for paths.
fn patterns(table: &Table<'_>, key: &str, faults: &mut Vec<Fault>) -> Vec<Pattern> {
    let items = table.get(key).map(|item| item.list("a list of texts", faults));
    let mut patterns = Vec::new();
    for item in items.unwrap_or_default() {
        let span = item.span;
        match item.text(faults).map(Pattern::path) {
            Some(Ok(pattern)) => patterns.push(pattern),
            Some(Err(why)) => {
                let message = format!("this pattern cannot be read: {why}");
                faults.push(Fault::new(span, "no pattern", message));
            }
            None => {}
        }
    }
    patterns
}

fn levels(table: &Table<'_>, faults: &mut Vec<Fault>) -> Vec<(&'static str, Level)> {
    let mut levels: Vec<(&'static str, Level)> = Vec::new();
    for (key, span, item) in table.entries() {
        let Some(level) = item.word(&LEVELS, faults) else { continue };
        match find_rule(key) {
            None => {
                let fault = Fault::new(span, "no such rule", format!("there is no rule `{key}`"));
                faults.push(match nearest_rule(key) {
                    Some(meant) => fault.help(format!("did you mean `{meant}`?")),
                    None => fault.help("`fleetlens rules` lists codes and names"),
                });
            }
            Some(rule) if levels.iter().any(|(code, _)| *code == rule.code) => {
                let message = format!("{} {} is given twice", rule.code, rule.name);
                faults.push(Fault::new(span, "by code and by name", message));
            }
            Some(rule) => levels.push((rule.code, level)),
        }
    }
    levels
}

fn ignore(entry: TomlItem<'_>, faults: &mut Vec<Fault>) -> Option<Ignore> {
    let table = entry.table(faults)?;
    table.refuse_others(IGNORE_KEYS, faults);
    let mut required = |key: &str, why: &str| match table.get(key) {
        Some(item) => {
            let text = item.text(faults)?;
            if text.trim().is_empty() {
                faults.push(Fault::new(item.span, "empty", format!("`{key}` is empty")).help(why));
            }
            Some((text.to_owned(), item.span))
        }
        None => {
            let message = format!("this entry lacks `{key}`");
            faults.push(Fault::new(table.span(), "this entry", message).help(why));
            None
        }
    };
    let rule =
        required("rule", "name the rule by its code or name, as `fleetlens rules` lists them");
    let reason = required("reason", "say why, so that others can tell whether it is still needed");
    let mut pattern = |key: &str| {
        let text = table.get(key)?.text(faults)?;
        Some(Pattern::name(text))
    };
    let (kind, namespace, name) = (pattern("kind"), pattern("namespace"), pattern("name"));
    if ["kind", "namespace", "name"].iter().all(|key| table.get(key).is_none()) {
        let message = "this entry names no object: give `kind`, `namespace` or `name`";
        faults.push(
            Fault::new(table.span(), "this entry", message)
                .help("a rule is switched off everywhere under [rules]: FL0000 = \"off\""),
        );
    }
    let expires = table.get("expires").and_then(|item| Some((item.date(faults)?, item.span)));
    let ((rule, span), (reason, _)) = (rule?, reason?);
    Some(Ignore { rule, span, kind, namespace, name, reason, expires })
}
