//! FL1508 label-variable-missing.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::fleet::Member;
use crate::manifest::labels::read_selector;
use crate::rule::Cx;
use crate::rules::manifest_override::part::override_rules;

declare_rule! {
    /// A variable for a label that a cluster does not have.
    ///
    /// ## Why it matters
    /// The patch fails on every cluster that the rule matches and that lacks the label.
    ///
    /// ## What to do
    /// Label the cluster, or narrow the selector.
    pub static LABEL_VARIABLE_MISSING = Rule {
        code: "FL1508",
        name: "label-variable-missing",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Override, Kind::MemberCluster],
        check: label_variable_missing,
    }
}

fn label_variable_missing(cx: &mut Cx<'_>) {
    let members = cx.repository().members();
    for manifest in cx.of(Kind::Override) {
        for rule in override_rules(manifest) {
            let Some(selector) = rule.get("clusterSelector") else { continue };
            let terms: Vec<_> = selector
                .list("clusterSelectorTerms")
                .iter()
                .filter_map(|term| read_selector(&term.get("labelSelector")?))
                .collect();
            let matches = |member: &&Member<'_>| {
                selector.list("clusterSelectorTerms").is_empty()
                    || terms.iter().any(|term| term.matches(&member.labels))
            };
            for patch in rule.list("jsonPatchOverrides") {
                let Some(value) = patch.get("value") else { continue };
                let mut texts = Vec::new();
                value
                    .node
                    .walk(&mut |node| texts.extend(node.as_str().map(|text| (node.span, text))));
                for (span, text) in texts {
                    let keys = text
                        .split("${MEMBER-CLUSTER-LABEL-KEY-")
                        .skip(1)
                        .filter_map(|rest| rest.split_once('}'));
                    for (key, _) in keys {
                        let Some(member) = members
                            .iter()
                            .filter(matches)
                            .filter(|member| cx.repository().is_member_for(member, manifest.span))
                            .find(|member| !member.labels.contains_key(key))
                        else {
                            continue;
                        };
                        let finding = LABEL_VARIABLE_MISSING
                            .on(&value.place().underline(span), format!("needs the label {key}"))
                            .also(
                                member.manifest.name_place().span,
                                "this cluster does not have it",
                            )
                            .message(format!(
                                "a patch of {} {} fails on cluster {}, which has no label {key}",
                                manifest.key.kind,
                                manifest.name(),
                                member.name
                            ))
                            .why("the override cannot be applied there");
                        cx.report(cx.by_members(finding));
                    }
                }
            }
        }
    }
}
