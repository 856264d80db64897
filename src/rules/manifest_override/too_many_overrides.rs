//! FL1521 too-many-overrides.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::{FileRole, Manifest, Operation};
use crate::rule::Cx;
use std::collections::BTreeMap;

declare_rule! {
    /// More overrides than a hub takes.
    ///
    /// ## Why it matters
    /// The webhooks take at most 100 ClusterResourceOverrides, and 100 ResourceOverrides in a namespace; the next is
    /// refused.
    ///
    /// ## What to do
    /// Merge overrides: one may select 20 objects.
    pub static TOO_MANY_OVERRIDES = Rule {
        code: "FL1521",
        name: "too-many-overrides",
        severity: Severity::Error,
        layer: Layer::Webhook,
        reads: &[Kind::Override],
        check: too_many_overrides,
    }
}

/// How many the webhook takes.
const MOST: usize = 100;

fn too_many_overrides(cx: &mut Cx<'_>) {
    if !cx.has_webhooks() {
        return;
    }
    let repository = cx.repository();
    let mut groups: BTreeMap<(&str, &str), Vec<&Manifest>> = BTreeMap::new();
    for manifest in repository.of(Kind::Override) {
        let group = groups.entry((&manifest.key.kind, &manifest.key.namespace)).or_default();
        if !group.iter().any(|known| known.key == manifest.key) {
            group.push(manifest);
        }
    }
    for mut group in groups.into_values().filter(|group| group.len() > MOST) {
        let further = group.iter().rev().find(|manifest| {
            manifest.role == FileRole::Judged && manifest.operation() == Operation::Create
        });
        let Some(&manifest) = further else { continue };
        group.retain(|other| repository.is_together(manifest.span, other.span));
        if group.len() <= MOST {
            continue;
        }
        let finding = TOO_MANY_OVERRIDES
            .at_field(&manifest.name_place(), "one of them is too many")
            .message(format!(
                "there are {} {}s, a hub takes {MOST}",
                group.len(),
                manifest.key.kind
            ))
            .why(
                "the webhook refuses the next one once there are 100; for \
                 ResourceOverrides per namespace",
            );
        cx.report(finding);
    }
}
