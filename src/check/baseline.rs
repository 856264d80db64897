//! The baseline: findings that are known, so that only further ones are shown.
//!
//! Owns the file and its matching. An entry is an object, a field of it and a code, with how often
//! that was found; lines do not count, so a file may be edited and moved. What names no object is
//! known by its file.
//! Invariant: written twice for the same findings, the file is the same to the byte.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::stale_entries::{CheckExtent, is_judged};
use crate::engine::{Place, Report, SuppressedBy, SuppressedFinding, place_of};
use crate::error::Fault;
use crate::finding::Finding;
use crate::manifest::Repository;
use crate::model::key::ObjectKey;
use crate::rules::manifest_file::stale_baseline_entry::STALE_BASELINE_ENTRY;
use crate::source::{SourceFile, Sources, Span};
use crate::syntax::json::parse_json;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Node, Value};

const SCHEMA: &str = "fleetlens/baseline/1";

/// The texts that make a known finding, in the order of the file.
const KEYS: [&str; 6] = ["kind", "namespace", "name", "path", "field", "code"];

/// What makes a known finding: kind, namespace, name, path, field, code.
type Key = [String; 6];

/// Findings that are known.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    entries: BTreeMap<Key, Entry>,
}

/// How often a finding is known, and where the file says so.
#[derive(Clone, Copy, Debug)]
struct Entry {
    count: usize,
    span: Option<Span>,
}

impl Baseline {
    /// Takes all findings of a report as known.
    pub fn of(report: &Report) -> Self {
        let mut entries = BTreeMap::new();
        for resolved in &report.findings {
            let key = key_of(resolved.finding.code, &resolved.primary);
            entries.entry(key).or_insert(Entry { count: 0, span: None }).count += 1;
        }
        Self { entries }
    }

    /// Returns how many findings are known.
    pub fn count(&self) -> usize {
        self.entries.values().map(|entry| entry.count).sum()
    }

    /// Writes the file.
    pub fn render(&self) -> String {
        let entry = |(key, entry): (&Key, &Entry)| {
            let texts = KEYS.iter().zip(key).filter(|(_, text)| !text.is_empty());
            let mut object: serde_json::Map<String, Json> =
                texts.map(|(name, text)| ((*name).to_owned(), text.as_str().into())).collect();
            object.insert("count".to_owned(), entry.count.into());
            Json::Object(object)
        };
        let findings: Vec<Json> = self.entries.iter().map(entry).collect();
        let value = json!({ "schema": SCHEMA, "findings": findings });
        let mut text = serde_json::to_string_pretty(&value).expect("texts and numbers print");
        text.push('\n');
        text
    }

    /// Reads the file; the error is what is wrong with it.
    pub fn parse(source: &SourceFile) -> Result<Self, Vec<Fault>> {
        let view = TextView::whole(source, source.span());
        let documents = parse_json(&view, &|_| true);
        let problems = documents.iter().flat_map(|document| &document.problems);
        let faults: Vec<Fault> =
            problems.map(|problem| Fault::new(problem.span, "here", &*problem.message)).collect();
        let root = documents.first().and_then(|document| document.root.as_ref());
        match root {
            _ if !faults.is_empty() => Err(faults),
            Some(root) => read(root),
            None => Err(vec![no_baseline(source.span().start())]),
        }
    }

    /// Takes out the findings that are known, and tells of entries that nothing matches.
    pub(super) fn apply(
        &self,
        findings: Vec<Finding>,
        repository: &Repository,
        sources: &Sources,
        extent: CheckExtent,
    ) -> (Vec<Finding>, Vec<SuppressedFinding>) {
        let mut left: BTreeMap<&Key, usize> =
            self.entries.iter().map(|(key, entry)| (key, entry.count)).collect();
        let (mut kept, mut hidden) = (Vec::new(), Vec::new());
        for finding in findings {
            let key = key_of(finding.code, &place_of(&finding, repository, sources));
            match left.get_mut(&key).filter(|left| **left > 0) {
                Some(left) => {
                    *left -= 1;
                    hidden.push(SuppressedFinding {
                        finding,
                        by: SuppressedBy::Baseline,
                        reason: String::new(),
                    });
                }
                None => kept.push(finding),
            }
        }
        let stale = left.into_iter().filter(|(_, left)| *left > 0).filter_map(|(key, left)| {
            let entry = self.entries.get(key)?;
            judged(key, repository, extent).then(|| stale(key, entry, left)).flatten()
        });
        kept.extend(stale);
        (kept, hidden)
    }
}

/// Says whether what an entry speaks of was judged.
fn judged(key: &Key, repository: &Repository, extent: CheckExtent) -> bool {
    let [kind, namespace, name, path, ..] = key;
    let wanted = ObjectKey::on_hub(kind, namespace, name);
    if path.is_empty() {
        is_judged(repository, extent, |key| *key == wanted)
    } else {
        extent == CheckExtent::Whole
    }
}

fn stale(key: &Key, entry: &Entry, left: usize) -> Option<Finding> {
    let [kind, namespace, name, path, field, code] = key;
    let object = match path.as_str() {
        "" => ObjectKey::on_hub(kind, namespace, name).to_string(),
        path => path.to_owned(),
    };
    let place = if field.is_empty() { object } else { format!("{field} of {object}") };
    let message = match entry.count - left {
        0 => format!("{code} at {place} is known, and does not occur"),
        seen => {
            format!("{code} at {place} is known {} times, and occurs {seen} times", entry.count)
        }
    };
    Some(
        STALE_BASELINE_ENTRY
            .at(entry.span?, "not needed")
            .message(message)
            .why("write the baseline again, so that the finding cannot come back unseen"),
    )
}

fn key_of(code: &str, place: &Place) -> Key {
    let (kind, namespace, name, path) = match &place.object {
        Some(key) => (&*key.kind, &*key.namespace, &*key.name, ""),
        None => ("", "", "", place.path.trim_start_matches("./")),
    };
    [kind, namespace, name, path, &place.field, code].map(str::to_owned)
}

fn no_baseline(span: Span) -> Fault {
    Fault::new(span, "here", format!("this is no baseline: it lacks \"schema\": \"{SCHEMA}\""))
        .help("`fleetlens check --write-baseline FILE PATH…` makes one")
}

fn read(root: &Node) -> Result<Baseline, Vec<Fault>> {
    if root.get("schema").and_then(Node::as_str) != Some(SCHEMA) {
        return Err(vec![no_baseline(root.get("schema").map_or(root.span.start(), |at| at.span))]);
    }
    let Some(Node { value: Value::List(items), .. }) = root.get("findings") else {
        let span = root.get("findings").map_or(root.span.start(), |node| node.span);
        return Err(vec![Fault::new(span, "here", "`findings` must be a list")]);
    };
    let mut faults = Vec::new();
    let mut entries: BTreeMap<Key, Entry> = BTreeMap::new();
    for item in items {
        match read_entry(item) {
            Ok((key, count)) => {
                let span = item.get("code").map_or(item.span, |code| code.span);
                let entry = entries.entry(key).or_insert(Entry { count: 0, span: Some(span) });
                entry.count = entry.count.saturating_add(count);
            }
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(Baseline { entries }) } else { Err(faults) }
}

fn read_entry(item: &Node) -> Result<(Key, usize), Fault> {
    let mut key = Key::default();
    let Value::Map(entries) = &item.value else {
        return Err(Fault::new(item.span, "here", "an entry must be an object"));
    };
    for entry in entries {
        let slot = KEYS.iter().position(|name| **name == *entry.key);
        match (slot.and_then(|at| key.get_mut(at)), entry.node.as_str()) {
            (Some(slot), Some(text)) => text.clone_into(slot),
            (Some(_), None) => {
                let message = format!("`{}` must be text", entry.key);
                return Err(Fault::new(entry.node.span, "here", message));
            }
            (None, _) if &*entry.key == "count" => {}
            (None, _) => {
                let message = format!("there is no key `{}`", entry.key);
                return Err(Fault::new(entry.key_span, "unknown key", message));
            }
        }
    }
    if key.last().is_none_or(String::is_empty) {
        return Err(Fault::new(item.span.start(), "here", "this entry lacks `code`"));
    }
    let count = match item.get("count") {
        None => 1,
        Some(Node { value: Value::Int(number), .. }) if *number > 0 => {
            usize::try_from(*number).unwrap_or(usize::MAX)
        }
        Some(node) => {
            return Err(Fault::new(node.span, "here", "`count` must be a number above 0"));
        }
    };
    Ok((key, count))
}
