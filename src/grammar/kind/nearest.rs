//! The nearest kind to a misspelt name.

use super::{KindSpec, all_kinds};
use crate::kube::spelling::nearest_name;

/// Finds the one kind whose name is nearest to a misspelt one.
pub fn nearest_kind(misspelt: &str) -> Option<&'static KindSpec> {
    let name = nearest_name(misspelt.trim(), all_kinds().iter().map(|spec| spec.name))?;
    all_kinds().iter().find(|spec| spec.name == name)
}
