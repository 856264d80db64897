//! FL0801 two-moments.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::rule::Cx;

declare_rule! {
    /// An object that the bundle shows at two moments, with another status.
    ///
    /// ## Why it matters
    /// Captures are collected over minutes, and tickets hold dumps of several days. The later one was judged; the earlier one is
    /// history. Comparing an object of one moment with an object of another proves nothing.
    ///
    /// ## What to do
    /// Read the report as of the later moment. If the two were meant to be one moment, collect again.
    pub static TWO_MOMENTS = Rule {
        code: "FL0801",
        name: "two-moments",
        severity: Severity::Note,
        reads: &[],
        check: two_moments,
    }
}

fn two_moments(cx: &mut Cx<'_>) {
    for (key, sightings) in cx.sightings() {
        let Some(used) =
            sightings.first().filter(|used| !used.meta.partial && !key.name.is_empty())
        else {
            continue;
        };
        let older = sightings.iter().skip(1).find(|other| {
            !other.meta.partial
                && other.meta.resource_version.is_some()
                && other.meta.resource_version != used.meta.resource_version
                && other.meta.span.source != used.meta.span.source
        });
        let Some(older) = older else { continue };
        cx.report(
            TWO_MOMENTS
                .at(used.meta.name_span, "the later one, which was judged")
                .of_input()
                .also(older.meta.name_span, "an earlier one")
                .message(format!(
                    "{key} is in the bundle at two moments. The later one was judged."
                ))
                .why(
                    "The resourceVersion tells which is later. Nothing is concluded from \
                     comparing the two.",
                )
                .recover(Recoverability::NothingToDo),
        );
    }
}
