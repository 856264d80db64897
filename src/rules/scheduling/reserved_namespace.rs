//! FL0616 reserved-namespace.

use crate::declare_rule;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::edit_command;
use crate::rules::scheduling::selector_finding::{RESERVED, finding_for_selector};

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
    for rejection in cx.refused_selections() {
        let Some(phrase) = rejection.said.find(RESERVED) else { continue };
        let key = &rejection.placement.meta.key;
        let namespace = phrase.get("namespace").unwrap_or("?");
        let selector = rejection.find_selector("Namespace", Some(namespace));
        let place = selector.map(|selector| (selector.place(), "reserved"));
        let finding = finding_for_selector(rejection, cx, &RESERVED_NAMESPACE, &phrase, place)
            .message(format!(
                "{key} selects namespace {namespace}, which is reserved, so nothing is scheduled."
            ))
            .why(
                "Namespaces that begin with kube- or fleet- are never placed. The controller \
                  refuses all selectors of the placement with this one.",
            )
            .hint("Put the objects into a namespace of their own.")
            .step(edit_command(key), "opens it to remove the selector");
        cx.report(finding);
    }
}
