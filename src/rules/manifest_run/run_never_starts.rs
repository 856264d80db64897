//! FL1208 run-never-starts.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::syntax::edit::NewValue;

declare_rule! {
    /// A run without a state, which only initializes.
    ///
    /// ## Why it matters
    /// `state` is Initialize by default: the run prepares itself and waits for somebody to set `state: Run`.
    ///
    /// ## What to do
    /// Write `state: Run`, or `state: Initialize` if waiting is meant.
    pub static RUN_NEVER_STARTS = Rule {
        code: "FL1208",
        name: "run-never-starts",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Run],
        check: run_never_starts,
    }
}

fn run_never_starts(cx: &mut Cx<'_>) {
    for run in cx.drafts::<Run>() {
        let Some(state) =
            run.state.as_ref().filter(|state| run.only_initializes() && state.is_default())
        else {
            continue;
        };
        let start = NewValue::Text("Run".to_owned());
        let finding = RUN_NEVER_STARTS
            .at_field(&state.place(), "no state")
            .message(format!("run {} only initializes: nothing is rolled out", run.name()))
            .why(concat!(
                "without a state it is Initialize; write `state: Run`, ",
                "or `state: Initialize` to say that it is meant"
            ))
            .fix(Safety::Consent, run.manifest.insert("/spec", "", "state", start));
        cx.report(finding);
    }
}
