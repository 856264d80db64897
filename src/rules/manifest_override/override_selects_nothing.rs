//! FL1516 override-selects-nothing.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::{Draft, Manifest};
use crate::model::envelope::Envelope;
use crate::model::overrides::Override;
use crate::model::placement::{Placement, ResourceSelector};
use crate::rule::Cx;

declare_rule! {
    /// An override of an object that no placement of the repository selects.
    ///
    /// ## Why it matters
    /// It has no effect.
    ///
    /// ## What to do
    /// Correct the selector, or place the object.
    pub static OVERRIDE_SELECTS_NOTHING = Rule {
        code: "FL1516",
        name: "override-selects-nothing",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Override, Kind::Placement, Kind::Envelope],
        check: override_selects_nothing,
    }
}

fn override_selects_nothing(cx: &mut Cx<'_>) {
    let placements: Vec<_> = cx.repository().all::<Placement>().collect();
    if !cx.knows_surroundings() {
        return;
    }
    for item in cx.drafts::<Override>().filter(|_| !placements.is_empty()) {
        let manifest = item.manifest;
        for selector in &item.selectors {
            let selected = placements.iter().any(|placement| covers(placement, manifest, selector))
                || cx.repository().all::<Envelope>().any(|it| wraps(&it, manifest, selector));
            if selected {
                continue;
            }
            let finding = OVERRIDE_SELECTS_NOTHING
                .at_field(&selector.site.place(), "no placement here selects it")
                .message(format!(
                    "{} overrides {} {}, which no placement here selects",
                    item.show(),
                    selector.kind.as_deref().unwrap_or_default(),
                    selector.name.as_deref().unwrap_or_default()
                ))
                .why("an override works on objects that are placed");
            cx.report(cx.unless_elsewhere(finding));
        }
    }
}

/// Says whether a placement may select what an override selects.
fn covers(
    placement: &Draft<'_, Placement>,
    manifest: &Manifest,
    wanted: &ResourceSelector,
) -> bool {
    let type_of = |it: &ResourceSelector| {
        [&it.group, &it.version, &it.kind].map(|text| text.as_deref().map(str::to_owned))
    };
    placement.selectors.iter().any(|selector| {
        let alike = type_of(selector) == type_of(wanted)
            && wanted.name.as_deref().is_some_and(|name| selector.takes_name(name));
        match (manifest.is_cluster_scoped(), placement.manifest.is_cluster_scoped()) {
            (true, wide) => wide && alike,
            (false, true) => {
                selector.is_namespace() && selector.takes_name(&manifest.key.namespace)
            }
            (false, false) => placement.manifest.key.namespace == manifest.key.namespace && alike,
        }
    })
}

/// Says whether an envelope holds what an override selects; it is overridden inside the envelope.
fn wraps(envelope: &Draft<'_, Envelope>, manifest: &Manifest, wanted: &ResourceSelector) -> bool {
    let (group, version) = (wanted.group.as_deref(), wanted.version.as_deref().unwrap_or_default());
    let api_version = match group {
        None | Some("") => version.to_owned(),
        Some(group) => format!("{group}/{version}"),
    };
    envelope.manifest.key.namespace == manifest.key.namespace
        && envelope.entries.iter().any(|entry| {
            entry.api_version.as_deref() == Some(&api_version)
                && entry.kind.as_deref() == wanted.kind.as_deref()
                && entry.name.as_deref() == wanted.name.as_deref()
        })
}
