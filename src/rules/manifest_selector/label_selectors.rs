//! The resource selectors of a placement, as its rules walk over them.

use crate::manifest::{At, Manifest};

/// Returns the resource selectors that would be stored.
pub fn resource_selectors(manifest: &Manifest) -> Vec<At<'_>> {
    let list = manifest.stored().at(&["spec", "resourceSelectors"]);
    list.map(|list| list.items()).unwrap_or_default()
}
