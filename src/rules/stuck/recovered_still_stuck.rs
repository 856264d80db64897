//! FL0404 recovered-still-stuck.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Outlook, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// A run that still says stuck although the cluster has recovered.
    ///
    /// ## Why it matters
    /// While a cluster fails, the controller checks ever more rarely, up to every 16 minutes 40 seconds. The cluster
    /// is ready, the run has not checked again yet.
    ///
    /// ## What to do
    /// Wait, or set `spec.state` to `Stop` and back to `Run` to make it check at once. A new run is not needed.
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
        let (run, cluster) = (waiting.run, &waiting.cluster);
        let name = run.meta.name();
        let continues = format!("{} continues by itself within 16m 40s.", run.meta.title());
        let outlook = match cx.history().find_takeover(run) {
            Some(_) => cx.outlook_of_run(run, Repair::Member),
            None => Outlook::new(Recoverability::ResumesByItself, continues),
        };
        cx.report(
            RECOVERED_STILL_STUCK
                .at(done.status.span, format!("{cluster} is ready"))
                .also(waiting.span, format!("{name} has not checked again"))
                .message(format!(
                    "{cluster} has recovered, but {name} has not checked again and still says \
                     stuck."
                ))
                .why("After each failed check the controller waits longer, up to 16m 40s.")
                .hint("spec.state Stop and then Run again makes it check at once.")
                .about(Topic::RunCluster(run.meta.key.clone(), cluster.clone()))
                .outlook(outlook),
        );
    }
}
