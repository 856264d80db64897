//! FL0304 idle-rival.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::commands::delete_command;

declare_rule! {
    /// A run that waits to be started while another run of the same placement is active.
    ///
    /// ## Why it matters
    /// As soon as the idle one is set to Run, the two take clusters from each other.
    ///
    /// ## What to do
    /// Delete the idle run, or start it only after the other has ended.
    pub static IDLE_RIVAL = Rule {
        code: "FL0304",
        name: "idle-rival",
        severity: Severity::Note,
        reads: &[Kind::Run],
        check: idle_rival,
    }
}

fn idle_rival(cx: &mut Cx<'_>) {
    let idle = |run: &&Run| {
        run.is_initialized()
            && !run.is_terminal()
            && run.state() != "Run"
            && run.meta.deleting.is_none()
    };
    for run in cx.runs().iter().filter(idle) {
        let Some(placement) = &run.placement else { continue };
        let rivals = cx.runs_of(run.meta.namespace(), placement);
        let Some(active) = rivals.into_iter().find(|other| other.is_active()) else { continue };
        cx.report(
            IDLE_RIVAL
                .at(
                    run.state.as_ref().map_or(placement.span, |state| state.span),
                    "waits to be started",
                )
                .also(
                    active.placement.as_ref().map_or(active.meta.name_span, |name| name.span),
                    "is being rolled out by this run",
                )
                .message(format!(
                    "{} (state {}) waits beside {}, which is active on the same placement {}",
                    run.meta.name(),
                    run.state(),
                    active.meta.name(),
                    &**placement,
                ))
                .why("set to Run, it would take clusters from the active one")
                .recover(Recoverability::WaitsForPerson)
                .command(delete_command(&run.meta.key))
                .explains(Topic::takeover_of(run)),
        );
    }
}
