//! FL0304 idle-rival.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::read::SpanOr;
use crate::model::run::Run;
use crate::rule::Cx;

declare_rule! {
    /// A run that waits to be started while another run of the same placement is active.
    ///
    /// ## Why it matters
    /// As soon as the idle one is set to Run, the two take clusters from each other.
    ///
    /// ## What to do
    /// Start the idle run only after the other has ended, or delete it.
    pub static IDLE_RIVAL = Rule {
        code: "FL0304",
        name: "idle-rival",
        severity: Severity::Note,
        reads: &[Kind::Run],
        check: idle_rival,
    }
}

fn idle_rival(cx: &mut Cx<'_>) {
    for run in cx.runs().iter().filter(|run| is_idle(run)) {
        let Some(placement) = &run.placement else { continue };
        let rivals = cx.runs_of(run.meta.namespace(), placement);
        let Some(active) = rivals.into_iter().find(|other| other.is_active()) else { continue };
        let (name, other) = (run.meta.name(), active.meta.name());
        let place = run.state.span_or(placement.span);
        let shown = active.placement.span_or(active.meta.name_span);
        cx.report(
            IDLE_RIVAL
                .at(place, format!("{name} waits to be started"))
                .also(shown, format!("{other} rolls this placement out"))
                .message(format!(
                    "{} (state {}) waits beside {other}, which is active on placement {}.",
                    run.meta.title(),
                    run.state(),
                    &**placement,
                ))
                .why("Two active runs of one placement take clusters from each other.")
                .then(format!("Set {name} to Run only after {other} has ended."))
                .recover(Recoverability::WaitsForPerson)
                .explains(Topic::takeover_of(run)),
        );
    }
}

fn is_idle(run: &Run) -> bool {
    run.is_initialized()
        && !run.is_terminal()
        && run.state() != "Run"
        && run.meta.deleting.is_none()
}
