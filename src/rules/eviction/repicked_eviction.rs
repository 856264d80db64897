//! FL0652 repicked-eviction.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::declare_rule;
use crate::finding::{Command, Recoverability, Risk, Severity};
use crate::grammar::kind::Kind;
use crate::model::condition::Condition;
use crate::model::eviction::Eviction;
use crate::model::key::ObjectKey;
use crate::rule::Cx;
use crate::rules::commands::{edit_command, merge_command};
use crate::source::Span;

declare_rule! {
    /// An eviction after which the scheduler picked the same cluster again.
    ///
    /// ## Why it matters
    /// An eviction only removes the placement from the cluster. If nothing keeps the scheduler away, it picks the same
    /// cluster again at once and everything is as before.
    ///
    /// ## What to do
    /// Taint the member cluster first, then create a new eviction.
    pub static REPICKED_EVICTION = Rule {
        code: "FL0652",
        name: "repicked-eviction",
        severity: Severity::Warning,
        reads: &[Kind::Eviction, Kind::Binding, Kind::Placement, Kind::MemberCluster],
        check: repicked_eviction,
    }
}

/// A later pick was probably wanted: somebody removed the taint again.
const SOON: SignedDuration = SignedDuration::from_mins(10);

fn repicked_eviction(cx: &mut Cx<'_>) {
    for eviction in cx.evictions() {
        let Some(executed) = eviction.condition("Executed").filter(|c| c.is_true()) else {
            continue;
        };
        let Some(done) = executed.since else { continue };
        let Some((picked, span)) = picked_after(cx, eviction, done.value) else { continue };
        let (placement, cluster) = (eviction.placement(), eviction.cluster());
        let member = cx.find_member(cluster).filter(|member| member.taints.is_empty());
        let mut finding = REPICKED_EVICTION
            .at(span, "picked again")
            .also(done.span, "evicted")
            .also_at(member.map(|member| member.meta.name_span), "has no taint")
            .message(format!(
                "Eviction {} took {placement} off {cluster}, and the scheduler picked {cluster} \
                 again.",
                eviction.meta.name()
            ))
            .why(
                "An eviction does not keep the scheduler away. Only a taint on the MemberCluster \
                  does.",
            )
            .then(format!(
                "{placement} stays on {cluster}. Taint {cluster} first, then create a new eviction."
            ))
            .recover(Recoverability::WaitsForPerson)
            .step(
                taint_command(cluster, member.is_some()),
                format!("keeps the scheduler away from {cluster}, for all placements"),
            );
        if picked.duration_since(done.value) > SOON {
            finding = finding.severity(Severity::Note);
        }
        cx.report(finding);
    }
}

/// Returns when and where the cluster was picked again.
fn picked_after(cx: &Cx<'_>, eviction: &Eviction, done: Timestamp) -> Option<(Timestamp, Span)> {
    let (placement, cluster) = (eviction.placement(), eviction.cluster());
    let bindings = cx.bindings_of("", placement).into_iter().filter(|b| b.cluster() == cluster);
    let mut living = bindings.filter(|binding| {
        binding.meta.deleting.is_none() && binding.state.as_deref() != Some("Unscheduled")
    });
    let made = living.find_map(|binding| binding.meta.created);
    let key = ObjectKey::of(Kind::Placement, "", placement);
    // Without a binding the placement drops the cluster from its status, so any later stamp there tells.
    let status = || {
        let entry = cx.find_placement_by(&key)?.find_cluster(cluster)?;
        let picked = entry.condition("Scheduled").is_some_and(Condition::is_true);
        let stamps = entry.conditions.iter().filter_map(|condition| condition.since);
        stamps.filter(|_| picked).max_by_key(|stamp| stamp.value)
    };
    let picked = made.or_else(status)?;
    (picked.value >= done).then_some((picked.value, picked.span))
}

/// Returns the command that taints a member cluster. A merge patch replaces all taints, so it is only for one without any.
fn taint_command(cluster: &str, has_none: bool) -> Option<Command> {
    let member = ObjectKey::on_hub("MemberCluster", "", cluster);
    if !has_none {
        return edit_command(&member);
    }
    let taint = json!({"key": "drain", "value": "true", "effect": "NoSchedule"});
    merge_command(Risk::Reversible, &member, &json!({"spec": {"taints": [taint]}}))
}
