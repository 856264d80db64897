//! FL1406 name-and-label.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
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
    for manifest in cx.of(Kind::Placement) {
        let Some(rule) = manifest.server_rule("selector-name-and-label") else { continue };
        let Some(list) = manifest.stored().at(&["spec", "resourceSelectors"]) else { continue };
        if manifest.is_ratcheted(&list.place()) {
            continue;
        }
        for selector in list.items() {
            let name = selector.get("name").filter(|name| name.str() != Some(""));
            let (Some(name), Some(labels)) = (name, selector.get("labelSelector")) else {
                continue;
            };
            let finding = NAME_AND_LABEL
                .on(&selector.place().underline(labels.key_span()), "and by label")
                .also(name.place().span, "selected by name")
                .message(format!(
                    "a resource selector of {} selects by name and by label",
                    manifest.name()
                ))
                .why(&*rule.message);
            cx.report(finding);
        }
    }
}
