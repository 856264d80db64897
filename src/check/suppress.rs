//! Suppressions: `# fleetlens: ignore[CODE] reason` and the annotation `fleetlens.dev/ignore`.
//!
//! Owns reading them and taking out what they name. A comment speaks of its own line, or of the next
//! line that is no comment; an annotation (`CODE reason; CODE reason`) of the whole object. Without
//! a reason, or with a code that does not exist, a suppression does nothing and is a finding itself.

use crate::engine::{SuppressedBy, SuppressedFinding};
use crate::finding::Finding;
use crate::manifest::{FileRole, Repository};
use crate::model::key::ObjectKey;
use crate::rules::manifest_file::{
    suppression_without_reason::SUPPRESSION_WITHOUT_REASON,
    unknown_suppression::UNKNOWN_SUPPRESSION, unused_suppression::UNUSED_SUPPRESSION,
};
use crate::rules::{find_rule, nearest_rule};
use crate::source::{SourceId, Sources, Span};

/// The annotation that suppresses findings of an object.
const ANNOTATION: &str = "fleetlens.dev/ignore";

/// What a suppression covers.
enum Reach {
    /// One line of a file.
    Line(SourceId, u32),
    /// An object.
    Object(ObjectKey),
}

struct Suppression {
    code: String,
    reason: String,
    span: Span,
    reach: Reach,
}

/// Takes suppressed findings out, and adds findings about the suppressions themselves.
pub(super) fn suppress(
    findings: Vec<Finding>,
    repository: &Repository,
    sources: &Sources,
) -> (Vec<Finding>, Vec<SuppressedFinding>) {
    let all = read_all(repository, sources);
    let mut used = vec![false; all.len()];
    let (mut kept, mut hidden) = (Vec::new(), Vec::new());
    for finding in findings {
        let by = all.iter().zip(&mut used).find(|(suppression, _)| {
            suppression.is_valid() && suppression.covers(&finding, repository, sources)
        });
        match by {
            Some((suppression, used)) => {
                *used = true;
                let by = match suppression.reach {
                    Reach::Line(..) => SuppressedBy::Comment,
                    Reach::Object(_) => SuppressedBy::Annotation,
                };
                hidden.push(SuppressedFinding { finding, by, reason: suppression.reason.clone() });
            }
            None => kept.push(finding),
        }
    }
    for (suppression, used) in all.iter().zip(used) {
        kept.extend(suppression.trouble(used));
    }
    (kept, hidden)
}

impl Suppression {
    fn is_valid(&self) -> bool {
        !self.reason.is_empty() && find_rule(&self.code).is_some()
    }

    fn covers(&self, finding: &Finding, repository: &Repository, sources: &Sources) -> bool {
        if find_rule(&self.code).is_none_or(|rule| rule.code != finding.code) {
            return false;
        }
        let span = finding.primary.span;
        match &self.reach {
            Reach::Line(source, line) => {
                span.source == *source && sources.get(span.source).position(span.lo).line == *line
            }
            Reach::Object(key) => repository.object_at(span) == Some(key),
        }
    }

    /// Says what is wrong with the suppression itself.
    fn trouble(&self, used: bool) -> Option<Finding> {
        if find_rule(&self.code).is_none() {
            return Some(unknown_rule(&self.code, self.span));
        }
        if self.reason.is_empty() {
            let message = format!("{} is ignored without a reason", self.code);
            return Some(
                SUPPRESSION_WITHOUT_REASON.at(self.span, "say why").message(message).why(
                    "a suppression without a reason does nothing; write it behind the bracket",
                ),
            );
        }
        let message = format!("{} is ignored here, and does not occur", self.code);
        (!used).then(|| UNUSED_SUPPRESSION.at(self.span, "not needed").message(message))
    }
}

/// Says that a suppression names a rule that does not exist.
pub(super) fn unknown_rule(name: &str, span: Span) -> Finding {
    let message = format!("there is no rule `{name}` to be ignored");
    let finding = UNKNOWN_SUPPRESSION.at(span, "no such rule").message(message);
    match nearest_rule(name) {
        Some(meant) => finding.why(format!("did you mean `{meant}`?")),
        None => finding.why("`fleetlens rules` lists codes and names"),
    }
}

fn read_all(repository: &Repository, sources: &Sources) -> Vec<Suppression> {
    let mut found = Vec::new();
    for manifest in repository.judged() {
        for comment in &manifest.comments {
            found.extend(read_comment(*comment, sources));
        }
        let annotations = manifest.written().at(&["metadata", "annotations"]);
        let Some(note) = annotations.and_then(|annotations| annotations.get(ANNOTATION)) else {
            continue;
        };
        for part in note.str().unwrap_or_default().split(';').map(str::trim) {
            let (code, reason) = part.split_once(' ').unwrap_or((part, ""));
            found.push(Suppression {
                code: code.trim_end_matches(':').to_owned(),
                reason: reason.trim().to_owned(),
                span: note.place().span,
                reach: Reach::Object(manifest.key.clone()),
            });
        }
    }
    let foreign = repository.foreign.iter().filter(|object| object.role == FileRole::Judged);
    for comment in foreign.flat_map(|object| &object.comments) {
        found.extend(read_comment(*comment, sources));
    }
    // A file that holds objects of both sorts is read twice.
    found.sort_by_key(|suppression| suppression.span);
    found.dedup_by(|left, right| left.span == right.span && left.code == right.code);
    found
}

/// Reads the comment; it may name several rules.
fn read_comment(comment: Span, sources: &Sources) -> Vec<Suppression> {
    let Some((codes, reason, line)) = split_comment(comment, sources) else { return Vec::new() };
    let suppression = |code: &str| Suppression {
        code: code.trim().to_owned(),
        reason: reason.trim().to_owned(),
        span: comment,
        reach: Reach::Line(comment.source, line),
    };
    codes.split(',').map(suppression).collect()
}

/// Splits the comment into its codes, its reason and the line it speaks of.
fn split_comment(comment: Span, sources: &Sources) -> Option<(&str, &str, u32)> {
    let source = sources.get(comment.source);
    let text = source.slice(comment).trim_start_matches('#').trim();
    let rest = text.strip_prefix("fleetlens:")?.trim_start().strip_prefix("ignore[")?;
    let (code, reason) = rest.split_once(']')?;
    let mut index = source.line_index(comment.lo);
    let own = source.slice(source.line_span(index)).trim_start();
    // A comment that has the line to itself speaks of what follows.
    if own.starts_with('#') {
        while source.slice(source.line_span(index)).trim_start().starts_with('#')
            && index + 1 < source.line_count()
        {
            index += 1;
        }
    }
    Some((code, reason, source.line_number(index)))
}
