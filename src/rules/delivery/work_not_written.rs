//! FL0731 work-not-written.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::parsed_message::ParsedMessage;
use crate::rule::Cx;
use crate::rules::commands::works_command;
use crate::rules::consequence::explain_stall;
use crate::rules::sentence::{clip_to, full_stop, member_name};

declare_rule! {
    /// A Work that the hub cannot write for a cluster.
    ///
    /// ## Why it matters
    /// The work generator on the hub failed to create, update or delete the Work objects of this cluster, so
    /// the member is told nothing. `WorkSynchronized` is False and holds the cause.
    ///
    /// ## What to do
    /// The message tells. A namespace `fleet-member-…` that is missing or terminating means that the member is
    /// leaving or has left.
    pub static WORK_NOT_WRITTEN = Rule {
        code: "FL0731",
        name: "work-not-written",
        severity: Severity::Error,
        reads: &[Kind::Binding],
        check: work_not_written,
    }
}

fn work_not_written(cx: &mut Cx<'_>) {
    for stall in
        cx.blocked_rollouts().iter().filter(|stall| &*stall.condition.kind == "WorkSynchronized")
    {
        if stall.find(&ELSEWHERE).is_some() || stall.find_refused_envelope().is_some() {
            continue;
        }
        let core = stall.said.as_ref().and_then(ParsedMessage::core);
        let span = core.map_or_else(|| stall.condition.best_span(), |core| cx.span_of(&core));
        let words = core.map(|core| core.words()).unwrap_or_default();
        let finding = WORK_NOT_WRITTEN
            .at(span, "why the Work is not written")
            .message(full_stop(&format!(
                "The hub agent cannot write the Work of {} for {}: {}",
                stall.placement,
                member_name(&stall.cluster),
                clip_to(words, 300)
            )))
            .why("Without its Work the member agent learns nothing of this snapshot.")
            .then(format!(
                "{} continues by itself after the repair. The hub agent tries again within 16m \
                 40s.",
                stall.placement.title()
            ))
            .recover(Recoverability::ResumesAfterRepair)
            .step(
                works_command(&stall.cluster),
                "shows the Works that are there, and whether their namespace exists",
            )
            .about(Topic::Member(stall.cluster.clone()));
        cx.report(explain_stall(finding, stall));
    }
}

/// What other rules tell better.
const ELSEWHERE: [MessageId; 2] = [id::OLD_PC_SYNC_PENDING, id::BINDING_WORKSYNC_BEING_DELETED];
