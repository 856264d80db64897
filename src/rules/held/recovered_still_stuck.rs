//! FL0404 recovered-still-stuck.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::set_state;

declare_rule! {
    /// A run that still says stuck although the cluster has recovered.
    ///
    /// ## Why it matters
    /// While a cluster fails, the controller looks ever more rarely, up to every 16 minutes 40 seconds. The cluster
    /// is done, the run has not looked again yet.
    ///
    /// ## What to do
    /// Wait, or set `spec.state` to `Stop` and back to `Run` to make it look at once. A new run is not needed.
    pub static RECOVERED_STILL_STUCK = Rule {
        code: "FL0404",
        name: "recovered-still-stuck",
        severity: Severity::Note,
        reads: &[Kind::Run],
        check: recovered_still_stuck,
    }
}

fn recovered_still_stuck(cx: &mut Cx<'_>) {
    for waiting in cx.waiting_clusters().iter().filter(|it| it.is_reported_stuck()) {
        let Some(done) = waiting.done else { continue };
        let key = &waiting.run.meta.key;
        cx.report(
            RECOVERED_STILL_STUCK
                .at(done.status.span, "done by now")
                .also(waiting.span, "the run has not looked again")
                .message(format!(
                    "cluster {} has recovered; {} still says stuck and looks again within 16m 40s",
                    waiting.cluster, key.name,
                ))
                .why("after failing looks the controller waits longer and longer before the next one")
                .recover(Recoverability::ResumesByItself)
                .command(set_state(key, "Stop"))
                .command(set_state(key, "Run")),
        );
    }
}
