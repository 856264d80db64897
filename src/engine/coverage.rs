//! How much of a bundle was understood, and how much was not.

use std::collections::BTreeMap;

use super::Coverage;
use crate::bundle::Bundle;
use crate::grammar::kind::{CLUSTER_GROUP, PLACEMENT_GROUP, find_kind};
use crate::graph::Graph;
use crate::input::Input;
use crate::model::log::Agent;
use crate::source::{Encoding, SourceFile, SourceId, Span};
use crate::syntax::Parsed;

/// Longer files are dumps, which nobody typed.
const LONGEST_PASTE: usize = 256 << 10;

/// Counts what a bundle holds.
pub(super) fn coverage(bundle: &Bundle, graph: &Graph, version: Option<String>) -> Coverage {
    let mut objects: BTreeMap<String, usize> = BTreeMap::new();
    for key in graph.sightings.keys() {
        *objects.entry(key.kind.to_string()).or_default() += 1;
    }
    let documents = || bundle.parsed.iter().flat_map(|parsed| &parsed.documents);
    let utf16 = |encoding| matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be);
    let decoded = bundle.sources.iter().filter(|source| utf16(source.encoding()));
    let files = bundle.sources.iter().zip(&bundle.parsed);
    Coverage {
        inputs: bundle.inputs.iter().map(Input::name).collect(),
        files: bundle.sources.iter().count() - bundle.refusals.len(),
        // What of a bundle could not be read is told by findings.
        unread_files: 0,
        binary: usize::try_from(bundle.tally.binary).unwrap_or(usize::MAX),
        objects: objects.into_iter().collect(),
        logs: bundle.logs.len(),
        log_lines: bundle.logs.iter().map(|log| log.scan.counts.lines).sum(),
        skipped_objects: documents().filter(|document| document.root.is_none()).count(),
        unknown_documents: documents().filter(|document| document.head.kind.is_none()).count(),
        unread_lines: files.map(|(file, parsed)| unread_lines(bundle, file, parsed)).sum(),
        holds_kubefleet: holds_kubefleet(bundle, graph),
        version,
        powershell: shows_powershell(bundle),
        decoded: decoded.map(|source| source.path().to_owned()).collect(),
    }
}

/// Says whether the bundle holds a command that was typed into PowerShell.
fn shows_powershell(bundle: &Bundle) -> bool {
    let texts = bundle.sources.iter().filter(|source| !source.is_sparse());
    let texts = texts.filter(|source| source.text().len() <= LONGEST_PASTE);
    texts.flat_map(|source| source.text().lines()).any(|line| {
        let line = line.trim_start();
        line.starts_with("PS ") && line.contains("> kubectl")
    })
}

/// Says whether anything in the bundle is of KubeFleet: an object, a log of its agents, an answer of kubectl.
fn holds_kubefleet(bundle: &Bundle, graph: &Graph) -> bool {
    let of_fleet = |kind: &str| {
        let group = find_kind(kind).map(|spec| spec.group);
        group.is_some_and(|group| [PLACEMENT_GROUP, CLUSTER_GROUP].contains(&group))
    };
    graph.sightings.keys().any(|key| of_fleet(&key.kind))
        || graph.logs.iter().any(|log| matches!(log.agent, Agent::Hub | Agent::Member))
        || graph.log_events.iter().any(|event| event.template.is_some())
        || bundle.parsed.iter().any(|parsed| !parsed.rejections.is_empty())
}

/// Counts the lines of a text that belong to nothing that was recognised; what frames the items of a list does.
fn unread_lines(bundle: &Bundle, file: &SourceFile, parsed: &Parsed) -> usize {
    let is_log = |source: SourceId| bundle.logs.iter().any(|log| log.source == source);
    let framed = parsed
        .documents
        .iter()
        .any(|document| document.listed && document.context.command.is_none());
    let mut known: Vec<Span> = parsed.documents.iter().map(|document| document.span).collect();
    known.extend(parsed.logs.iter().map(|log| log.span));
    known.extend(parsed.documents.iter().filter_map(|document| document.context.command));
    known.extend(parsed.rejections.iter().map(|rejection| rejection.span));
    known.extend(parsed.absences.iter().map(|absence| absence.span));
    known.sort();
    if framed || (is_log(file.id()) && parsed.logs.is_empty()) {
        return 0;
    }
    let (mut from, mut lines) = (0, 0);
    let whole = file.span();
    for span in known.into_iter().chain([Span { lo: whole.hi, ..whole }]) {
        if span.lo > from {
            let gap = Span { lo: from, hi: span.lo, ..whole };
            let text = bundle.sources.text(gap);
            lines += text.lines().filter(|line| !line.trim().is_empty()).count();
        }
        from = from.max(span.hi);
    }
    lines
}
