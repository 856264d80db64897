//! The cluster selector terms of a placement, as its rules walk over them.

use crate::manifest::{At, Manifest};

/// What a term is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Which clusters are allowed.
    Required,
    /// Which clusters are better.
    Preferred,
}

/// Returns all terms with what they are for.
pub fn cluster_terms(manifest: &Manifest) -> Vec<(At<'_>, Side)> {
    let affinity = manifest.stored().at(&["spec", "policy", "affinity", "clusterAffinity"]);
    let Some(affinity) = affinity else { return Vec::new() };
    let required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution");
    let required = required.map(|required| required.list("clusterSelectorTerms"));
    let preferred = affinity.list("preferredDuringSchedulingIgnoredDuringExecution");
    let mut terms: Vec<_> =
        required.unwrap_or_default().into_iter().map(|term| (term, Side::Required)).collect();
    let preferences = preferred.iter().filter_map(|item| item.get("preference"));
    terms.extend(preferences.map(|term| (term, Side::Preferred)));
    terms
}

/// Returns the property requirements of a term.
pub fn requirements<'m>(term: &At<'m>) -> Vec<At<'m>> {
    let selector = term.get("propertySelector");
    selector.map(|selector| selector.list("matchExpressions")).unwrap_or_default()
}
