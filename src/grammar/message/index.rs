//! The way from a text to the few templates that may fit it.
//!
//! A template that begins with words is found by their first bytes; one that begins with a hole is asked for
//! its other words by the fingerprint of the text.

use super::catalogue::Template;
use super::fingerprint::Fingerprint;
use super::pattern::{MatchMode, MessagePattern};
use super::tables::{HEADLESS, HEADS, TEMPLATES};

/// Where a pattern stands in the catalogue; the order is that of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PatternPosition {
    pub(super) template: u16,
    pub(super) pattern: u8,
}

/// A pattern that may fit.
#[derive(Clone, Copy)]
pub(super) struct PatternCandidate {
    pub(super) at: PatternPosition,
    pub(super) template: &'static Template,
    pub(super) pattern: &'static MessagePattern,
}

/// Returns the patterns that may fit a range of a text, prefixes left out.
///
/// The fingerprint may be that of a longer text. A cut text has to be as long as the evidence that is asked of
/// it.
pub(super) fn candidates<'t>(
    range: &[u8],
    text: &'t Fingerprint,
    fit: MatchMode,
) -> impl Iterator<Item = PatternCandidate> + use<'t> {
    let head = range.first_chunk();
    let bucket = head.and_then(|head| {
        let found = HEADS.binary_search_by_key(head, |(known, _)| *known).ok()?;
        HEADS.get(found).map(|(_, at)| *at)
    });
    let all = bucket.unwrap_or_default().iter().chain(HEADLESS).filter_map(|at| {
        let template = TEMPLATES.get(usize::from(at.template))?;
        let pattern = template.patterns.get(usize::from(at.pattern))?;
        Some(PatternCandidate { at: *at, template, pattern })
    });
    all.filter(move |candidate| candidate.pattern.may_fit(text, fit))
}
