//! [`CausesByMoment`]: which cause became visible at which event of the timeline.
//!
//! Looked up and not searched: a thousand causes may meet ten thousand moments.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;

use crate::engine::Report;
use crate::graph::Graph;
use crate::model::key::ObjectKey;
use crate::source::{SourceId, Span};
use crate::views::timeline::{Moment, MomentSource};

/// The number of a cause, from 1, and its code.
pub(super) type NumberedCause = (usize, &'static str);

/// The places of all causes, each with the first cause that stands there.
pub(super) struct CausesByMoment<'r> {
    spans: BTreeMap<Span, NumberedCause>,
    /// The same by file, object and the pointer of what holds the place.
    beside:
        HashMap<(SourceId, Option<&'r ObjectKey>), BTreeMap<&'r str, NumberedCause>, FixedState>,
}

impl<'r> CausesByMoment<'r> {
    pub(super) fn of(report: &'r Report) -> Self {
        let mut shown = Self { spans: BTreeMap::new(), beside: HashMap::default() };
        for (index, cause) in report.verdict.causes.iter().enumerate() {
            let Some(resolved) = report.findings.get(cause.finding) else { continue };
            let numbered = (index + 1, resolved.finding.code);
            let told = cause.members().filter_map(|member| report.findings.get(member.finding));
            for place in told.flat_map(|it| std::iter::once(&it.primary).chain(&it.related)) {
                shown.spans.entry(place.span).or_insert(numbered);
                if let Some(parent) = parent(&place.pointer) {
                    let of_object = (place.span.source, place.object.as_ref());
                    let beside = shown.beside.entry(of_object).or_default();
                    beside.entry(parent).or_insert(numbered);
                }
            }
        }
        shown
    }

    /// Returns the first cause that shows at a moment: a place of it stands in the line, or beside the stamp.
    pub(super) fn at(&self, moment: &Moment, graph: &Graph) -> Option<NumberedCause> {
        let span = moment.span;
        match moment.origin {
            MomentSource::Log => {
                let (first, last) = (Span { hi: span.lo, ..span }, Span { lo: span.hi, ..span });
                let within = self.spans.range(first..=last);
                within.filter(|(place, _)| span.contains(**place)).map(|(_, it)| *it).min()
            }
            MomentSource::Creation | MomentSource::Deletion => None,
            _ => self.spans.get(&span).copied().into_iter().chain(self.beside(moment, graph)).min(),
        }
    }

    /// A stamp shows what stands in the same condition.
    fn beside(&self, moment: &Moment, graph: &Graph) -> Option<NumberedCause> {
        let places = self.beside.get(&(moment.span.source, moment.object.as_ref()))?;
        let located = graph.locate(moment.span)?;
        let own = parent(&located.path.pointer).filter(|own| own.contains("/conditions/"))?;
        places.get(own).copied()
    }
}

fn parent(pointer: &str) -> Option<&str> {
    pointer.rsplit_once('/').map(|(parent, _)| parent)
}
