//! FL1411 mixed-namespace-selectors.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::At;
use crate::rule::Cx;

declare_rule! {
    /// A namespace selected piece by piece beside another namespace.
    ///
    /// ## Why it matters
    /// In the mode NamespaceWithResourceSelectors a placement works on exactly one namespace, chosen by name;
    /// the API server refuses a second one, a choice by label, and a mixture with other modes.
    ///
    /// ## What to do
    /// Name one namespace in this mode and no other.
    pub static MIXED_NAMESPACE_SELECTORS = Rule {
        code: "FL1411",
        name: "mixed-namespace-selectors",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Placement],
        check: mixed_namespace_selectors,
    }
}

fn mixed_namespace_selectors(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Placement) {
        let Some(list) = manifest.stored().at(&["spec", "resourceSelectors"]) else { continue };
        let namespaces: Vec<_> = list.items().into_iter().filter(is_namespace).collect();
        let (mode, others): (Vec<_>, Vec<_>) = namespaces
            .into_iter()
            .partition(|s| s.text("selectionScope") == Some("NamespaceWithResourceSelectors"));
        let unnamed = |selector: &&At<'_>| selector.text("name").is_none_or(str::is_empty);
        let faults = [
            ("namespace-selectors-two", mode.get(1), "a second namespace"),
            ("namespace-selector-unnamed", mode.iter().find(unnamed), "not chosen by name"),
            ("namespace-selectors-mixed", mode.first().and(others.first()), "beside another mode"),
        ];
        let spec = manifest.stored().get("spec").map(|spec| spec.place());
        if spec.is_some_and(|spec| manifest.is_ratcheted(&spec)) {
            continue;
        }
        for (id, selector, label) in faults {
            let (Some(selector), Some(rule)) = (selector, manifest.server_rule(id)) else {
                continue;
            };
            let finding = MIXED_NAMESPACE_SELECTORS
                .on(&list.place().underline(selector.place().span), label)
                .message(format!(
                    "{} {} selects namespaces in a way that is refused",
                    manifest.key.kind,
                    manifest.name()
                ))
                .why(&*rule.message);
            cx.report(finding);
        }
    }
}

fn is_namespace(selector: &At<'_>) -> bool {
    selector.text("group") == Some("")
        && selector.text("version") == Some("v1")
        && selector.text("kind") == Some("Namespace")
}
