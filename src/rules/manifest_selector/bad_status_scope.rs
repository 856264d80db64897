//! FL1412 bad-status-scope.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::Manifest;
use crate::rule::Cx;

declare_rule! {
    /// A status shown in a namespace that the placement does not have, or a scope that changed.
    ///
    /// ## Why it matters
    /// NamespaceAccessible copies the status into the one namespace that is selected, so there must be exactly
    /// one selector of kind Namespace; the choice cannot be changed later. A ResourcePlacement ignores the
    /// field.
    ///
    /// ## What to do
    /// Select exactly one Namespace, or leave the scope as it was.
    pub static BAD_STATUS_SCOPE = Rule {
        code: "FL1412",
        name: "bad-status-scope",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Placement],
        check: bad_status_scope,
    }
}

fn bad_status_scope(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Placement) {
        let root = manifest.stored();
        let Some(scope) = root.at(&["spec", "statusReportingScope"]) else { continue };
        if !manifest.is_cluster_scoped() {
            if !Manifest::is_default(&scope) {
                let finding = BAD_STATUS_SCOPE
                    .on(&scope.key_place(), "has no effect here")
                    .severity(Severity::Note)
                    .layer(Layer::Advice)
                    .message(format!(
                        "ResourcePlacement {} sets statusReportingScope",
                        manifest.name()
                    ))
                    .why("only a ClusterResourcePlacement reads it");
                cx.report(finding);
            }
            continue;
        }
        let selectors = root.at(&["spec", "resourceSelectors"]).map(|list| list.items());
        let namespaces = selectors
            .unwrap_or_default()
            .iter()
            .filter(|s| s.text("kind") == Some("Namespace"))
            .count();
        let unchanged = root.get("spec").is_some_and(|spec| manifest.is_ratcheted(&spec.place()));
        if let (Some("NamespaceAccessible"), false, Some(rule), false) = (
            scope.str(),
            namespaces == 1,
            manifest.server_rule("status-scope-one-namespace"),
            unchanged,
        ) {
            let finding = BAD_STATUS_SCOPE
                .on(&scope.place(), format!("{namespaces} selectors of kind Namespace"))
                .message(format!(
                    "{} {} wants its status in a namespace",
                    manifest.key.kind,
                    manifest.name()
                ))
                .why(&*rule.message);
            cx.report(finding);
        }
        let old = manifest.before().and_then(|before| {
            before
                .at(&["spec", "statusReportingScope"])
                .map(|old| (old.place(), old.str().unwrap_or_default().to_owned()))
        });
        if let (Some((place, old)), Some(rule)) =
            (old, manifest.server_rule("status-scope-immutable"))
            && Some(old.as_str()) != scope.str()
        {
            let finding = BAD_STATUS_SCOPE
                .on(&scope.place(), "changed")
                .also(place.span, "was this")
                .message(format!(
                    "statusReportingScope of {} may not change from {old}",
                    manifest.name()
                ))
                .why(&*rule.message);
            cx.report(finding);
        }
    }
}
