//! Resolving: from labels with spans to places with object, field, line and text.

use std::collections::BTreeSet;

use super::finding_id::{SeenIds, make_id};
use super::link;
use crate::finding::{Finding, Label, Safety, Severity};
use crate::graph::Locate;
use crate::model::key::ObjectKey;
use crate::source::{Position, Sources, Span};
use crate::syntax::edit::Edit;

/// A label with everything that a report shows of it.
#[derive(Clone, Debug)]
pub struct Place {
    /// The range of bytes that is underlined.
    pub span: Span,
    /// The file.
    pub path: String,
    /// Its first character.
    pub start: Position,
    /// The character after its last.
    pub end: Position,
    /// What the rule says there.
    pub label: String,
    /// The object it belongs to.
    pub object: Option<ObjectKey>,
    /// The field, for people.
    pub field: String,
    /// The field, for programs.
    pub pointer: String,
}

/// A finding with its place in the report.
#[derive(Clone, Debug)]
pub struct ResolvedFinding {
    /// Unique in the report and stable over runs.
    pub id: String,
    /// What was found; what its labels say stands in the places.
    pub finding: Finding,
    /// The place of its primary label.
    pub primary: Place,
    /// What else belongs to it.
    pub related: Vec<Place>,
    /// Ids of the findings that explain it.
    pub explained_by: Vec<String>,
    /// Whether it concerns another part of the hub than the one that the bundle is about.
    pub elsewhere: bool,
    /// What would repair it.
    pub remedy: Option<ResolvedFix>,
}

/// A fix, worked out on the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedFix {
    /// Whether it may be done without asking.
    pub safety: Safety,
    /// The edits, in order and apart from each other, which are made together or not at all.
    pub edits: Vec<Edit>,
}

/// Links, resolves and sorts findings: leading ones first, the worst first, each in bundle order.
pub fn resolve(
    mut findings: Vec<Finding>,
    graph: &dyn Locate,
    sources: &Sources,
) -> Vec<ResolvedFinding> {
    sort_findings(&mut findings);
    let links = link(&findings);
    let mut seen = SeenIds::default();
    let places: Vec<_> = findings.iter().map(|finding| place_of(finding, graph, sources)).collect();
    let ids: Vec<_> = findings
        .iter()
        .zip(&places)
        .map(|(finding, place)| make_id(finding, place, &mut seen))
        .collect();
    let depth = depths(&links);
    let mut resolved: Vec<(usize, ResolvedFinding)> = Vec::with_capacity(findings.len());
    for (index, (mut finding, primary)) in findings.into_iter().zip(places).enumerate() {
        // What its labels say stands in the places from here on, and once.
        finding.primary.text = String::new();
        let related = related(&mut finding).map(|label| place(label, graph, sources)).collect();
        let causes = links.get(index).into_iter().flatten();
        let explained_by = causes.filter_map(|&cause| ids.get(cause).cloned()).collect();
        let id = ids.get(index).cloned().unwrap_or_default();
        let rank = depth.get(index).copied().unwrap_or_default();
        let remedy = remedy(&finding, sources);
        let whole = ResolvedFinding {
            id,
            finding,
            primary,
            related,
            explained_by,
            elsewhere: false,
            remedy,
        };
        resolved.push((rank, whole));
    }
    // A stable sort: within one depth and weight the order above stays.
    resolved
        .sort_by_key(|(depth, resolved)| (*depth, std::cmp::Reverse(resolved.finding.severity)));
    resolved.into_iter().map(|(_, finding)| finding).collect()
}

/// Returns the related labels; of several at one place only the first says something, the primary before all.
fn related(finding: &mut Finding) -> impl Iterator<Item = Label> + use<> {
    let mut shown = BTreeSet::from([finding.primary.span]);
    let labels = std::mem::take(&mut finding.related);
    labels.into_iter().filter(move |label| shown.insert(label.span))
}

/// Brings findings into a fixed order, each once.
pub fn sort_findings(findings: &mut Vec<Finding>) {
    findings.sort_by(|left, right| sort_key(left).cmp(&sort_key(right)));
    findings.dedup_by(|left, right| {
        left.code == right.code && left.primary == right.primary && left.message == right.message
    });
}

fn sort_key(finding: &Finding) -> (std::cmp::Reverse<Severity>, &'static str, Span, &str) {
    (std::cmp::Reverse(finding.severity), finding.code, finding.primary.span, &finding.message)
}

/// Returns how far each finding is from the leading finding that explains it.
pub(super) fn depths(links: &[Vec<usize>]) -> Vec<usize> {
    fn depth(index: usize, links: &[Vec<usize>], known: &mut Vec<Option<usize>>) -> usize {
        if let Some(Some(depth)) = known.get(index) {
            return *depth;
        }
        let causes = links.get(index).map(Vec::as_slice).unwrap_or_default();
        let deepest = causes.iter().map(|&cause| depth(cause, links, known) + 1).max().unwrap_or(0);
        if let Some(slot) = known.get_mut(index) {
            *slot = Some(deepest);
        }
        deepest
    }
    let mut known = vec![None; links.len()];
    (0..links.len()).map(|index| depth(index, links, &mut known)).collect()
}

/// Finds the place that a finding points at.
pub fn place_of(finding: &Finding, graph: &dyn Locate, sources: &Sources) -> Place {
    let place = place(finding.primary.clone(), graph, sources);
    match &finding.path {
        Some(path) => Place { field: path.field.clone(), pointer: path.pointer.clone(), ..place },
        None => place,
    }
}

fn place(label: Label, graph: &dyn Locate, sources: &Sources) -> Place {
    let source = sources.get(label.span.source);
    let located = graph.locate(label.span);
    let (object, field, pointer) = match located {
        Some(located) => (Some(located.key), located.path.field, located.path.pointer),
        None => (None, String::new(), String::new()),
    };
    let (start, end) = source.positions(label.span);
    Place {
        span: label.span,
        path: source.path().to_owned(),
        start,
        end,
        label: label.text,
        object: label.subject.map(|subject| *subject).or(object),
        field: label.field.unwrap_or(field),
        pointer,
    }
}

/// Works out the edits of a fix; none if one of them cannot be made.
fn remedy(finding: &Finding, sources: &Sources) -> Option<ResolvedFix> {
    let fix = finding.fix.as_ref()?;
    let edits = fix.changes.iter().map(|change| change.edit(sources.get(change.span().source)));
    let mut edits = edits.collect::<Option<Vec<Edit>>>()?;
    edits.sort();
    let apart = edits.windows(2).all(|pair| !matches!(pair, [one, two] if one.overlaps(two)));
    apart.then_some(ResolvedFix { safety: fix.safety, edits })
}
