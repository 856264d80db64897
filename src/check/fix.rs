//! Making the fixes that findings offer, in memory.
//!
//! Owns which fixes go together, and the proof that they help: every batch is judged again before it
//! counts, and a fix after which its finding is still there, after which there are more errors, or
//! which together with others breaks the text, is given up. It works on texts alone; writing them is
//! left to the command line.
//! Invariant: no judged object is lost, no key comes to stand twice, the number of errors never grows.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::{FixedFinding, Report, ResolvedFinding, ResolvedFix};
use crate::finding::{Safety, Severity};
use crate::manifest::FileRole;
use crate::rules::manifest_shape::malformed_manifest::MALFORMED_MANIFEST;
use crate::rules::manifest_shape::repeated_key::REPEATED_KEY;
use crate::source::{Encoding, SourceId, Sources, Span};
use crate::syntax::edit::Edit;

/// How often texts are judged again at most; each round settles all fixes that do not overlap.
const ATTEMPTS: usize = 64;

/// Texts after the fixes, and what is found in them.
#[derive(Debug)]
pub struct FixOutcome {
    /// The texts, in the same order.
    pub sources: Sources,
    /// What is left, and what was repaired.
    pub report: Report,
}

/// Makes all fixes up to a safety; `judge` tells what is found in the texts.
pub fn apply_fixes(
    sources: &Sources,
    roles: &[FileRole],
    reach: Safety,
    judge: &dyn Fn(&Sources) -> Report,
) -> FixOutcome {
    let mut mended = FixOutcome { sources: rewrite(sources, &[]), report: judge(sources) };
    let (mut fixed, mut refused) = (Vec::new(), BTreeSet::new());
    let mut most = usize::MAX;
    for _ in 0..ATTEMPTS {
        let batch = choose(&mended, roles, reach, &refused, most);
        if batch.is_empty() {
            break;
        }
        let sources = rewrite(&mended.sources, &batch);
        let after = judge(&sources);
        let lines = changed_lines(&mended.sources, &sources, &batch);
        match (holds(&mended.report, &after, &batch, &lines), batch.as_slice()) {
            (true, _) => {
                fixed.extend(batch.iter().map(|resolved| note(resolved)));
                mended = FixOutcome { sources, report: after };
            }
            (false, [single]) => {
                refused.insert(single.id.clone());
                most = usize::MAX;
            }
            (false, several) => most = several.len() / 2,
        }
    }
    for resolved in mended.report.findings.iter_mut().filter(|one| refused.contains(&one.id)) {
        resolved.remedy = None;
    }
    fixed.sort_by(|left: &FixedFinding, right| {
        (&left.path, left.line).cmp(&(&right.path, right.line))
    });
    mended.report.fixed = fixed;
    mended
}

/// Chooses fixes that can be made together: the first of those that overlap.
fn choose<'m>(
    mended: &'m FixOutcome,
    roles: &[FileRole],
    reach: Safety,
    refused: &BTreeSet<String>,
    most: usize,
) -> Vec<&'m ResolvedFinding> {
    let open = |id: SourceId| {
        let judged = roles.get(id.0 as usize) == Some(&FileRole::Judged);
        judged && mended.sources.get(id).encoding() == Encoding::Utf8
    };
    let mut offered: Vec<(&ResolvedFix, &ResolvedFinding)> = mended
        .report
        .findings
        .iter()
        .filter(|resolved| !refused.contains(&resolved.id))
        .filter_map(|resolved| Some((resolved.remedy.as_ref()?, resolved)))
        .filter(|(remedy, _)| remedy.safety <= reach)
        .filter(|(remedy, _)| remedy.edits.iter().all(|edit| open(edit.span.source)))
        .collect();
    offered.sort_by(|left, right| left.0.edits.cmp(&right.0.edits));
    // The edits so far, by where they end: only neighbours in that order can overlap a further one.
    let mut taken: BTreeMap<(SourceId, u32), &Edit> = BTreeMap::new();
    let mut chosen = Vec::new();
    for (remedy, resolved) in offered {
        let clashes = |edit: &Edit| {
            let from = (edit.span.source, edit.span.lo);
            taken
                .range(from..)
                .take(2)
                .any(|((source, _), other)| *source == edit.span.source && other.overlaps(edit))
        };
        if chosen.len() < most && !remedy.edits.iter().any(clashes) {
            taken.extend(remedy.edits.iter().map(|edit| ((edit.span.source, edit.span.hi), edit)));
            chosen.push(resolved);
        }
    }
    chosen
}

/// Returns the edits of a batch, in order.
fn edits_of<'b>(batch: &[&'b ResolvedFinding]) -> Vec<&'b Edit> {
    let remedies = batch.iter().filter_map(|one| one.remedy.as_ref());
    let mut edits: Vec<&Edit> = remedies.flat_map(|remedy| &remedy.edits).collect();
    edits.sort();
    edits
}

/// Makes the edits of a batch.
fn rewrite(sources: &Sources, batch: &[&ResolvedFinding]) -> Sources {
    let edits = edits_of(batch);
    let mut rewritten = Sources::default();
    for source in sources.iter() {
        let mut text = String::with_capacity(source.text().len());
        let mut done = 0;
        for edit in edits.iter().filter(|edit| edit.span.source == source.id()) {
            let range = edit.span.range();
            text.push_str(source.text().get(done..range.start).unwrap_or_default());
            text.push_str(&edit.replacement);
            done = range.end.max(done);
        }
        text.push_str(source.text().get(done..).unwrap_or_default());
        rewritten.add(source.path(), source.origin().clone(), source.encoding(), text);
    }
    rewritten
}

/// Lines of files, from one.
type Lines = BTreeSet<(SourceId, u32)>;

/// Returns the lines that a batch changes, as they were and as they are.
fn changed_lines(old: &Sources, new: &Sources, batch: &[&ResolvedFinding]) -> (Lines, Lines) {
    let (mut before, mut after) = (Lines::new(), Lines::new());
    let mut shifts: BTreeMap<SourceId, (usize, usize)> = BTreeMap::new();
    for edit in edits_of(batch) {
        let (id, range) = (edit.span.source, edit.span.range());
        let (added, gone) = shifts.entry(id).or_default();
        let from = (range.start + *added).saturating_sub(*gone);
        let written = Span::new(id, from, from + edit.replacement.len());
        for (sources, span, lines) in [(old, edit.span, &mut before), (new, written, &mut after)] {
            let file = sources.get(id);
            let lines_of = file.position(span.lo).line..=file.position(span.hi).line;
            lines.extend(lines_of.map(|line| (id, line)));
        }
        *added += edit.replacement.len();
        *gone += range.len();
    }
    (before, after)
}

/// Returns the codes of what is found on some lines.
fn codes_at(report: &Report, lines: &Lines) -> BTreeSet<&'static str> {
    let there = report
        .findings
        .iter()
        .filter(|one| lines.contains(&(one.primary.span.source, one.primary.start.line)));
    there.map(|one| one.finding.code).collect()
}

/// Says whether a batch did what it should and nothing worse; `old` and `new` are the lines that it changes.
fn holds(
    before: &Report,
    after: &Report,
    batch: &[&ResolvedFinding],
    (old, new): &(Lines, Lines),
) -> bool {
    let count = |report: &Report, code: &str| {
        report.findings.iter().filter(|resolved| resolved.finding.code == code).count()
    };
    let stays = |resolved: &&ResolvedFinding| {
        let code = resolved.finding.code;
        let there = after.findings.iter().any(|other| other.id == resolved.id);
        there && count(after, code) >= count(before, code)
    };
    // Two fixes may each be right and together write one key twice.
    let broken = |report: &Report| {
        [MALFORMED_MANIFEST.code, REPEATED_KEY.code].iter().map(|code| count(report, code)).sum()
    };
    // Nor does a fix that leads to another finding where it was made repair anything.
    let moved = !codes_at(after, new).is_subset(&codes_at(before, old));
    let (torn, whole): (usize, usize) = (broken(after), broken(before));
    after.count(Severity::Error) <= before.count(Severity::Error)
        && torn <= whole
        && after.coverage.objects == before.coverage.objects
        && !moved
        && !batch.iter().any(stays)
}

fn note(resolved: &ResolvedFinding) -> FixedFinding {
    FixedFinding {
        code: resolved.finding.code,
        name: resolved.finding.name,
        path: resolved.primary.path.clone(),
        line: resolved.primary.start.line,
        message: resolved.finding.message.clone(),
    }
}
