//! FL0644 inert-setting.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// A setting of a placement that no controller reads.
    ///
    /// ## Why it matters
    /// `deleteStrategy` and `reportBackStrategy` are stored and have no effect up to the current release: objects are deleted
    /// with their placement although it says `Abandon`, and no status comes back although it says `Mirror`. Nobody says so.
    ///
    /// ## What to do
    /// Do not wait for their effect.
    pub static INERT_SETTING = Rule {
        code: "FL0644",
        name: "inert-setting",
        severity: Severity::Note,
        reads: &[Kind::Placement],
        check: inert_setting,
    }
}

/// What a mode that is not the default does not bring about.
const EFFECTS: [(&str, &str); 2] = [
    ("Abandon", "objects are deleted with the placement all the same"),
    ("Mirror", "no status of the members is written back"),
];

fn inert_setting(cx: &mut Cx<'_>) {
    for placement in cx.placements() {
        for (name, part) in placement.inert_strategies() {
            let Some(mode) = &part.mode else { continue };
            let effect = EFFECTS.iter().find(|(value, _)| *value == &**mode);
            let Some((value, effect)) = effect else { continue };
            let finding = INERT_SETTING
                .at(mode.span, "has no effect")
                .message(format!(
                    "{} sets {name} to {value}, which no controller reads: {effect}.",
                    placement.meta.key
                ))
                .why("The API server stores the field. No release so far acts on it.")
                .then("No action needed, as long as you do not rely on it.")
                .recover(Recoverability::NothingToDo);
            cx.report(finding);
        }
    }
}
