//! FL0769 pods-not-created.

use crate::declare_rule;
use crate::facts::refusal::{Refusal, RefusalTarget};
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::rule::{Cx, Explained};
use crate::rules::commands::describe_on_member;
use crate::rules::consequence::{Repair, after_repair, explain};
use crate::rules::sentence::{clip, full_stop, member_name};

declare_rule! {
    /// A workload whose pods the member refuses to create, for a reason that no other rule explains.
    ///
    /// ## Why it matters
    /// The workload itself was applied, so `Applied` is True; its controller tries to make the pods and is
    /// refused each time.
    ///
    /// ## What to do
    /// The words are the API server's own: a missing service account or priority class, a limit range, an
    /// invalid pod.
    pub static PODS_NOT_CREATED = Rule {
        code: "FL0769",
        name: "pods-not-created",
        severity: Severity::Error,
        reads: &[Kind::Work],
        remainder: pods_not_created,
    }
}

fn pods_not_created(cx: &mut Cx<'_>, told: &Explained) {
    let pods = |refusal: &&Refusal| refusal.refused == RefusalTarget::Pods;
    for refusal in cx.refusals().iter().filter(pods) {
        if told.explains_words(&refusal.said.text) {
            continue;
        }
        let Some(core) = refusal.said.core() else { continue };
        let finding = PODS_NOT_CREATED
            .at(cx.span_of(&core), "reported by the API server")
            .message(full_stop(&format!(
                "{} refuses the pods of {}: {}",
                member_name(refusal.cluster()),
                refusal.object,
                clip(core.words())
            )))
            .why(
                "The workload was applied. The API server of the member refuses each pod that its \
                  controller creates.",
            )
            .step(
                describe_on_member(&refusal.object),
                "shows the pod template and the events of the workload",
            );
        let (placement, clusters) = (refusal.placement.as_ref(), [refusal.cluster()]);
        let finding = after_repair(finding, cx, placement, &clusters, Repair::Member);
        cx.report(explain(finding, &refusal.object, placement));
    }
}
