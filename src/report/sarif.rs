//! SARIF 2.1.0: findings for code scanning services and editors.
//!
//! Owns the mapping to SARIF's words. A result's fingerprint is the finding's id, which is made of object and field and
//! not of lines, so that a result is known again after lines moved. What a finding explains becomes a code flow from
//! the cause to the symptom.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::json::Each;
use super::paths::Paths;
use super::snippet;
use crate::engine::{Place, Report, ResolvedFinding};
use crate::finding::Severity;
use crate::rule::Rule;
use crate::rules;
use crate::source::Sources;

/// The name under which all paths of a log are relative.
const ROOT: &str = "ROOT";

/// Renders a report as one SARIF log with one run.
pub fn render(report: &Report, sources: &Sources) -> String {
    let used: Vec<&Rule> = rules::ALL
        .iter()
        .copied()
        .filter(|rule| report.findings.iter().any(|it| it.finding.code == rule.code))
        .collect();
    let index: BTreeMap<&str, usize> =
        used.iter().enumerate().map(|(index, rule)| (rule.code, index)).collect();
    let by_id: BTreeMap<&str, &ResolvedFinding> =
        report.findings.iter().map(|finding| (&*finding.id, finding)).collect();
    let log = Log { paths: Paths::below_input(report), sources, index, by_id };
    let run = Run {
        tool: json!({ "driver": {
            // No informationUri: the project has no public page that it could name.
            "name": "fleetlens",
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": used.into_iter().map(|rule| rule_json(rule, report)).collect::<Vec<_>>(),
        }}),
        column_kind: "unicodeCodePoints",
        original_uri_base_ids: json!({ ROOT: {
            "description": { "text": "The folder or archive that was given to fleetlens." },
        }}),
        invocations: json!([{ "executionSuccessful": true }]),
        properties: provenance(report),
        results: Each(&report.findings, |it: &ResolvedFinding| log.result(it)),
    };
    snippet::json_text(&Sarif {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [run],
    })
}

/// A log that makes each of its results when it is printed: a large one is never there as a tree.
#[derive(Serialize)]
struct Sarif<R> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [R; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<R> {
    tool: Value,
    column_kind: &'static str,
    original_uri_base_ids: Value,
    invocations: Value,
    properties: Value,
    results: R,
}

/// Tells of what the log was made: the properties of SARIF's run are free.
fn provenance(report: &Report) -> Value {
    let made = report.provenance.as_ref();
    let inputs = made.map(|made| made.inputs.as_slice()).unwrap_or_default();
    let flags = made.map(|made| made.flags.as_slice()).unwrap_or_default();
    json!({
        "catalogue": crate::grammar::digest(),
        "inputs": inputs.iter().map(|input| json!({
            "name": snippet::clean(&input.name), "sha256": input.sha256,
        })).collect::<Vec<_>>(),
        "flags": flags.iter().map(|flag| snippet::masked(flag)).collect::<Vec<_>>(),
        "clock": super::ticket::clock(report),
    })
}

struct Log<'a> {
    paths: Paths,
    sources: &'a Sources,
    index: BTreeMap<&'a str, usize>,
    by_id: BTreeMap<&'a str, &'a ResolvedFinding>,
}

impl Log<'_> {
    fn result(&self, resolved: &ResolvedFinding) -> Value {
        let finding = &resolved.finding;
        let mut result = json!({
            "ruleId": finding.code,
            "level": level(finding.severity),
            "message": { "text": snippet::masked(&finding.message) },
            "locations": [self.location(&resolved.primary, Words::None)],
            "partialFingerprints": { "fleetlensFinding/v1": resolved.id },
            "properties": self.properties(resolved),
        });
        let Value::Object(map) = &mut result else { return result };
        if let Some(index) = self.index.get(finding.code) {
            map.insert("ruleIndex".to_owned(), json!(index));
        }
        if !resolved.related.is_empty() {
            let places = resolved.related.iter().enumerate();
            let places = places.map(|(id, place)| self.location(place, Words::Numbered(id)));
            map.insert("relatedLocations".to_owned(), places.collect());
        }
        if let Some(flow) = self.chain(resolved) {
            map.insert("codeFlows".to_owned(), json!([flow]));
        }
        result
    }

    /// Returns the way from the deepest cause to a symptom; a leading finding has none.
    fn chain(&self, symptom: &ResolvedFinding) -> Option<Value> {
        let mut chain = vec![symptom];
        while let Some(cause) = chain
            .last()
            .and_then(|last| last.explained_by.first())
            .and_then(|id| self.by_id.get(&**id))
            .filter(|cause| chain.iter().all(|known| known.id != cause.id))
        {
            chain.push(cause);
        }
        if chain.len() < 2 {
            return None;
        }
        let steps = chain.iter().rev().map(|step| {
            let text = snippet::masked(&step.finding.message);
            json!({ "location": self.location(&step.primary, Words::Text(text)) })
        });
        Some(json!({ "threadFlows": [{ "locations": steps.collect::<Vec<_>>() }] }))
    }

    fn location(&self, place: &Place, words: Words) -> Value {
        let region = json!({
            "startLine": place.start.line,
            "startColumn": place.start.column,
            "endLine": place.end.line,
            "endColumn": place.end.column,
            "snippet": { "text": snippet::text(self.sources.get(place.span.source), place.span) },
        });
        let mut location = json!({
            "physicalLocation": {
                "artifactLocation": {
                    "uri": uri(&self.paths.show(&place.path)),
                    "uriBaseId": ROOT,
                },
                "region": region,
            },
        });
        let Value::Object(map) = &mut location else { return location };
        if let Some(key) = &place.object {
            map.insert("logicalLocations".to_owned(), json!([{
                "name": snippet::clean(&key.name),
                "fullyQualifiedName": snippet::clean(&format!("{}/{}/{}", key.cluster, key.kind, key.path())),
                "kind": "object",
            }]));
        }
        let label = snippet::masked(&place.label);
        let text = match words {
            Words::None => label,
            Words::Numbered(id) => {
                map.insert("id".to_owned(), json!(id));
                label
            }
            Words::Text(text) => text,
        };
        if !text.is_empty() {
            map.insert("message".to_owned(), json!({ "text": text }));
        }
        location
    }

    fn properties(&self, resolved: &ResolvedFinding) -> Value {
        let finding = &resolved.finding;
        let mut map = Map::new();
        map.insert("certainty".to_owned(), finding.certainty.word().into());
        if !resolved.primary.field.is_empty() {
            map.insert("field".to_owned(), snippet::clean(&resolved.primary.field).into());
        }
        if !resolved.explained_by.is_empty() {
            map.insert("explainedBy".to_owned(), json!(resolved.explained_by));
        }
        if !finding.why.is_empty() {
            map.insert("why".to_owned(), snippet::masked(&finding.why).into());
        }
        let commands: Vec<_> =
            finding.commands().map(|command| snippet::masked(&command.posix())).collect();
        if !commands.is_empty() {
            map.insert("commands".to_owned(), json!(commands));
        }
        Value::Object(map)
    }
}

/// What a location says besides where it is.
enum Words {
    /// The label of its place.
    None,
    /// The same, with a number by which it is named.
    Numbered(usize),
    /// Plain text.
    Text(String),
}

fn rule_json(rule: &Rule, report: &Report) -> Value {
    let page = rule.markdown();
    let mut value = json!({
        "id": rule.code,
        "name": pascal_case(rule.name),
        "shortDescription": { "text": rule.summary() },
        "fullDescription": { "text": rule.summary() },
        "help": { "text": page, "markdown": page },
        "defaultConfiguration": { "level": level(rule.severity) },
    });
    if let (Value::Object(map), Some(address)) = (&mut value, report.pages.of_rule(rule.code)) {
        map.insert("helpUri".to_owned(), address.into());
    }
    value
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// Writes `stale-approval` as `StaleApproval`, as viewers show names of rules.
fn pascal_case(name: &str) -> String {
    name.split('-')
        .flat_map(|word| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters)
        })
        .collect()
}

/// Writes a path as a relative URI.
fn uri(path: &str) -> String {
    use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
    // What RFC 3986 leaves as it is in a path; a colon could pass for a scheme.
    const KEPT: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');
    utf8_percent_encode(path.trim_start_matches('/'), KEPT).to_string()
}

#[cfg(test)]
mod tests {
    use super::{pascal_case, uri};

    #[test]
    fn names_and_paths_are_written_as_sarif_wants_them() {
        assert_eq!(pascal_case("stale-approval"), "StaleApproval");
        assert_eq!(uri("a b/ü:c?.yaml"), "a%20b/%C3%BC%3Ac%3F.yaml");
        assert_eq!(uri("/abs/x"), "abs/x");
    }
}
