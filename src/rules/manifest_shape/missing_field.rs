//! FL1010 missing-field.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::all_kinds;
use crate::manifest::{FaultKind, Manifest};
use crate::rule::Cx;
use crate::syntax::edit::{NewValue, TextEdit};

declare_rule! {
    /// A required key that is not there.
    ///
    /// ## Why it matters
    /// The API server refuses the object. A key with nothing behind it counts as absent. The mutating webhook of
    /// a hub writes some keys of a ClusterResourcePlacement by itself, empty: those are warnings, since the object
    /// is refused as soon as the webhook is off or down.
    ///
    /// ## What to do
    /// Add the key. For objects of the core group `group` is required too: write `group: ""`.
    pub static MISSING_FIELD = Rule {
        code: "FL1010",
        name: "missing-field",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: missing_field,
    }
}

fn missing_field(cx: &mut Cx<'_>) {
    for (manifest, fault) in cx.faults() {
        let field = &fault.place.path.field;
        let fix = core_group(manifest, &fault.place.path.pointer);
        let key =
            match &fault.kind {
                FaultKind::MissingField(key) => key,
                FaultKind::FilledIn(key) => {
                    let finding = MISSING_FIELD
                    .at_field(&fault.place, format!("`{key}` is missing here"))
                    .severity(Severity::Warning)
                    .layer(Layer::Advice)
                    .message(format!("{field} is left to the hub's webhook, which makes it empty"))
                    .why("the API server alone refuses this, and so does a hub while its webhook \
                         is down")
                    .fix(Safety::Safe, fix);
                    cx.report(finding);
                    continue;
                }
                _ => continue,
            };
        let help = match key.as_str() {
            "group" => "write `group: \"\"` for the core group",
            "name" => "every object needs a name",
            _ => "a key with nothing behind it counts as absent",
        };
        let finding = MISSING_FIELD
            .at_field(&fault.place, format!("`{key}` is missing here"))
            .message(format!("{field} is required"))
            .why(help)
            .fix(Safety::Safe, fix);
        cx.report(finding);
    }
}

/// Adds the empty group to a selector of a kind that the core group alone has.
fn core_group(manifest: &Manifest, pointer: &str) -> Option<TextEdit> {
    let selector = pointer.strip_suffix("/group")?;
    let named = |key: &str| manifest.text_below(selector, key).unwrap_or_default();
    let mut homes = all_kinds().iter().filter(|spec| spec.name == named("kind"));
    let core = homes
        .next()
        .is_some_and(|spec| spec.group.is_empty() && spec.versions.contains(&named("version")));
    let only = homes.next().is_none();
    if core && only {
        manifest.insert(selector, "", "group", NewValue::Text(String::new()))
    } else {
        None
    }
}
