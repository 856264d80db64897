//! [`recognise`]: which templates a message is made of, and what it names.
//!
//! Owns the taking apart: layers of prefixes, several errors in brackets, errors inside errors,
//! texts cut with dots, known errors behind unknown words. Leaves the match of one template to
//! `pattern`. Whatever the text, a part points at its own characters and the work is bounded.

use std::cmp::Reverse;
use std::ops::Range;

use super::catalogue::{PrefixLayer, Template, prefixes, rows};
use super::fingerprint::{Fingerprint, REACH};
use super::hole_role::HoleRole;
use super::index::{PatternCandidate, candidates};
use super::normalized::Normalized;
use super::pattern::{MatchMode, PatternMatch};
use super::reason::find_reason;
use super::recognised::{MessageContext, MessagePart, Recognised, hole_refs};
use super::tables::{CARRIERS, SILENT};
use super::version::version_bounds;

/// No object holds more than this; what a hostile file has beyond it is not looked at.
const LONGEST: usize = 2 << 20;
/// Errors inside errors, and errors in brackets: far above what controllers nest.
const DEEPEST: usize = 24;
const MOST_PARTS: usize = 256;
/// Commas and colons that are tried as a border of an unknown text.
const MOST_COMMAS: usize = 1024;
const MOST_COLONS: usize = 8;
/// Visible bytes that a cut text must share with a template to be taken for it: fewer if dots say
/// that it is cut.
const CUT_EVIDENCE: [usize; 2] = [2 * REACH, REACH];

/// Takes a message apart.
pub fn recognise(text: &str, hint: &MessageContext<'_>) -> Recognised {
    let end = (0..=text.len().min(LONGEST)).rev().find(|end| text.is_char_boundary(*end));
    let text = text.get(..end.unwrap_or(0)).unwrap_or(text);
    let normalized = Normalized::new(text);
    let dots = [b"...".as_slice(), "…".as_bytes()]
        .into_iter()
        .find(|dots| normalized.bytes(0..normalized.len()).ends_with(dots))
        .map_or(0, <[u8]>::len);
    let mut reader = Reader {
        whole: text,
        text: &normalized,
        fingerprint: Fingerprint::of(normalized.bytes(0..normalized.len())),
        hint,
        cut_end: normalized.len() - dots,
        out: Recognised { reason: find_reason(hint), ..Recognised::default() },
    };
    reader.out.carrier = reader.find_carrier();
    if normalized.len() == 0 {
        reader.read_silence();
    } else {
        reader.read(0..normalized.len(), None, 0);
    }
    let mut out = reader.out;
    let seen = out.templates().chain(out.prefixes.iter().map(|(template, _)| *template));
    out.versions = version_bounds(seen.map(|template| template.versions));
    out
}

struct Reader<'t> {
    whole: &'t str,
    text: &'t Normalized,
    fingerprint: Fingerprint,
    hint: &'t MessageContext<'t>,
    /// Where the text ends if it is cut.
    cut_end: usize,
    out: Recognised,
}

impl Reader<'_> {
    fn read(&mut self, range: Range<usize>, parent: Option<usize>, depth: usize) {
        let range = self.strip(range);
        if range.is_empty() {
            return;
        }
        if depth >= DEEPEST || self.out.parts.len() >= MOST_PARTS {
            self.push(None, range, parent);
            return;
        }
        if let Some(items) = self.split(range.clone()) {
            items.into_iter().for_each(|item| self.read(item, parent, depth + 1));
            return;
        }
        if let Some((template, found)) = self.best(range.clone(), MatchMode::Whole) {
            self.accept(template, &found, range, parent, depth);
            return;
        }
        let cut = range.start..self.cut_end;
        if range.end >= self.cut_end
            && !cut.is_empty()
            && let Some((template, found)) = self.best(cut.clone(), MatchMode::Cut)
        {
            self.out.cut = true;
            self.accept(template, &found, cut, parent, depth);
            return;
        }
        match self.known_tail(range.clone()) {
            Some(border) => {
                let head = self.push(None, range.start..border, parent);
                self.read(border + 1..range.end, Some(head), depth + 1);
            }
            None => {
                let free = self.out.carrier.filter(|carrier| depth == 0 && carrier.is_free_text());
                self.push(free, range, parent);
            }
        }
    }

    /// A condition without a message still has a template, if its reason is known for silence.
    fn read_silence(&mut self) {
        let silent = self.written_here(SILENT);
        if silent.is_some() {
            self.push(silent, 0..0, None);
        }
    }

    fn find_carrier(&self) -> Option<&'static Template> {
        self.hint.reason?;
        self.written_here(CARRIERS)
    }

    /// Finds the first of some templates that is written to the condition of the hint.
    fn written_here(&self, among: &'static [u16]) -> Option<&'static Template> {
        rows(among).find(|template| {
            self.hint.kind.is_none_or(|kind| template.speaks_of(kind)) && template.fits(self.hint)
        })
    }

    /// Takes the prefixes off.
    fn strip(&mut self, mut range: Range<usize>) -> Range<usize> {
        while let Some((template, next)) = self.prefix_at(range.clone()) {
            let origin = self.text.origin(range.start..next);
            self.out.prefixes.push((template, origin));
            range.start = next;
            if self.out.prefixes.len() >= MOST_PARTS {
                break;
            }
        }
        range
    }

    /// Returns the prefix at the start of a range, and where the text goes on.
    fn prefix_at(&self, range: Range<usize>) -> Option<(&'static Template, usize)> {
        let text = self.text.bytes(range.clone());
        prefixes().iter().find_map(|template| {
            let words = template.patterns.first()?.head()?;
            let (_, words) = words.split_last()?;
            let end = text.strip_prefix(words)?.first()?;
            matches!(end, b':' | b',').then_some((template, range.start + words.len() + 1))
        })
    }

    /// Takes several errors in brackets apart.
    fn split(&mut self, range: Range<usize>) -> Option<Vec<Range<usize>>> {
        let text = self.text;
        let inside = text.bytes(range.clone()).strip_prefix(b"[")?.strip_suffix(b"]")?;
        let start = range.start + 1;
        let mut items = Vec::new();
        let (mut item, mut depth, mut commas) = (start, 0_usize, 0);
        for (offset, byte) in inside.iter().enumerate() {
            match byte {
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth = depth.saturating_sub(1),
                b',' if depth == 0 && commas < MOST_COMMAS => {
                    commas += 1;
                    let next = start + offset + 1;
                    if self.begins_error(next..range.end - 1) {
                        items.push(item..start + offset);
                        item = next;
                    }
                }
                _ => {}
            }
        }
        items.push(item..range.end - 1);
        if items.len() > 1
            && let Some(template) =
                prefixes().iter().find(|template| template.slot == Some(PrefixLayer::Aggregate))
        {
            let origin = text.origin(range.start..start);
            self.out.prefixes.push((template, origin));
        }
        Some(items)
    }

    fn begins_error(&self, range: Range<usize>) -> bool {
        self.text.blank_before(range.start)
            && (self.prefix_at(range.clone()).is_some()
                || candidates(self.text.bytes(range.clone()), &self.fingerprint, MatchMode::Cut)
                    .any(|one| one.pattern.begins(self.text, range.clone())))
    }

    /// Finds the template that fits best.
    ///
    /// A family that speaks of the kind, with a template that is written to this very condition,
    /// settles it.
    fn best(
        &self,
        range: Range<usize>,
        fit: MatchMode,
    ) -> Option<(&'static Template, PatternMatch<'static>)> {
        let may_fit: Vec<PatternCandidate> =
            candidates(self.text.bytes(range.clone()), &self.fingerprint, fit)
                .filter(|one| !one.template.carrier && !one.template.text.is_empty())
                .collect();
        if let Some(kind) = self.hint.kind
            && fit == MatchMode::Whole
        {
            let near = may_fit.iter().filter(|one| one.template.speaks_of(kind));
            let found = self.best_of(near, range.clone(), fit);
            if found.as_ref().is_some_and(|(template, _)| template.fits(self.hint)) {
                return found;
            }
        }
        self.best_of(may_fit.iter(), range, fit)
    }

    fn best_of<'c>(
        &self,
        among: impl Iterator<Item = &'c PatternCandidate>,
        range: Range<usize>,
        fit: MatchMode,
    ) -> Option<(&'static Template, PatternMatch<'static>)> {
        let fitting = among.filter_map(|PatternCandidate { at, template, pattern }| {
            let found = pattern.find(self.text, range.clone(), fit)?;
            if fit == MatchMode::Cut && found.literal < self.evidence() {
                return None;
            }
            let overlaps = !template.overlaps.is_empty();
            // Of equals the first of the catalogue is taken.
            let rank = (template.fits(self.hint), found.literal, overlaps, Reverse(*at));
            Some((rank, *template, found))
        });
        let best = fitting.max_by(|(one, ..), (other, ..)| one.cmp(other));
        best.map(|(_, template, found)| (template, found))
    }

    /// Returns how much a cut text must share with a template.
    fn evidence(&self) -> usize {
        let [bare, dotted] = CUT_EVIDENCE;
        if self.cut_end < self.text.len() { dotted } else { bare }
    }

    fn accept(
        &mut self,
        template: &'static Template,
        found: &PatternMatch<'static>,
        range: Range<usize>,
        parent: Option<usize>,
        depth: usize,
    ) {
        let cut = self.out.cut.then_some(self.cut_end);
        let part = self.push(Some(template), range, parent);
        let (errors, others): (Vec<_>, Vec<_>) =
            found.holes.iter().partition(|(hole, _)| hole.role == HoleRole::Error);
        // What touches the cut may have lost its end: half a name is worse than none.
        let refs = others
            .into_iter()
            .filter(|(_, range)| Some(range.end) != cut)
            .flat_map(|(hole, range)| hole_refs(hole, self.whole, self.text.origin(range.clone())))
            .collect();
        if let Some(part) = self.out.parts.get_mut(part) {
            part.refs = refs;
        }
        for (_, range) in errors {
            self.read(range.clone(), Some(part), depth + 1);
        }
    }

    /// Finds the first colon of an unknown text behind which a known one stands.
    fn known_tail(&self, range: Range<usize>) -> Option<usize> {
        let colons = memchr::memchr_iter(b':', self.text.bytes(range.clone()));
        colons.take(MOST_COLONS).map(|at| range.start + at).find(|colon| {
            let rest = colon + 1..range.end;
            !rest.is_empty()
                && self.text.blank_before(rest.start)
                && (self.prefix_at(rest.clone()).is_some()
                    || self.best(rest, MatchMode::Whole).is_some())
        })
    }

    fn push(
        &mut self,
        template: Option<&'static Template>,
        range: Range<usize>,
        parent: Option<usize>,
    ) -> usize {
        let range = self.text.origin(range);
        self.out.parts.push(MessagePart { template, range, refs: Vec::new(), parent });
        self.out.parts.len() - 1
    }
}
