//! FL0634 override-without-cluster.

use crate::declare_rule;
use crate::facts::override_targets::applies;
use crate::finding::{Certainty, Finding, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::graph::Listing;
use crate::model::cluster::MemberCluster;
use crate::model::overrides::{Override, OverrideRule};
use crate::model::placement::PerCluster;
use crate::rule::Cx;
use crate::rules::commands::edit_command;

declare_rule! {
    /// An override whose rules match no cluster.
    ///
    /// ## Why it matters
    /// The rules of an override choose clusters by label. A rule without a cluster selector applies to none; one with an
    /// empty list of terms applies to all. If no rule matches any cluster the override is ignored silently.
    ///
    /// ## What to do
    /// Correct the labels in the rule's cluster selector, or label the member clusters.
    pub static OVERRIDE_WITHOUT_CLUSTER = Rule {
        code: "FL0634",
        name: "override-without-cluster",
        severity: Severity::Warning,
        reads: &[Kind::Override, Kind::MemberCluster, Kind::Placement],
        check: override_without_cluster,
    }
}

fn override_without_cluster(cx: &mut Cx<'_>) {
    let members = cx.members();
    let whole = cx.listing("MemberCluster", "") == Listing::All;
    let partial = members.iter().any(|member| member.meta.partial);
    if members.is_empty() || partial {
        return;
    }
    for item in cx.overrides().iter().filter(|item| item.meta.deleting.is_none()) {
        let reaches = |member: &MemberCluster| item.rules.iter().any(|rule| applies(rule, member));
        if item.meta.partial || item.rules.is_empty() {
            continue;
        }
        let placements = cx.override_targets(item);
        let placed = |member: &MemberCluster| {
            placements.iter().any(|placement| placement.find_cluster(member.meta.name()).is_some())
        };
        // Without a list of the members, those of the placement are enough.
        let named = placements.iter().flat_map(|placement| &placement.clusters);
        let mut named = named.map(PerCluster::name).filter(|name| !name.is_empty()).peekable();
        let placed_seen =
            named.peek().is_some() && named.all(|name| cx.find_member(name).is_some());
        if !whole && !placed_seen {
            continue;
        }
        let anywhere = members.iter().any(reaches);
        // Without a placement in the bundle nothing is known about where it counts.
        let here =
            placements.is_empty() || members.iter().any(|member| placed(member) && reaches(member));
        if anywhere && (here || !members.iter().any(placed)) {
            continue;
        }
        let finding = describe(item, members, anywhere);
        let certainty = if whole { Certainty::Shown } else { Certainty::Likely };
        cx.report(finding.certainty(certainty));
    }
}

fn describe(item: &Override, members: &[MemberCluster], anywhere: bool) -> Finding {
    let terms: Vec<_> =
        item.rules.iter().filter_map(OverrideRule::label_selectors).flatten().collect();
    let wanted: Vec<String> = terms.iter().map(|term| term.show().join(" and ")).collect();
    let what = if wanted.is_empty() {
        "Its rules have no cluster selector, which means no cluster".to_owned()
    } else {
        let where_to = if anywhere {
            "no cluster of its placement matches"
        } else {
            "no member cluster matches"
        };
        format!("It is for clusters with {}, and {where_to}", wanted.join(" or "))
    };
    let place = terms.first().and_then(|term| term.places().into_iter().next());
    let place = place
        .or_else(|| item.rules.first().map(|rule| rule.site.span))
        .unwrap_or(item.meta.name_span);
    let mut finding = OVERRIDE_WITHOUT_CLUSTER
        .at(place, "no cluster has this")
        .message(format!("Override {} has no effect. {what}.", item.meta.name()))
        .why(
            "A rule of an override chooses clusters by label. The hub agent silently skips an \
              override that reaches no cluster.",
        )
        .then(
            "The corrected override is used by the next rollout: at once with RollingUpdate, \
               with the next run for External.",
        )
        .recover(Recoverability::ResumesAfterRepair)
        .step(edit_command(&item.meta.key), "opens it to correct the cluster selector");
    let near = members.iter().flat_map(|member| {
        let unmet = terms.iter().flat_map(|term| term.unmet(&member.meta.labels));
        unmet.filter_map(move |(_, _, has)| Some((member, has?)))
    });
    for (member, has) in near.take(4) {
        finding = finding.also(has.span, format!("{} has {}", member.meta.name(), &**has));
    }
    if anywhere {
        finding = finding.severity(Severity::Note);
    }
    finding
}
