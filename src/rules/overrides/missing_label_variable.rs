//! FL0632 missing-label-variable.

use crate::declare_rule;
use crate::facts::broken_override::{BrokenOverride, LABEL};
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::model::overrides::{Override, Patch};
use crate::rule::Cx;
use crate::rules::commands::label_member;
use crate::rules::consequence::{Repair, after_repair};
use crate::rules::overrides::override_finding::{finding_for_override, name};
use crate::source::Span;

declare_rule! {
    /// An override that uses a label which the member cluster does not have.
    ///
    /// ## Why it matters
    /// `${MEMBER-CLUSTER-LABEL-KEY-x}` is replaced by the value of label `x` of each MemberCluster. Without that label the
    /// override fails there, and nothing of the placement reaches the cluster.
    ///
    /// ## What to do
    /// Label the MemberCluster, or do not use the variable for it.
    pub static MISSING_LABEL_VARIABLE = Rule {
        code: "FL0632",
        name: "missing-label-variable",
        severity: Severity::Error,
        reads: &[Kind::Binding, Kind::Override, Kind::OverrideSnapshot, Kind::MemberCluster],
        check: missing_label_variable,
    }
}

fn missing_label_variable(cx: &mut Cx<'_>) {
    for breakage in cx.broken_overrides().iter().filter(|one| one.core.is(&LABEL)) {
        let label = breakage.core.get("label").unwrap_or("?");
        let cluster = breakage.core.get("cluster").unwrap_or("?");
        let found = find_use(cx, breakage, label);
        let name = match found {
            Some((source, _)) => format!("Override {}", source.override_name()),
            None => name(breakage),
        };
        let used = found.map(|(_, span)| (span, "uses the label"));
        let mut finding = finding_for_override(breakage, cx, &MISSING_LABEL_VARIABLE, used)
            .message(format!(
                "{name} needs label {label} of {cluster}, and {cluster} does not have it."
            ))
            .why(
                "The variable is replaced by the label of each MemberCluster. Where the label is \
                  missing, the override fails and nothing of the placement reaches the cluster.",
            )
            .step(
                label_member(cluster, label),
                format!("sets the label; put the value for {cluster} in place of VALUE"),
            );
        let placement = breakage.stalls.first().map(|stall| &stall.placement);
        finding = after_repair(finding, cx, placement, &[cluster], Repair::Override);
        for member in cx.members() {
            if member.meta.name() == cluster {
                finding = finding.also(member.meta.name_span, "has no such label");
            } else if let Some(has) = member.meta.label(label) {
                finding = finding.also(has.span, format!("{} has it", member.meta.name()));
            }
        }
        cx.report(finding);
    }
}

/// Finds the value that uses a label.
fn find_use<'g>(
    cx: &Cx<'g>,
    breakage: &BrokenOverride<'g>,
    label: &str,
) -> Option<(&'g Override, Span)> {
    let named = breakage.source.into_iter();
    let all = cx.overrides().iter().chain(cx.override_snapshots());
    named.chain(all).find_map(|source| {
        let mut used = source.patches().flat_map(Patch::label_variables);
        let (span, _) = used.find(|(_, key)| *key == label)?;
        Some((source, span))
    })
}
