//! The parts of an override, as its rules walk over them.

use crate::manifest::{At, Manifest};

/// Returns the rules that would be stored.
pub fn override_rules(manifest: &Manifest) -> Vec<At<'_>> {
    let rules = manifest.stored().at(&["spec", "policy", "overrideRules"]);
    rules.map(|rules| rules.items()).unwrap_or_default()
}

/// Returns the patches of all rules.
pub fn patches(manifest: &Manifest) -> Vec<At<'_>> {
    override_rules(manifest).iter().flat_map(|rule| rule.list("jsonPatchOverrides")).collect()
}

/// Returns the selectors of the objects that are overridden.
pub fn selectors(manifest: &Manifest) -> Vec<At<'_>> {
    let key =
        if manifest.is_cluster_scoped() { "clusterResourceSelectors" } else { "resourceSelectors" };
    let list = manifest.stored().at(&["spec", key]);
    list.map(|list| list.items()).unwrap_or_default()
}
