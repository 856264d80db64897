//! FL1516 override-selects-nothing.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::{At, Manifest};
use crate::rule::Cx;
use crate::rules::manifest_override::part::selectors;
use crate::rules::manifest_selector::resource::resource_selectors;

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
    let placements: Vec<_> = cx.repository().of(Kind::Placement).collect();
    if !cx.knows_surroundings() {
        return;
    }
    for manifest in cx.of(Kind::Override).filter(|_| !placements.is_empty()) {
        for selector in selectors(manifest) {
            let selected =
                placements.iter().any(|placement| covers(placement, manifest, &selector))
                    || cx.repository().of(Kind::Envelope).any(|it| wraps(it, manifest, &selector));
            if selected {
                continue;
            }
            let finding = OVERRIDE_SELECTS_NOTHING
                .on(&selector.place(), "no placement here selects it")
                .message(format!(
                    "{} {} overrides {} {}, which no placement here selects",
                    manifest.key.kind,
                    manifest.name(),
                    selector.text("kind").unwrap_or_default(),
                    selector.text("name").unwrap_or_default()
                ))
                .why("an override works on objects that are placed");
            cx.report(cx.unless_elsewhere(finding));
        }
    }
}

/// Says whether a placement may select what an override selects.
fn covers(placement: &Manifest, manifest: &Manifest, wanted: &At<'_>) -> bool {
    resource_selectors(placement).iter().any(|selector| {
        let alike =
            ["group", "version", "kind"].iter().all(|key| selector.text(key) == wanted.text(key));
        let named =
            |name: &str| selector.text("name").is_none_or(|text| text.is_empty() || text == name);
        if manifest.is_cluster_scoped() {
            return placement.is_cluster_scoped()
                && alike
                && wanted.text("name").is_some_and(named);
        }
        if placement.is_cluster_scoped() {
            return selector.text("kind") == Some("Namespace") && named(&manifest.key.namespace);
        }
        placement.key.namespace == manifest.key.namespace
            && alike
            && wanted.text("name").is_some_and(named)
    })
}

/// Says whether an envelope holds what an override selects; it is overridden inside the envelope.
fn wraps(envelope: &Manifest, manifest: &Manifest, wanted: &At<'_>) -> bool {
    let (group, version) = (wanted.text("group"), wanted.text("version").unwrap_or_default());
    let api_version = match group {
        None | Some("") => version.to_owned(),
        Some(group) => format!("{group}/{version}"),
    };
    let entries = envelope.stored().get("data").map(|data| data.entries()).unwrap_or_default();
    envelope.key.namespace == manifest.key.namespace
        && entries.iter().any(|(_, entry)| {
            entry.text("apiVersion") == Some(&api_version)
                && entry.text("kind") == wanted.text("kind")
                && entry.at(&["metadata", "name"]).and_then(|name| name.str())
                    == wanted.text("name")
        })
}
