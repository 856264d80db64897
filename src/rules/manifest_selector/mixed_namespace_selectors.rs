//! FL1411 mixed-namespace-selectors.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::{Placement, ResourceSelector};
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
    for placement in cx.drafts::<Placement>() {
        let manifest = placement.manifest;
        let Some(list) = &placement.selectors.site else { continue };
        let (mode, others): (Vec<&ResourceSelector>, Vec<_>) =
            placement.selectors.iter().filter(|it| is_core(it)).partition(|it| it.is_piecewise());
        let unnamed = mode.iter().find(|it| it.name.as_deref().is_none_or(str::is_empty));
        let mixed = mode.first().and(others.first());
        let faults = [
            ("namespace-selectors-two", mode.get(1), "a second namespace"),
            ("namespace-selector-unnamed", unnamed, "not chosen by name"),
            ("namespace-selectors-mixed", mixed, "beside another mode"),
        ];
        if placement.meta.spec().is_some_and(|spec| manifest.is_ratcheted(&spec.place())) {
            continue;
        }
        for (id, selector, label) in faults {
            let (Some(selector), Some(rule)) = (selector, manifest.server_rule(id)) else {
                continue;
            };
            let finding = MIXED_NAMESPACE_SELECTORS
                .at_field(&list.place().underline(selector.site.place().span), label)
                .message(format!(
                    "{} selects namespaces in a way that is refused",
                    placement.show()
                ))
                .why(&*rule.message);
            cx.report(finding);
        }
    }
}

/// Says whether a selector names the Namespace of the core group, as the server's rule asks.
fn is_core(selector: &ResourceSelector) -> bool {
    selector.is_namespace()
        && selector.group.as_deref() == Some("")
        && selector.version.as_deref() == Some("v1")
}
