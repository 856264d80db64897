//! The resource selectors of a placement, as its rules walk over them.

use crate::grammar::kind::{KindSpec, all_kinds};
use crate::manifest::{At, Manifest};

/// Returns the resource selectors that would be stored.
pub fn resource_selectors(manifest: &Manifest) -> Vec<At<'_>> {
    let list = manifest.stored().at(&["spec", "resourceSelectors"]);
    list.map(|list| list.items()).unwrap_or_default()
}

/// Finds the kind that a selector names, if it is one of Kubernetes' or KubeFleet's own.
pub fn kind_of(selector: &At<'_>) -> Option<&'static KindSpec> {
    let (group, name) = (selector.text("group")?, selector.text("kind")?);
    all_kinds().iter().find(|spec| spec.name == name && spec.group == group)
}

/// Says whether a selector opens a namespace for further selectors.
pub fn is_piecewise(selector: &At<'_>) -> bool {
    selector.text("group") == Some("")
        && selector.text("kind") == Some("Namespace")
        && selector.text("selectionScope") == Some("NamespaceWithResourceSelectors")
}
