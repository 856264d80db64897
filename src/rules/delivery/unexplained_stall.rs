//! FL0735 unexplained-stall.

use crate::behaviour::timing::STUCK_AFTER;
use crate::declare_rule;
use crate::facts::blocked_rollout::BlockedRollout;
use crate::finding::{Severity, Topic};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::key::ObjectKey;
use crate::rule::Cx;
use crate::rules::commands::works_command;
use crate::rules::consequence::{Repair, after_repair, explain_stall};
use crate::rules::sentence::{clip, full_stop, join_names, member_name};
use std::collections::{BTreeMap, BTreeSet};

declare_rule! {
    /// A placement that is not done on a cluster, while the bundle does not say which object is at fault.
    ///
    /// ## Why it matters
    /// The binding (or the placement's copy of it) says that a Work has failed or is not available, but lists no
    /// object: the list was cut off, or the capture holds a summary only. The Work named in such a message is any
    /// one of several.
    ///
    /// ## What to do
    /// Look at every Work of the binding on that cluster, not only at the one that the message names: their
    /// `status.manifestConditions` name the object and the reason.
    pub static UNEXPLAINED_STALL = Rule {
        code: "FL0735",
        name: "unexplained-stall",
        severity: Severity::Error,
        reads: &[Kind::Binding],
        check: unexplained_stall,
    }
}

fn unexplained_stall(cx: &mut Cx<'_>) {
    // Where an object is known to fail, that is told.
    let failing = cx.failures().iter();
    let failing: BTreeSet<(&ObjectKey, &str)> = failing
        .filter_map(|failure| Some((failure.placement.as_ref()?, failure.cluster())))
        .collect();
    let mut groups: BTreeMap<_, Vec<&BlockedRollout>> = BTreeMap::new();
    for stall in cx.blocked_rollouts() {
        let waits = &*stall.condition.kind == "Available";
        let since = stall.condition.since;
        let is_late = since.is_none_or(|since| cx.overdue(since.value, STUCK_AFTER).is_some());
        if stall.find(&FAILED).is_none()
            || (waits && !is_late)
            || failing.contains(&(&stall.placement, &*stall.cluster))
        {
            continue;
        }
        groups.entry((&stall.placement, waits)).or_default().push(stall);
    }
    for ((placement, waits), stalls) in groups {
        let what = if waits { "available" } else { "applied" };
        let Some(first) = stalls.first() else { continue };
        let clusters = join_names(stalls.iter().map(|stall| member_name(&stall.cluster)));
        let mut finding = UNEXPLAINED_STALL
            .at(first.condition.best_span(), "which object is at fault is not said")
            .message(full_stop(&format!(
                "{placement} is not {what} on {clusters}: {}",
                clip(first.condition.message())
            )))
            .why(
                "The bundle does not show which object is at fault. The Works of the cluster do; \
                  the message names any one of them.",
            )
            .step(works_command(&first.cluster), "names the object at fault and the reason");
        let names: Vec<&str> = stalls.iter().map(|stall| &*stall.cluster).collect();
        finding = after_repair(finding, cx, Some(placement), &names, Repair::Member);
        let overdue = first.condition.since.filter(|_| waits);
        if let Some(overdue) = overdue.and_then(|since| cx.overdue(since.value, STUCK_AFTER)) {
            finding = finding.rests_on(&overdue);
        }
        for stall in stalls.iter().skip(1).take(3) {
            finding = finding.also(
                stall.condition.best_span(),
                format!("also on {}", member_name(&stall.cluster)),
            );
        }
        for stall in stalls {
            cx.ask(
                works_command(&stall.cluster),
                format!(
                    "which object of {placement} is not {what} on {}",
                    member_name(&stall.cluster)
                ),
            );
            finding = explain_stall(finding, stall).about(Topic::Member(stall.cluster.clone()));
        }
        cx.report(finding);
    }
}

/// Words by which a binding reports a failure below it.
const FAILED: [MessageId; 4] =
    [id::BINDING_APPLIED_FAILED, id::BINDING_AVAILABLE_FAILED, id::OLD_B_APPLIED, id::OLD_B_AVAIL];
