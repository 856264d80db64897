//! FL1706 eviction-target.

use crate::declare_rule;
use crate::finding::{Finding, Layer, Severity};
use crate::grammar::kind::Kind;
use crate::kube::spelling::nearest_name;
use crate::manifest::members::DescribedMember;
use crate::manifest::{Draft, Surroundings};
use crate::model::eviction::Eviction;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// An eviction whose placement or cluster cannot be evicted.
    ///
    /// ## Why it matters
    /// An eviction is judged once and for all: a placement that is not there yet, one with PickFixed, or a
    /// cluster that is not picked makes it invalid for good. The webhook refuses PickFixed.
    ///
    /// ## What to do
    /// Make the eviction after its placement, and only for clusters that are picked.
    pub static EVICTION_TARGET = Rule {
        code: "FL1706",
        name: "eviction-target",
        severity: Severity::Warning,
        layer: Layer::Controller,
        reads: &[Kind::Eviction, Kind::Placement, Kind::MemberCluster],
        check: eviction_target,
    }
}

fn eviction_target(cx: &mut Cx<'_>) {
    let members = cx.repository().fleet();
    for eviction in cx.drafts::<Eviction>() {
        let manifest = eviction.manifest;
        let Some(name) = &eviction.placement else { continue };
        let text = &**name;
        let placement = cx.repository().find("ClusterResourcePlacement", "", text);
        let finding = match placement {
            None => cx
                .missing(EVICTION_TARGET.at_field(&name.place(), "not among these manifests"))
                .message(format!(
                    "the placement {text} of eviction {} is not found here",
                    manifest.name()
                ))
                .why(
                    "if it does not exist when the eviction is made, the eviction is invalid \
                     permanently",
                )
                .meant(cx.repository().nearest(
                    manifest.span,
                    "ClusterResourcePlacement",
                    "",
                    text,
                )),
            Some(placement) => {
                let leaving = placement.written().at(&["metadata", "deletionTimestamp"]);
                let typed = Draft::<Placement>::of(placement);
                let fixed = typed.is_some_and(|it| it.policy.kind() == "PickFixed");
                let together = cx.repository().is_together(manifest.span, placement.span);
                // What git keeps as being deleted is a copy of what once was.
                let stored = cx.repository().setting.surroundings == Surroundings::Stored;
                if let Some(leaving) = leaving.filter(|_| stored) {
                    let finding = EVICTION_TARGET
                        .at_field(&name.place(), "is being deleted")
                        .also(leaving.place().span, "since this time")
                        .severity(Severity::Error)
                        .layer(cx.hook_layer(manifest))
                        .message(format!(
                            "eviction {} is for {text}, which is being deleted",
                            manifest.name()
                        ))
                        .why("the webhook refuses evictions of a placement that is being deleted");
                    cx.report(finding);
                    continue;
                }
                if !fixed || !together {
                    let finding = no_member(&eviction, &members);
                    finding.into_iter().for_each(|finding| cx.report(finding));
                    continue;
                }
                EVICTION_TARGET
                    .at_field(&name.place(), "picks fixed clusters")
                    .also(placement.name_place().span, "this placement")
                    .severity(Severity::Error)
                    .layer(cx.hook_layer(manifest))
                    .message(format!(
                        "eviction {} is for {text}, which is PickFixed",
                        manifest.name()
                    ))
                    .why("clusters of a PickFixed placement are taken out of its list instead")
            }
        };
        cx.report(finding);
    }
}

/// Finds a cluster that is none of the members. Whether a member is picked cannot be told: a taint that
/// came later keeps nobody, and is what one sets before an eviction.
fn no_member(eviction: &Draft<'_, Eviction>, members: &[DescribedMember<'_>]) -> Option<Finding> {
    let cluster = eviction.cluster.as_ref()?;
    let name = Some(&**cluster).filter(|name| !name.is_empty() && !members.is_empty())?;
    let known = members.iter().any(|member| member.name == name);
    (!known).then(|| {
        EVICTION_TARGET
            .at_field(&cluster.place(), "no such member here")
            .message(format!(
                "cluster {name} of eviction {} is not among the members",
                eviction.name()
            ))
            .why("an eviction of a cluster that is not picked is invalid permanently")
            .meant(nearest_name(name, members.iter().map(|member| member.name)))
    })
}
