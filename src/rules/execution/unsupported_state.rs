//! FL0208 unsupported-state.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::read::SpanOr;
use crate::rule::Cx;
use crate::rules::run_failure::{ClaimedMessages, report_causes};

declare_rule! {
    /// A run with a state that the controller does not know.
    ///
    /// ## Why it matters
    /// Since v0.2 the states are `Initialize`, `Run` and `Stop`. Words of older APIs that are still stored (`Execute`,
    /// `Started`, `Pause` …) end the run permanently.
    ///
    /// ## What to do
    /// Create a new run with one of the three states.
    pub static UNSUPPORTED_STATE = Rule {
        code: "FL0208",
        name: "unsupported-state",
        severity: Severity::Error,
        reads: &[Kind::Run],
        check: unsupported_state,
    }
}

/// The state is one that the controller does not know.
const BAD_STATE: ClaimedMessages = &[id::CTL_UNSUPPORTED_STATE];

fn unsupported_state(cx: &mut Cx<'_>) {
    report_causes(cx, BAD_STATE, Repair::Run, |_, cause| {
        let run = cause.run;
        let place = run.state.span_or(cause.span);
        UNSUPPORTED_STATE
            .at(place, "not a state of this release")
            .also(cause.span, cause.label())
            .message(format!(
                "{} has state {}, which this release does not know.",
                run.meta.title(),
                run.state()
            ))
            .why("Since v0.2 the states are Initialize, Run and Stop.")
    });
}
