//! FL1115 wait-on-approval.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::model::approval::Side;
use crate::model::strategy::Strategy;
use crate::rule::Cx;
use crate::rules::manifest_strategy::stage::is_ratcheted;

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
        check: wait_on_approval,
    }
}

fn wait_on_approval(cx: &mut Cx<'_>) {
    for strategy in cx.drafts::<Strategy>() {
        for (side, id) in
            [(Side::After, "after-approval-wait"), (Side::Before, "before-approval-wait")]
        {
            let rule = strategy.manifest.server_rule(id);
            for stage in &strategy.stages {
                let tasks = stage.tasks(side);
                if is_ratcheted(&strategy, tasks) {
                    continue;
                }
                for task in tasks.iter().filter(|task| task.is_approval()) {
                    let Some(wait) = &task.wait else { continue };
                    let name = stage.name();
                    let place = task.site.place().underline(wait.site().key_place().span);
                    let finding = WAIT_ON_APPROVAL
                        .at_field(&place, "an approval has no waitTime")
                        .message(format!("an approval of stage {name} has a waiting time"))
                        .fix(Safety::Safe, strategy.manifest.remove(&wait.pointer()));
                    // v1alpha1 lets it through, and the controller pays no heed to it.
                    cx.report(match rule {
                        Some(rule) => finding.why(&*rule.message),
                        None => finding
                            .layer(Layer::Advice)
                            .severity(Severity::Warning)
                            .why("it waits for a person; the time means nothing"),
                    });
                }
            }
        }
    }
}
