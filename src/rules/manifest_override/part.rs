//! The parts of an override, as its rules walk over them.

use crate::manifest::{At, Manifest};

/// Returns the selectors of the objects that are overridden.
pub fn selectors(manifest: &Manifest) -> Vec<At<'_>> {
    let key =
        if manifest.is_cluster_scoped() { "clusterResourceSelectors" } else { "resourceSelectors" };
    let list = manifest.stored().at(&["spec", key]);
    list.map(|list| list.items()).unwrap_or_default()
}
