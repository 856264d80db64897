//! FL0632 missing-label-variable.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::{Override, Patch};
use crate::rule::Cx;
use crate::rules::commands::label_member;
use crate::rules::overriding::breakage::{Breakage, LABEL, breakages};
use crate::source::Span;
use crate::syntax::tree::Node;

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
        reads: &[Kind::Binding, Kind::Placement, Kind::Override, Kind::OverrideSnapshot, Kind::MemberCluster],
        check: missing_label_variable,
    }
}

fn missing_label_variable(cx: &mut Cx<'_>) {
    for breakage in breakages(cx).iter().filter(|one| one.core.is(&LABEL)) {
        let label = breakage.core.get("label").unwrap_or("?");
        let cluster = breakage.core.get("cluster").unwrap_or("?");
        let used = find_use(cx, breakage, label);
        let name = match used {
            Some((source, _)) => format!("override {}", source.override_name()),
            None => breakage.name(),
        };
        let mut finding = breakage
            .tell(cx, &MISSING_LABEL_VARIABLE, used.map(|(_, span)| (span, "uses the label")))
            .message(format!("{name} fails on {cluster}: it writes the value of label {label}, which {cluster} does not have"))
            .why("the variable is replaced by the label of each MemberCluster; where the label is missing nothing of the placement is placed")
            .recover(Recoverability::ResumesAfterRepair)
            .command(label_member(cluster, label));
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
fn find_use<'g>(cx: &Cx<'g>, breakage: &Breakage<'g>, label: &str) -> Option<(&'g Override, Span)> {
    let variable = format!("${{MEMBER-CLUSTER-LABEL-KEY-{label}}}");
    let named = breakage.source.into_iter();
    let all = cx.overrides().iter().chain(cx.override_snapshots());
    named.chain(all).find_map(|source| {
        let patches = source.rules.iter().flat_map(|rule| &rule.patches);
        let span = patches
            .filter_map(|patch: &Patch| patch.value.as_ref())
            .find_map(|value| uses(value, &variable))?;
        Some((source, span))
    })
}

fn uses(value: &Node, variable: &str) -> Option<Span> {
    let mut found = None;
    value.walk(&mut |node| {
        if found.is_none() && node.as_str().is_some_and(|text| text.contains(variable)) {
            found = Some(node.span);
        }
    });
    found
}
