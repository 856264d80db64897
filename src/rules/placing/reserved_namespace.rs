//! FL0616 reserved-namespace.

use crate::declare_rule;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::edit_command;
use crate::rules::placing::selection::{RESERVED, place_of, rejections};

declare_rule! {
    /// A placement that selects a namespace which cannot be placed.
    ///
    /// ## Why it matters
    /// Namespaces that begin with `kube-` or `fleet-` are never propagated. The controller refuses the whole selection:
    /// nothing is scheduled.
    ///
    /// ## What to do
    /// Put the objects into a namespace of their own.
    pub static RESERVED_NAMESPACE = Rule {
        code: "FL0616",
        name: "reserved-namespace",
        severity: Severity::Error,
        reads: &[Kind::Placement],
        check: reserved_namespace,
    }
}

fn reserved_namespace(cx: &mut Cx<'_>) {
    for rejection in rejections(cx) {
        let Some(phrase) = rejection.said.find(RESERVED) else { continue };
        let key = &rejection.placement.meta.key;
        let namespace = phrase.get("namespace").unwrap_or("?");
        let selector = rejection.find_selector("Namespace", Some(namespace));
        let place = selector.map(|selector| (place_of(selector), "reserved"));
        let finding = rejection
            .tell(cx, &RESERVED_NAMESPACE, &phrase, place)
            .message(format!("{key} selects namespace {namespace}, which is reserved, so its selectors are refused and nothing is scheduled"))
            .why("namespaces that begin with kube- or fleet- are never propagated; put the objects into a namespace of their own")
            .command(edit_command(key));
        cx.report(finding);
    }
}
