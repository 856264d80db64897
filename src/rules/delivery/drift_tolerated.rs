//! FL0724 drift-tolerated.

use crate::declare_rule;
use crate::facts::difference::DifferenceKind;
use crate::facts::difference::by_placement;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::sentence::{join_names, member_name, show_details};

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
    for group in by_placement(cx.differences(), DifferenceKind::Drift) {
        let Some(first) = group.first() else { continue };
        let members = join_names(group.iter().map(|one| member_name(&one.object.cluster)));
        let objects = join_names(group.iter().map(|one| one.object.to_string()));
        let details = show_details(&first.details);
        let finding = DRIFT_TOLERATED.at(first.span, "changed on the member");
        let mut finding =
            if first.decided {
                finding
                .message(format!(
                    "{objects} of {} was changed on {members}, which stops nothing: {details}.",
                    first.placement
                ))
                .why("The placement applies in spite of drift (whenToApply: Always). The drift is \
                      reported because it compares whole objects.")
                .then("No action needed.")
                .recover(Recoverability::NothingToDo)
            } else {
                finding.message(format!("{objects} was changed on {members}: {details}.")).why(
                    "The list alone does not say whether the drift stops the apply. The Applied \
                      condition beside it does.",
                )
            };
        for other in group.iter().skip(1).take(3) {
            finding =
                finding.also(other.span, format!("{} on {}", other.object, other.object.cluster));
        }
        cx.report(finding);
    }
}
