//! FL0724 drift-tolerated.

use crate::declare_rule;
use crate::facts::difference::Sort;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::chain::{by_placement, join_names, member_name, show_details};

declare_rule! {
    /// Objects that were changed on members, where the placement only reports it.
    ///
    /// ## Why it matters
    /// The placement compares whole objects (`FullComparison`) and applies all the same, so the changes stop
    /// nothing. What the hub names is overwritten; fields that it does not name stay as somebody made them.
    ///
    /// ## What to do
    /// Nothing has to be done. Decide whether the change belongs on the hub or should go from the member.
    pub static DRIFT_TOLERATED = Rule {
        code: "FL0724",
        name: "drift-tolerated",
        severity: Severity::Note,
        reads: &[Kind::Work],
        check: drift_tolerated,
    }
}

fn drift_tolerated(cx: &mut Cx<'_>) {
    for group in by_placement(cx, Sort::Drift) {
        let Some(first) = group.first() else { continue };
        let members = join_names(group.iter().map(|one| member_name(&one.object.cluster)));
        let objects = join_names(group.iter().map(|one| one.object.to_string()));
        let details = show_details(&first.details);
        let finding = DRIFT_TOLERATED.at(first.span, "changed on the member");
        let mut finding = if first.decided {
            finding
                .message(format!("{} has drifted objects on {members}, which stops nothing: {objects} ({details})", first.placement))
                .why("the strategy applies always; the drift is reported because it compares whole objects")
                .recover(Recoverability::NothingToDo)
        } else {
            finding
                .message(format!("{objects} has drifted on {members}: {details}"))
                .why("the list alone does not say whether the drift stops the apply; the Applied condition beside it does")
        };
        for other in group.iter().skip(1).take(3) {
            finding =
                finding.also(other.span, format!("{} on {}", other.object, other.object.cluster));
        }
        cx.report(finding);
    }
}
