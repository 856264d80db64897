//! The machine-readable report, schema `fleetlens/report/1`: additions only.

mod finding;
mod verdict;

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Map, Value, json};

use super::paths::Paths;
use super::snippet;
use crate::engine::{
    ClusterTakeover, FixedFinding, LogReading, NotEvaluated, Provenance, Report, ResolvedFinding,
    RunLine, Suppressed,
};
use crate::graph::ClockSource;
use crate::input::InputDigest;
use crate::model::key::ObjectKey;
use crate::rule::Ask;
use crate::source::Sources;
use finding::{FindingJson, PlaceOfCommand};
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

impl<'r> Serialize for Printed<'r> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { report, sources, paths, named } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", "fleetlens/report/1")?;
        map.serialize_entry("version", env!("CARGO_PKG_VERSION"))?;
        map.serialize_entry("clock", &clock_json(report, sources, [named, paths]))?;
        map.serialize_entry("coverage", &coverage_json(report, named))?;
        let provenance = report.provenance.as_ref().map(provenance_json);
        map.serialize_entry("provenance", &provenance)?;
        map.serialize_entry(
            "logs",
            &Each(&report.logs, |log: &LogReading| log_json(log, [named, paths])),
        )?;
        map.serialize_entry("runs", &Each(&report.runs, run_json))?;
        map.serialize_entry("verdict", &verdict_json(report))?;
        map.serialize_entry("elsewhere", &elsewhere_json(report))?;
        map.serialize_entry("handovers", &Each(&report.takeovers, handover_json))?;
        let finding =
            |finding: &'r ResolvedFinding| FindingJson::of(finding, sources, [named, paths]);
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
pub(super) struct Each<'r, T, F>(pub(super) &'r [T], pub(super) F);

impl<'r, T, V: Serialize, F: Fn(&'r T) -> V> Serialize for Each<'r, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(&self.1))
    }
}

/// The rest of the hub: how many runs are in which state.
fn elsewhere_json(report: &Report) -> Value {
    let runs: Map<String, Value> = report
        .rest_of_hub
        .runs
        .iter()
        .map(|(state, count)| ((*state).to_owned(), json!(count)))
        .collect();
    json!({ "runs": runs })
}

fn ask_json(ask: &Ask) -> Value {
    json!({
        "command": ask.command.posix(),
        "decides": ask.decides,
        "argv": ask.command.argv(),
        "place": PlaceOfCommand::of(ask.command.place()),
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

fn handover_json(handover: &ClusterTakeover) -> Value {
    json!({
        "placement": handover.placement,
        "cluster": handover.cluster,
        "runs": handover.runs.iter().map(|(run, at)| json!({
            "run": object_json(Some(run)), "started": at.to_string(),
        })).collect::<Vec<_>>(),
    })
}

fn fixed_json(fixed: &FixedFinding) -> Value {
    json!({
        "code": fixed.code,
        "name": fixed.name,
        "path": snippet::clean(&fixed.path),
        "line": fixed.line,
        "message": snippet::masked(&fixed.message),
    })
}

fn clock_json(report: &Report, sources: &Sources, [named, paths]: [&Paths; 2]) -> Value {
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
        set(&mut value, "in_bundle", paths.show(file.path()).into());
        set(&mut value, "line", file.position(span.lo).line.into());
    }
    value
}

fn coverage_json(report: &Report, named: &Paths) -> Value {
    let coverage = &report.coverage;
    let objects: Map<_, _> =
        coverage.objects.iter().map(|(kind, count)| (kind.clone(), (*count).into())).collect();
    let mut told = json!({
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
    });
    if coverage.unread_files > 0 {
        told["unread_files"] = coverage.unread_files.into();
    }
    told
}

fn total(report: &Report, count: fn(&LogReading) -> u64) -> u64 {
    report.logs.iter().map(count).sum()
}

fn log_json(log: &LogReading, [named, paths]: [&Paths; 2]) -> Value {
    json!({
        "path": named.show(&log.path),
        "in_bundle": paths.show(&log.path),
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
