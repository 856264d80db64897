//! What an override applies to: its placements, their resources, their clusters.

use crate::graph::Graph;
use crate::model::cluster::MemberCluster;
use crate::model::overrides::{Override, OverrideRule};
use crate::model::placement::{Placement, ResourceId, ResourceSelector};

/// Returns the placements that an override is for: the one it names, else all that may select its objects.
pub(crate) fn targets<'g>(graph: &'g Graph, item: &Override) -> Vec<&'g Placement> {
    let lives = |placement: &&Placement| placement.meta.deleting.is_none();
    if let Some(name) = &item.placement {
        let (kind, namespace) = item.target_scope();
        let named = graph.placements.all_named(namespace, name);
        return named.filter(|it| &*it.meta.key.kind == kind).filter(lives).collect();
    }
    let may_select = |placement: &&Placement| {
        placement.meta.is_cluster_scoped() || placement.meta.namespace() == item.meta.namespace()
    };
    graph.placements.iter().filter(may_select).filter(lives).collect()
}

/// Says whether an override selects a resource.
pub fn selects(item: &Override, selector: &ResourceSelector, found: &ResourceId) -> bool {
    let same = |left: &Option<_>, right: &Option<_>| {
        let text = |text: &Option<crate::model::read::Text>| {
            text.as_deref().unwrap_or_default().to_owned()
        };
        text(left) == text(right)
    };
    let namespace = found.namespace.as_deref().unwrap_or_default();
    same(&selector.kind, &found.kind)
        && same(&selector.group, &found.group)
        && same(&selector.name, &found.name)
        && namespace == item.meta.namespace()
}

/// Says whether a rule applies to a member; without a cluster selector it applies to none.
pub fn applies(rule: &OverrideRule, member: &MemberCluster) -> bool {
    rule.label_selectors().is_some_and(|terms| {
        terms.is_empty() || terms.iter().any(|term| term.matches(&member.meta.labels))
    })
}
