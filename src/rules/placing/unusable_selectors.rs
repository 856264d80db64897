//! FL0619 unusable-selectors.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::chain::clip;
use crate::rules::placing::selection::{
    DUPLICATE, RESERVED, UNKNOWN_KIND, WRONG_SCOPE, rejections,
};

declare_rule! {
    /// A placement whose selectors the controller refuses for another reason.
    ///
    /// ## Why it matters
    /// The whole selection is refused and nothing is scheduled; other conditions of the placement are left over from
    /// before. The controller looks again after half an hour, or when the placement changes.
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
    for rejection in rejections(cx) {
        let claimed = [DUPLICATE, RESERVED, UNKNOWN_KIND, WRONG_SCOPE];
        if claimed.iter().any(|ids| rejection.said.find(ids).is_some()) {
            continue;
        }
        let key = &rejection.placement.meta.key;
        let core = rejection.said.core().map_or(&*rejection.said.text, |phrase| phrase.words());
        let mut finding = UNUSABLE_SELECTORS
            .at(rejection.condition.best_span(), "what the controller says")
            .message(format!("the selectors of {key} are refused, so nothing is scheduled: {}", clip(core)))
            .why("a selection that cannot be followed is refused as a whole; the other conditions are left over from before")
            .recover(Recoverability::ResumesAfterRepair)
            .explains(Topic::Placement(key.clone()));
        for selector in rejection.placement.selectors.iter().take(3) {
            finding = finding.also(selector.span, "a selector of the placement");
        }
        cx.report(finding);
    }
}
