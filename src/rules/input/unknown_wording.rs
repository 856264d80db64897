//! FL0004 unknown-wording.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::condition::Condition;
use crate::rule::Cx;

declare_rule! {
    /// A message whose wording fleetlens does not know.
    ///
    /// ## Why it matters
    /// Type and reason of the condition are known and were judged; the text itself is of another release or another build, so
    /// names in it were not followed.
    ///
    /// ## What to do
    /// Read the message yourself. If it is from a released KubeFleet, report it.
    pub static UNKNOWN_WORDING = Rule {
        code: "FL0004",
        name: "unknown-wording",
        severity: Severity::Note,
        reads: &[Kind::Run, Kind::Binding, Kind::Placement],
        check: unknown_wording,
    }
}

fn unknown_wording(cx: &mut Cx<'_>) {
    let mut found: Vec<(&str, &Condition)> = Vec::new();
    for run in cx.runs() {
        let stages = run.all_stages().flat_map(|stage| &stage.conditions);
        found.extend(
            run.conditions.iter().chain(stages).map(|condition| (&*run.meta.key.kind, condition)),
        );
    }
    for binding in cx.bindings() {
        found.extend(
            binding.conditions.iter().map(|condition| (&*binding.meta.key.kind, condition)),
        );
    }
    for placement in cx.placements() {
        found.extend(
            placement.conditions.iter().map(|condition| (&*placement.meta.key.kind, condition)),
        );
    }
    for (kind, condition) in found {
        let Some(message) = condition.message.as_ref().filter(|message| !message.is_empty()) else {
            continue;
        };
        let recognised = cx.recognise(message, condition.hint(kind));
        // A failed run with such words is reported as an unexplained failure already.
        let wholly = recognised.prefixes.is_empty()
            && recognised.parts.iter().all(|part| part.template.is_none());
        if wholly && recognised.carrier.is_none() && recognised.reason.is_some() && !recognised.cut
        {
            cx.report(
                UNKNOWN_WORDING
                    .at(message.span, "a wording of another release")
                    .of_input()
                    .message(format!(
                        "The {} condition of a {kind} uses words that are not known for reason {}.",
                        &*condition.kind,
                        condition.reason()
                    ))
                    .why("Type and reason were judged. Names in the text were not followed.")
                    .recover(Recoverability::NothingToDo),
            );
        }
    }
}
