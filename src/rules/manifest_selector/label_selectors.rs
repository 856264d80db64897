//! The label selectors that are judged: those of stages, of placements and of overrides.

use crate::grammar::kind::Kind;
use crate::manifest::Manifest;
use crate::model::selector::LabelSelector;
use crate::rule::Cx;

/// Returns them with the manifests they stand in.
pub fn judged_selectors<'g>(cx: &Cx<'g>) -> Vec<(&'g Manifest, LabelSelector)> {
    let families = [Kind::Strategy, Kind::Placement, Kind::Override];
    let manifests = families.into_iter().flat_map(|family| cx.of(family));
    let selectors = manifests.flat_map(|manifest| {
        manifest.label_selectors().into_iter().map(move |selector| (manifest, selector))
    });
    selectors.collect()
}
