//! FL1414 no-such-selected-kind.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::kind::{all_kinds, find_resource, nearest_kind};
use crate::rule::ManifestCx;
use crate::rules::manifest_selector::resource::resource_selectors;

declare_rule! {
    /// A resource selector for a kind that does not exist.
    ///
    /// ## Why it matters
    /// The hub cannot find the kind in that group and version: the webhook of ClusterResourcePlacement refuses
    /// it, a ResourcePlacement fails to select anything.
    ///
    /// ## What to do
    /// Write group, version and kind as `kubectl api-resources` shows them. `version` is without the group, the
    /// kind in the singular with capitals.
    pub static NO_SUCH_SELECTED_KIND = Rule {
        code: "FL1414",
        name: "no-such-selected-kind",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        manifest: no_such_selected_kind,
    }
}

fn no_such_selected_kind(cx: &mut ManifestCx<'_>) {
    for manifest in cx.of(Kind::Placement) {
        for selector in resource_selectors(manifest) {
            let (Some(group), Some(version), Some(name)) =
                (selector.text("group"), selector.text("version"), selector.text("kind"))
            else {
                continue;
            };
            let known = all_kinds().iter().find(|spec| spec.name == name && spec.group == group);
            let place =
                |key: &str| selector.get(key).map_or_else(|| selector.place(), |at| at.place());
            let (place, help) = match known {
                Some(spec) if spec.versions.contains(&version) => continue,
                Some(spec) => {
                    (place("version"), format!("{name} is served as {}", spec.versions.join(", ")))
                }
                // Nobody here knows the kinds of other groups.
                None if !all_kinds().iter().any(|spec| spec.group == group) => continue,
                None => {
                    let elsewhere = all_kinds().iter().find(|spec| spec.name == name);
                    let near =
                        elsewhere.or_else(|| nearest_kind(name)).or_else(|| find_resource(name));
                    let help = near.map_or_else(
                        || "no kind of Kubernetes has this name".to_owned(),
                        |spec| {
                            format!("did you mean kind `{}` in group `{}`?", spec.name, spec.group)
                        },
                    );
                    (place("kind"), help)
                }
            };
            let finding = NO_SUCH_SELECTED_KIND
                .on(&place, "no such kind")
                .layer(cx.hook_layer(manifest))
                .message(format!(
                    "{} {} selects {name} in `{group}/{version}`, which does not exist",
                    manifest.key.kind,
                    manifest.name()
                ))
                .help(help);
            cx.report(finding);
        }
    }
}
