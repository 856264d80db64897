//! FL1414 no-such-selected-kind.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::kind::{
    CLUSTER_GROUP, KindSpec, PLACEMENT_GROUP, all_kinds, find_resource, nearest_kind,
};
use crate::kube::names::{label_name_trouble, subdomain_trouble};
use crate::manifest::{Repository, Surroundings};
use crate::model::placement::Placement;
use crate::rule::Cx;

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
        check: no_such_selected_kind,
    }
}

fn no_such_selected_kind(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        for selector in &placement.selectors {
            let (Some(group), Some(version), Some(name)) =
                (&selector.group, &selector.version, &selector.kind)
            else {
                continue;
            };
            let places = [("group", group), ("version", version), ("kind", name)];
            let (group, version, name) = (&**group, &**version, &**name);
            let unknown = trouble(group, version, name).map(|found| (found, "does not exist"));
            let found = unknown.or_else(|| {
                let found = undefined(cx.repository(), group, version, name)?;
                Some((found, "no file here defines"))
            });
            let Some(((key, help), what)) = found else { continue };
            let place = places.iter().find(|(own, _)| *own == key).map(|(_, text)| text.place());
            let place = place.unwrap_or_else(|| selector.site.place());
            let finding = NO_SUCH_SELECTED_KIND
                .at_field(&place, "no such kind")
                .layer(cx.hook_layer(placement.manifest))
                .message(format!(
                    "{} selects {name} in `{group}/{version}`, which {what}",
                    placement.show()
                ))
                .hint(help);
            cx.report(finding);
        }
    }
}

/// Finds the key of a selector that no hub can resolve, and what to say about it.
fn trouble(group: &str, version: &str, name: &str) -> Option<(&'static str, String)> {
    let known = all_kinds().iter().find(|spec| spec.name == name && spec.group == group);
    if let Some(spec) = known {
        let served = spec.versions.contains(&version);
        return (!served)
            .then(|| ("version", format!("{name} is served as {}", spec.versions.join(", "))));
    }
    if all_kinds().iter().any(|spec| spec.group == group) {
        // Kinds come and go between the releases of Kubernetes as long as they are on trial.
        let on_trial = version.contains("alpha") || version.contains("beta");
        let may_be_new = on_trial
            && ![PLACEMENT_GROUP, CLUSTER_GROUP].contains(&group)
            && !GIVEN_UP.contains(&name)
            && find_meant(name).is_none();
        return (!may_be_new).then(|| ("kind", meant(name)));
    }
    // Nobody here knows the kinds of other groups, but no definition can have such names.
    if !group.contains('.') {
        return Some(("group", meant(name)));
    }
    if subdomain_trouble(group).is_some() {
        let help = "a group is a DNS name like `example.com`, without the version";
        return Some(("group", help.to_owned()));
    }
    if let Some(trouble) = label_name_trouble(version) {
        return Some(("version", format!("a version is a word like `v1`: {trouble}")));
    }
    let trouble = label_name_trouble(&name.to_ascii_lowercase())?;
    Some(("kind", format!("a kind is one word: {trouble}")))
}

/// Finds the key of a selector for a custom kind that the files show not to be there.
fn undefined(
    repository: &Repository,
    group: &str,
    version: &str,
    name: &str,
) -> Option<(&'static str, String)> {
    if all_kinds().iter().any(|spec| spec.group == group) {
        return None;
    }
    if let Some(definition) = repository.find_definition(group, name) {
        let served = definition.versions.iter().any(|known| **known == *version);
        let help = format!("its definition serves {}", definition.versions.join(", "));
        return (!served && !definition.versions.is_empty()).then_some(("version", help));
    }
    let stored = repository.setting.surroundings == Surroundings::Stored;
    let lacks = stored && !repository.definitions.is_empty();
    lacks.then(|| ("kind", "no CustomResourceDefinition here defines it".to_owned()))
}

/// Kinds that Kubernetes gave up before they left their trial.
const GIVEN_UP: [&str; 2] = ["PodSecurityPolicy", "PodPreset"];

/// Finds the kind that a name probably means: of another group, misspelt, or as kubectl calls it.
fn find_meant(name: &str) -> Option<&'static KindSpec> {
    let elsewhere = all_kinds().iter().find(|spec| spec.name == name);
    elsewhere.or_else(|| nearest_kind(name)).or_else(|| find_resource(name))
}

fn meant(name: &str) -> String {
    find_meant(name).map_or_else(
        || "no kind of Kubernetes has this name".to_owned(),
        |spec| format!("did you mean kind `{}` in group `{}`?", spec.name, group_of(spec)),
    )
}

/// Writes the group of a kind as a manifest has it.
fn group_of(spec: &KindSpec) -> &str {
    if spec.group.is_empty() { "\"\"" } else { spec.group }
}
