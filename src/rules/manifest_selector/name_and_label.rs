//! FL1406 name-and-label.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A resource selector with both a name and a label selector.
    ///
    /// ## Why it matters
    /// Either one object is named or several are selected; the API server refuses both together.
    ///
    /// ## What to do
    /// Remove one of the two, or write two selectors.
    pub static NAME_AND_LABEL = Rule {
        code: "FL1406",
        name: "name-and-label",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Placement],
        check: name_and_label,
    }
}

fn name_and_label(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let manifest = placement.manifest;
        let Some(rule) = manifest.server_rule("selector-name-and-label") else { continue };
        let Some(list) = &placement.selectors.site else { continue };
        if manifest.is_ratcheted(&list.place()) {
            continue;
        }
        for selector in &placement.selectors {
            let name = selector.name.as_ref().filter(|name| !name.is_empty());
            let (Some(name), Some(labels)) = (name, &selector.labels) else { continue };
            let by_label = labels.site.key_place().span;
            let finding = NAME_AND_LABEL
                .at_field(&selector.site.place().underline(by_label), "and by label")
                .also(name.place().span, "selected by name")
                .message(format!(
                    "a resource selector of {} selects by name and by label",
                    placement.name()
                ))
                .why(&*rule.message);
            cx.report(finding);
        }
    }
}
