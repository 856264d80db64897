//! FL0651 invalid-eviction.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::key::ObjectKey;
use crate::model::placement::Placement;
use crate::rule::Cx;
use crate::rules::commands::{edit_for, look_at_hub};
use crate::rules::sentence::full_stop;

declare_rule! {
    /// An eviction that the controller calls invalid.
    ///
    /// ## Why it matters
    /// An eviction must name a ClusterResourcePlacement that exists, is not PickFixed, and is placed on the named cluster.
    /// Otherwise it is marked invalid, permanently.
    ///
    /// ## What to do
    /// Create a new eviction with the right names. To take a cluster out of a PickFixed placement, take it out of
    /// `clusterNames`.
    pub static INVALID_EVICTION = Rule {
        code: "FL0651",
        name: "invalid-eviction",
        severity: Severity::Warning,
        reads: &[Kind::Eviction, Kind::Placement],
        check: invalid_eviction,
    }
}

fn invalid_eviction(cx: &mut Cx<'_>) {
    for eviction in cx.evictions() {
        let Some(valid) = eviction.condition("Valid").filter(|c| c.is_false()) else { continue };
        let (name, placement, cluster) =
            (eviction.meta.name(), eviction.placement(), eviction.cluster());
        let said = cx.said_by(valid, &eviction.meta.key.kind);
        let is = |id: MessageId| said.as_ref().is_some_and(|said| said.find(&[id]).is_some());
        let key = ObjectKey::of(Kind::Placement, "", placement);
        let target = cx.find_placement_by(&key);
        let target_name = if placement.is_empty() { "its placement" } else { placement };
        let mut place = eviction.placement.as_ref().map(|text| text.span);
        let mut related = target
            .and_then(|target| target.policy.kind.as_ref())
            .map(|kind| (kind.span, "its type"));
        let (why, help) = if is(id::EVICTION_INVALID_NOCRP) {
            related = None;
            (
                match placement {
                    "" => "the ClusterResourcePlacement that it names does not exist".to_owned(),
                    _ => format!("there is no ClusterResourcePlacement {placement}"),
                },
                "An eviction has to name a ClusterResourcePlacement that exists.",
            )
        } else if is(id::EVICTION_INVALID_PICKFIXED) {
            (
                format!(
                    "{target_name} is PickFixed, and a cluster that its policy names cannot be \
                     evicted"
                ),
                "An eviction takes away what the scheduler chose. A PickFixed policy names its \
                 clusters itself.",
            )
        } else if is(id::EVICTION_INVALID_DELETING) {
            (
                format!("{target_name} is being deleted"),
                "A placement that is being deleted removes everything by itself.",
            )
        } else if is(id::EVICTION_INVALID_NOCRB) {
            place = eviction.cluster.as_ref().map(|text| text.span);
            related = None;
            (
                format!(
                    "{target_name} is not placed on {}",
                    if cluster.is_empty() { "the cluster that it names" } else { cluster }
                ),
                "An eviction has to name a cluster that the placement is on.",
            )
        } else if valid.message().is_empty() {
            let show = look_at_hub().words("describe").object(&eviction.meta.key).build();
            cx.ask(show, format!("why eviction {name} is invalid"));
            ("the row does not show why".to_owned(), "The controller checks an eviction once.")
        } else {
            (valid.message().to_owned(), "The controller checks an eviction once.")
        };
        let what = match placement {
            "" => String::new(),
            _ => format!(" of {placement} from {cluster}"),
        };
        let called = if cluster.is_empty() { "the cluster" } else { cluster };
        let then = if is(id::EVICTION_INVALID_PICKFIXED) {
            let external = target.is_some_and(Placement::is_external);
            let run = if external { " and a run has removed it" } else { "" };
            format!(
                "Evictions are not retried. {target_name} leaves {called} once clusterNames no \
                 longer names it{run}."
            )
        } else if is(id::EVICTION_INVALID_DELETING) {
            "Evictions are not retried. No new one is needed.".to_owned()
        } else {
            "Evictions are not retried. Create a new one, under another name, with the right \
             names in it."
                .to_owned()
        };
        let look = look_at_hub().words("get clusterresourceplacements");
        let step = if is(id::EVICTION_INVALID_PICKFIXED) && !placement.is_empty() {
            edit_for(&key, format!("opens it to take {called} out of spec.policy.clusterNames"))
        } else if is(id::EVICTION_INVALID_NOCRB) && !placement.is_empty() {
            let look = look_at_hub().words("get").object(&key).words("-o yaml");
            look.effect("lists the clusters that it is on, under placementStatuses").build()
        } else if is(id::EVICTION_INVALID_DELETING) {
            None
        } else {
            look.effect("lists the placements that exist").build()
        };
        let label = if place.is_some() { "invalid because of this" } else { "not valid" };
        let finding = INVALID_EVICTION
            .at(place.unwrap_or_else(|| valid.best_span()), label)
            .also_at(place.map(|_| valid.best_span()), "the verdict of the controller");
        let finding = match related {
            Some((span, label)) => finding.also(span, label),
            None => finding,
        };
        cx.report(
            finding
                .message(full_stop(&format!("{}{what} is invalid: {why}", eviction.show())))
                .why(help)
                .then(then)
                .recover(Recoverability::WaitsForPerson)
                .command(step),
        );
    }
}
