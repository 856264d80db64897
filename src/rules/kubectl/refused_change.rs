//! FL0832 refused-change.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::message::{MessageContext, id, recognise};
use crate::model::key::HUB;
use crate::rule::Cx;
use crate::rules::kubectl::answer::{KubectlAnswer, answers};
use crate::rules::sentence::{as_sentence, clip, full_stop};

declare_rule! {
    /// An object that the API server or one of its webhooks did not accept.
    ///
    /// ## Why it matters
    /// A refused request changes nothing: what runs is what was stored before. Some fields can never be changed (the
    /// placement, snapshot and strategy of a run; the type of a placement), others only in one direction (tolerations can
    /// be added, External cannot be left).
    ///
    /// ## What to do
    /// Correct the field that the answer names, or create a new object where the field cannot be changed.
    ///
    /// ## Also covered
    /// A conflict is a note: somebody else wrote the object in between, and the same request succeeds when it is sent again.
    pub static REFUSED_CHANGE = Rule {
        code: "FL0832",
        name: "refused-change",
        severity: Severity::Warning,
        reads: &[],
        check: refused_change,
    }
}

fn refused_change(cx: &mut Cx<'_>) {
    for answer in answers(cx) {
        let told_elsewhere = [id::K8S_NOMATCH, id::K8S_RBAC];
        if told_elsewhere.iter().any(|id| answer.recognised.find_part(*id).is_some()) {
            continue;
        }
        let conflict = answer.recognised.find_part(id::K8S_CONFLICT).is_some();
        let reason = answer.rejection.reason();
        let who = refuser(&answer);
        let subject = answer.subject();
        let finding = REFUSED_CHANGE
            .at(answer.rejection.reason_span, "what was refused")
            .for_object(answer.key.clone());
        let finding = if conflict {
            finding
                .severity(Severity::Note)
                .message(format!("{who} refused {subject}: someone else had changed it meanwhile."))
                .why(
                    "A write names the version that it was made from. That version was no \
                     longer the latest.",
                )
                .then("Nothing was changed. The same request succeeds on the latest version.")
        } else {
            let known = Known::of(reason);
            finding
                .message(full_stop(&format!("{who} refused {subject}: {}", clip(reason))))
                .why(known.means.map_or_else(
                    || "The answer says which field, and why.".to_owned(),
                    as_sentence,
                ))
                .then("Nothing was changed.")
                .hint(known.remedy.map(as_sentence).unwrap_or_default())
        };
        cx.report(finding.recover(Recoverability::WaitsForPerson));
    }
}

/// Returns who refused; the command need not have gone to the hub.
fn refuser(answer: &KubectlAnswer<'_>) -> String {
    match answer.rejection.cluster.as_deref() {
        Some(HUB) => "The hub".to_owned(),
        Some(cluster) => format!("The API server of {cluster}"),
        None => "The API server".to_owned(),
    }
}

/// What the catalogue knows of a reason.
struct Known {
    means: Option<&'static str>,
    remedy: Option<&'static str>,
}

impl Known {
    fn of(reason: &str) -> Self {
        // The field and its value stand in front of what a rule of the CRD says.
        let tails =
            reason.match_indices(": ").filter_map(|(at, colon)| reason.get(at + colon.len()..));
        let mut known = std::iter::once(reason).chain(tails.take(8)).flat_map(|text| {
            let recognised = recognise(text, &MessageContext::default());
            recognised.templates().collect::<Vec<_>>()
        });
        let told = known.find(|template| template.remedy().or(template.means()).is_some());
        Self {
            means: told.and_then(|template| template.means()),
            remedy: told.and_then(|template| template.remedy()),
        }
    }
}
