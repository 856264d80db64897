//! FL1508 label-variable-missing.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::kube::selector::Selector;
use crate::manifest::members::DescribedMember;
use crate::model::overrides::Override;
use crate::rule::Cx;

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
    for item in cx.drafts::<Override>() {
        let here = |member: &&DescribedMember<'_>| {
            cx.repository().is_member_for(member, item.manifest.span)
        };
        let members: Vec<&DescribedMember<'_>> = members.iter().filter(here).collect();
        for rule in &item.rules {
            let Some(terms) = &rule.terms else { continue };
            let selectors = terms.iter().filter_map(|term| term.labels.as_ref()?.plain());
            let selectors: Vec<Selector<'_>> = selectors.filter(Selector::is_valid).collect();
            let matches = |member: &&&DescribedMember<'_>| {
                terms.is_empty() || selectors.iter().any(|one| one.matches(&member.labels))
            };
            let used = rule.patches.iter().flat_map(|patch| {
                patch.label_variables().into_iter().map(move |(span, key)| (patch, span, key))
            });
            for (patch, span, key) in used {
                let mut chosen = members.iter().filter(matches);
                let lacks = chosen.find(|member| !member.labels.contains_key(key));
                let (Some(member), Some(value)) = (lacks, patch.value_site()) else { continue };
                let finding = LABEL_VARIABLE_MISSING
                    .at_field(&value.place().underline(span), format!("needs the label {key}"))
                    .also(member.manifest.name_place().span, "this cluster does not have it")
                    .message(format!(
                        "a patch of {} fails on cluster {}, which has no label {key}",
                        item.show(),
                        member.name
                    ))
                    .why("the override cannot be applied there");
                cx.report(cx.by_members(finding));
            }
        }
    }
}
