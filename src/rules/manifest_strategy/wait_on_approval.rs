//! FL1115 wait-on-approval.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::rule::ManifestCx;
use crate::rules::manifest_strategy::stage::stages;

declare_rule! {
    /// An approval with a waiting time.
    ///
    /// ## Why it matters
    /// An approval waits for a person, not for a clock; the API server refuses the combination.
    ///
    /// ## What to do
    /// Remove `waitTime`, or make the task a TimedWait.
    pub static WAIT_ON_APPROVAL = Rule {
        code: "FL1115",
        name: "wait-on-approval",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Strategy],
        manifest: wait_on_approval,
    }
}

fn wait_on_approval(cx: &mut ManifestCx<'_>) {
    for manifest in cx.of(Kind::Strategy) {
        for (list, id) in [
            ("afterStageTasks", "after-approval-wait"),
            ("beforeStageTasks", "before-approval-wait"),
        ] {
            let rule = manifest.server_rule(id);
            for stage in stages(manifest) {
                let Some(tasks) = stage.get(list) else { continue };
                if manifest.is_ratcheted(&tasks.place()) {
                    continue;
                }
                for task in tasks.items() {
                    let approval = task.text("type") == Some("Approval");
                    let Some(wait) = task.get("waitTime").filter(|_| approval) else { continue };
                    let name = stage.text("name").unwrap_or_default();
                    let finding = WAIT_ON_APPROVAL
                        .on(&task.place().underline(wait.key_span()), "an approval has no waitTime")
                        .message(format!("an approval of stage {name} has a waiting time"))
                        .fix(Safety::Safe, manifest.without(&wait.pointer()));
                    // v1alpha1 lets it through, and the controller pays no heed to it.
                    cx.report(match rule {
                        Some(rule) => finding.help(&*rule.message),
                        None => finding
                            .layer(Layer::Advice)
                            .severity(Severity::Warning)
                            .help("it waits for a person; the time means nothing"),
                    });
                }
            }
        }
    }
}
