//! FL0725 differences-reported.

use crate::declare_rule;
use crate::facts::difference::DifferenceKind;
use crate::facts::difference::by_placement;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::sentence::{join_names, member_name, show_details};

declare_rule! {
    /// Differences between hub and members, found by a placement that only compares.
    ///
    /// ## Why it matters
    /// With `ReportDiff` nothing is applied; the differences are the answer that was asked for. An object that
    /// the member does not have is shown as `/` with the whole object on the hub's side.
    ///
    /// ## What to do
    /// Look at them before the placement is switched to apply: what differs will then be overwritten, and what
    /// is missing will be created.
    pub static DIFFERENCES_REPORTED = Rule {
        code: "FL0725",
        name: "differences-reported",
        severity: Severity::Note,
        reads: &[Kind::Work],
        check: differences_reported,
    }
}

fn differences_reported(cx: &mut Cx<'_>) {
    for group in by_placement(cx.differences(), DifferenceKind::Diff) {
        let Some(first) = group.first() else { continue };
        let members = join_names(group.iter().map(|one| member_name(&one.object.cluster)));
        let objects = join_names(group.iter().map(|one| one.object.to_string()));
        let finding = DIFFERENCES_REPORTED.at(first.span, "differs from the hub");
        let mut finding =
            if first.decided {
                finding
                .message(format!(
                    "{} only compares (ReportDiff) and finds differences on {members}: {objects}.",
                    first.placement
                ))
                .why("Nothing was applied. Once the placement applies, it overwrites what differs \
                      and creates what is missing.")
                .then("No action needed.")
                .recover(Recoverability::NothingToDo)
            } else {
                let details = show_details(&first.details);
                finding
                .message(format!("{objects} on {members} differs from the hub: {details}."))
                .why("The list alone does not say whether the differences stop a takeover or were \
                      asked for (ReportDiff). The conditions beside it do.")
            };
        for other in group.iter().skip(1).take(3) {
            finding =
                finding.also(other.span, format!("{} on {}", other.object, other.object.cluster));
        }
        cx.report(finding);
    }
}
