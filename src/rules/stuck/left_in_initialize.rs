//! FL0410 left-in-initialize.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::read::SpanOr;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::stuck::start_command::{start, start_command};

declare_rule! {
    /// A run that is initialized and was never told to run.
    ///
    /// ## Why it matters
    /// `spec.state` is `Initialize` unless someone says otherwise. Such a run prepares itself, says Initialized
    /// True, and waits; nothing is rolled out. While it waits its inputs grow old: a changed policy, label or apply
    /// strategy fails it at its next check.
    ///
    /// ## What to do
    /// Set `spec.state` to `Run`.
    pub static LEFT_IN_INITIALIZE = Rule {
        code: "FL0410",
        name: "left-in-initialize",
        severity: Severity::Warning,
        reads: &[Kind::Run],
        check: left_in_initialize,
    }
}

fn left_in_initialize(cx: &mut Cx<'_>) {
    for run in cx.runs().iter().filter(|run| is_left(run)) {
        let Some(initialized) = run.condition("Initialized") else { continue };
        let place = run.state.span_or(initialized.status.span);
        cx.report(
            LEFT_IN_INITIALIZE
                .at(place, "prepared, and told to wait")
                .also(initialized.best_span(), "initialization is done")
                .for_field("spec.state")
                .message(format!(
                    "{} is initialized, but spec.state is Initialize, so it rolls nothing out.",
                    run.meta.title(),
                ))
                .why("Without spec.state Run a run only prepares itself. Nothing is broken.")
                .then(start(cx, run))
                .recover(Recoverability::NeedsPatch)
                .command(start_command(cx, run)),
        );
    }
}

fn is_left(run: &Run) -> bool {
    // Releases before v0.2 ignore the state, and a run at work shows it by its Progressing condition.
    run.is_initialized()
        && !run.is_terminal()
        && run.only_initializes()
        && run.condition("Progressing").is_none()
        && run.meta.deleting.is_none()
        && !(run.meta.partial && run.state.is_none())
}
