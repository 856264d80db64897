//! The stages of a strategy, as its rules walk over them.

use crate::manifest::{At, Manifest};

/// Returns the stages that would be stored.
pub fn stages(manifest: &Manifest) -> Vec<At<'_>> {
    manifest.stored().at(&["spec", "stages"]).map(|stages| stages.items()).unwrap_or_default()
}
