//! The machine-readable report, schema `fleetlens/report/1`: additions only.

mod verdict;

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Map, Value, json};

use super::paths::Paths;
use super::snippet;
use crate::engine::{
    Fixed, Handover, LogReading, NotEvaluated, Place, Provenance, Remedy, Report, Resolved,
    RunLine, Suppressed,
};
use crate::finding::{Command, Finding, RunsOn, Step};
use crate::graph::ClockSource;
use crate::input::InputDigest;
use crate::model::key::ObjectKey;
use crate::rule::Ask;
use crate::source::Sources;
use crate::syntax::change::Edit;
use verdict::verdict_json;

/// The JSON Schema of the report, shipped with the program.
pub const SCHEMA: &str = include_str!("schema/report-1.json");

/// Renders a report as one JSON object.
pub fn render(report: &Report, sources: &Sources) -> String {
    snippet::json_text(&Printed::of(report, sources))
}

/// Renders a report on one line.
pub(super) fn compact(report: &Report, sources: &Sources) -> String {
    snippet::json_line(&Printed::of(report, sources))
}

/// A report that makes each of its parts when it is printed: a large one is never there as a tree.
struct Printed<'r> {
    report: &'r Report,
    sources: &'r Sources,
    paths: Paths,
    named: Paths,
}

impl<'r> Printed<'r> {
    fn of(report: &'r Report, sources: &'r Sources) -> Self {
        Self { report, sources, paths: Paths::of(report, sources), named: Paths::named(report) }
    }
}

impl Serialize for Printed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { report, sources, paths, named } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", "fleetlens/report/1")?;
        map.serialize_entry("version", env!("CARGO_PKG_VERSION"))?;
        map.serialize_entry("clock", &clock_json(report, sources, named))?;
        map.serialize_entry("coverage", &coverage_json(report, named))?;
        let provenance = report.provenance.as_ref().map(provenance_json);
        map.serialize_entry("provenance", &provenance)?;
        map.serialize_entry("logs", &Each(&report.logs, |log: &LogReading| log_json(log, named)))?;
        map.serialize_entry("runs", &Each(&report.runs, run_json))?;
        map.serialize_entry("verdict", &verdict_json(report))?;
        map.serialize_entry("elsewhere", &elsewhere_json(report))?;
        map.serialize_entry("handovers", &Each(&report.handovers, handover_json))?;
        let finding = |finding: &Resolved| finding_json(finding, sources, [named, paths]);
        map.serialize_entry("findings", &Each(&report.findings, finding))?;
        map.serialize_entry("suppressed", &report.suppressed.len())?;
        map.serialize_entry("suppressed_findings", &Each(&report.suppressed, suppressed_json))?;
        map.serialize_entry("judged", &report.judged)?;
        let not_evaluated = |rule: &NotEvaluated| json!({"code": rule.code, "name": rule.name, "lacks": rule.lacks});
        map.serialize_entry("not_evaluated", &Each(&report.not_evaluated, not_evaluated))?;
        map.serialize_entry("asks", &Each(&report.asks, ask_json))?;
        map.serialize_entry("fixed", &Each(&report.fixed, fixed_json))?;
        map.end()
    }
}

/// A list whose items are made one by one.
struct Each<'r, T, F>(&'r [T], F);

impl<T, F: Fn(&T) -> Value> Serialize for Each<'_, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(&self.1))
    }
}

/// The rest of the hub: how many runs are in which state.
fn elsewhere_json(report: &Report) -> Value {
    let runs: Map<String, Value> = report
        .elsewhere
        .runs
        .iter()
        .map(|(state, count)| ((*state).to_owned(), json!(count)))
        .collect();
    json!({ "runs": runs })
}

/// Tells what helps to understand a finding and to get on: the mechanism, then the hint.
fn help(finding: &Finding) -> String {
    let parts = [snippet::clean(&finding.why), snippet::masked(&finding.hint)];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

fn finding_json(resolved: &Resolved, sources: &Sources, paths: [&Paths; 2]) -> Value {
    let finding = &resolved.finding;
    let mut value = json!({
        "id": resolved.id,
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.word(),
        "certainty": finding.certainty.word(),
        "message": snippet::masked(&finding.message),
        "help": help(finding),
        "why": snippet::clean(&finding.why),
        "then": snippet::masked(finding.what_then()),
        "hint": snippet::masked(&finding.hint),
        "object": object_json(resolved.primary.object.as_ref()),
        "field": resolved.primary.field,
        "pointer": resolved.primary.pointer,
        "primary": place_json(&resolved.primary, sources, paths),
        "related": resolved.related.iter().map(|place| place_json(place, sources, paths)).collect::<Vec<_>>(),
        "explained_by": resolved.explained_by,
        "elsewhere": resolved.elsewhere,
        "commands": finding.commands().map(command_json).collect::<Vec<_>>(),
        "steps": finding.steps.iter().map(step_json).collect::<Vec<_>>(),
    });
    if let Some(layer) = finding.layer {
        set(&mut value, "layer", layer.word().into());
    }
    if let Some(remedy) = &resolved.remedy {
        set(&mut value, "fix", remedy_json(remedy, sources));
    }
    if let Some(recoverability) = finding.recoverability {
        set(&mut value, "recoverability", recoverability.word().into());
    }
    value
}

fn step_json(step: &Step) -> Value {
    match step {
        Step::Run(command) => json!({"kind": "run", "command": command_json(command)}),
        Step::Decide { question, choices } => json!({
            "kind": "decide",
            "question": snippet::masked(question),
            "choices": choices.iter().map(command_json).collect::<Vec<_>>(),
        }),
        Step::Create(object) => json!({
            "kind": "create",
            "effect": snippet::masked(&object.effect),
            "file": snippet::clean(&object.file),
            "manifest": object.manifest,
            "command": command_json(&object.create),
        }),
    }
}

/// Tells a command as a line for a POSIX shell and for PowerShell, and as the words that it is made of.
fn command_json(command: &Command) -> Value {
    json!({
        "text": snippet::clean(&command.posix()),
        "powershell": snippet::clean(&command.powershell()),
        "risk": command.risk().word(),
        "effect": snippet::masked(command.effect()),
        "argv": command.argv(),
        "place": where_json(command.place()),
    })
}

fn ask_json(ask: &Ask) -> Value {
    json!({
        "command": ask.command.posix(),
        "decides": ask.decides,
        "argv": ask.command.argv(),
        "place": where_json(ask.command.place()),
    })
}

/// Tells where a command is to be run; a member that nobody named has no `cluster`.
fn where_json(place: &RunsOn) -> Value {
    match place {
        RunsOn::Hub => json!({"on": "hub"}),
        RunsOn::Member(cluster) => json!({"on": "member", "cluster": cluster}),
        RunsOn::UnknownMember => json!({"on": "member"}),
    }
}

fn remedy_json(remedy: &Remedy, sources: &Sources) -> Value {
    let edit = |edit: &Edit| {
        let file = sources.get(edit.span.source);
        let (start, end) = (file.position(edit.span.lo), file.position(edit.span.hi));
        json!({
            "path": snippet::clean(file.path()),
            "line": start.line,
            "column": start.column,
            "end_line": end.line,
            "end_column": end.column,
            // Not cleaned: it is to be written as it stands, and holds no text of the input.
            "replacement": edit.replacement,
        })
    };
    json!({
        "safety": remedy.safety.word(),
        "edits": remedy.edits.iter().map(edit).collect::<Vec<_>>(),
    })
}

/// Tells which finding it was, where and why it is not shown; neither its words nor the text there.
fn suppressed_json(told: &Suppressed) -> Value {
    json!({
        "code": told.code,
        "name": told.name,
        "by": told.by.word(),
        "reason": snippet::masked(&told.reason),
        "object": object_json(told.place.object.as_ref()),
        "field": told.place.field,
        "path": snippet::clean(&told.place.path),
        "line": told.place.start.line,
    })
}

/// Tells a place, by the names of what was given and from the root of the bundle.
fn place_json(place: &Place, sources: &Sources, [named, paths]: [&Paths; 2]) -> Value {
    json!({
        "path": named.show(&place.path),
        "in_bundle": paths.show(&place.path),
        "line": place.start.line,
        "column": place.start.column,
        "end_line": place.end.line,
        "end_column": place.end.column,
        "text": snippet::text(sources.get(place.span.source), place.span),
        "label": snippet::clean(&place.label),
        "object": object_json(place.object.as_ref()),
        "field": place.field,
        "pointer": place.pointer,
    })
}

pub(super) fn object_json(key: Option<&ObjectKey>) -> Value {
    let Some(key) = key else { return Value::Null };
    json!({
        "cluster": &*key.cluster,
        "kind": &*key.kind,
        "namespace": &*key.namespace,
        "name": &*key.name,
    })
}

fn run_json(run: &RunLine) -> Value {
    json!({
        "object": object_json(Some(&run.object)),
        "state": run.state,
        "stage": run.stage,
        "stage_name": run.stage_name,
        "gate": run.gate.map(|side| side.word()),
        "updated": run.updated.0,
        "clusters": run.updated.1,
        "since": run.since.map(|since| since.to_string()),
        "findings": run.findings,
    })
}

fn handover_json(handover: &Handover) -> Value {
    json!({
        "placement": handover.placement,
        "cluster": handover.cluster,
        "runs": handover.runs.iter().map(|(run, at)| json!({
            "run": object_json(Some(run)), "started": at.to_string(),
        })).collect::<Vec<_>>(),
    })
}

fn fixed_json(fixed: &Fixed) -> Value {
    json!({
        "code": fixed.code,
        "name": fixed.name,
        "path": snippet::clean(&fixed.path),
        "line": fixed.line,
        "message": snippet::masked(&fixed.message),
    })
}

fn clock_json(report: &Report, sources: &Sources, named: &Paths) -> Value {
    let clock = &report.clock;
    let (source, span) = match clock.source {
        ClockSource::Unknown => ("unknown", None),
        ClockSource::Given => ("given", None),
        ClockSource::NewestStamp(span) => ("newest-stamp", Some(span)),
        ClockSource::NewestLogLine(span) => ("newest-log-line", Some(span)),
        ClockSource::LogEnd(_) => ("log-end", None),
        ClockSource::AgeColumn(span) => ("age-column", Some(span)),
    };
    let mut value = json!({ "now": clock.now.map(|now| now.to_string()), "source": source });
    if let Some(latest) = clock.latest {
        set(&mut value, "latest", latest.to_string().into());
    }
    if let Some(span) = span {
        let file = sources.get(span.source);
        set(&mut value, "path", named.show(file.path()).into());
        set(&mut value, "line", file.position(span.lo).line.into());
    }
    value
}

fn coverage_json(report: &Report, named: &Paths) -> Value {
    let coverage = &report.coverage;
    let objects: Map<_, _> =
        coverage.objects.iter().map(|(kind, count)| (kind.clone(), (*count).into())).collect();
    json!({
        "inputs": named.names(&coverage.inputs),
        "files": coverage.files,
        "binary": coverage.binary,
        "objects": objects,
        "skipped_objects": coverage.skipped_objects,
        "unknown_documents": coverage.unknown_documents,
        "unread_lines": coverage.unread_lines,
        "logs": coverage.logs,
        "log_lines": coverage.log_lines,
        "log_records": total(report, |log| log.records),
        "log_understood": total(report, |log| log.understood),
        "log_attached": total(report, |log| log.attached),
        "decoded": coverage.decoded,
        "version": coverage.version,
    })
}

fn total(report: &Report, count: fn(&LogReading) -> u64) -> u64 {
    report.logs.iter().map(count).sum()
}

fn log_json(log: &LogReading, named: &Paths) -> Value {
    json!({
        "path": named.show(&log.path),
        "line": log.line,
        "agent": log.agent,
        "cluster": log.cluster.as_deref().map(snippet::clean),
        "lines": log.lines,
        "records": log.records,
        "understood": log.understood,
        "attached": log.attached,
        "unparsed": log.unparsed,
        "first": log.covers.map(|(first, _)| first.to_string()),
        "last": log.covers.map(|(_, last)| last.to_string()),
        "year": log.year,
        "timing": log.timing,
    })
}

fn provenance_json(made: &Provenance) -> Value {
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "catalogue": crate::grammar::digest(),
        "inputs": made.inputs.iter().map(input_json).collect::<Vec<_>>(),
        "flags": made.flags.iter().map(|flag| snippet::masked(flag)).collect::<Vec<_>>(),
    })
}

/// Tells an input by its name and its digest.
pub(super) fn input_json(input: &InputDigest) -> Value {
    json!({ "name": snippet::clean(&input.name), "sha256": input.sha256 })
}

fn set(value: &mut Value, key: &str, field: Value) {
    if let Value::Object(map) = value {
        map.insert(key.to_owned(), field);
    }
}
