//! FL0619 unusable-selectors.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::edit_command;
use crate::rules::scheduling::selector_finding::{DUPLICATE, RESERVED, UNKNOWN_KIND, WRONG_SCOPE};
use crate::rules::sentence::{clip, full_stop};

declare_rule! {
    /// A placement whose selectors the controller refuses for another reason.
    ///
    /// ## Why it matters
    /// The whole selection is refused and nothing is scheduled; other conditions of the placement are left over from
    /// before. The controller checks again after half an hour, or when the placement changes.
    ///
    /// ## What to do
    /// Correct `spec.resourceSelectors` by what the message says.
    pub static UNUSABLE_SELECTORS = Rule {
        code: "FL0619",
        name: "unusable-selectors",
        severity: Severity::Error,
        reads: &[Kind::Placement],
        check: unusable_selectors,
    }
}

fn unusable_selectors(cx: &mut Cx<'_>) {
    for rejection in cx.refused_selections() {
        let claimed = [DUPLICATE, RESERVED, UNKNOWN_KIND, WRONG_SCOPE];
        if claimed.iter().any(|ids| rejection.said.find(ids).is_some()) {
            continue;
        }
        let key = &rejection.placement.meta.key;
        let core = rejection.said.core().map_or(&*rejection.said.text, |phrase| phrase.words());
        let mut finding = UNUSABLE_SELECTORS
            .at(rejection.condition.best_span(), "refused by the controller")
            .message(full_stop(&format!(
                "The controller refuses the selectors of {key}, so nothing is scheduled: {}",
                clip(core)
            )))
            .why(
                "The controller refuses a selection as a whole. The other conditions are left \
                  over from before.",
            )
            .then(format!("{} is scheduled within seconds of the fix.", key.name))
            .recover(Recoverability::ResumesAfterRepair)
            .step(edit_command(key), "opens it to correct spec.resourceSelectors")
            .explains(Topic::Placement(key.clone()));
        for selector in rejection.placement.selectors.iter().take(3) {
            finding = finding.also(selector.site.span, "a selector of the placement");
        }
        cx.report(finding);
    }
}
