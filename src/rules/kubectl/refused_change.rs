//! FL0832 refused-change.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::message::{Hint, id, recognise};
use crate::model::key::HUB;
use crate::rule::Cx;
use crate::rules::kubectl::answer::{Answer, answers};

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
        let reason = reason(&answer);
        let finding = REFUSED_CHANGE
            .at(answer.rejection.span, "nothing was changed")
            .for_object(answer.key.clone())
            .message(format!("{} refused {}: {reason}", refuser(&answer), answer.subject()))
            .why(if conflict {
                "somebody else wrote the object in between: read it again and repeat the request"
                    .to_owned()
            } else {
                remedy(reason)
            })
            .recover(Recoverability::WaitsForPerson);
        let finding = if conflict { finding.severity(Severity::Note) } else { finding };
        cx.report(finding);
    }
}

/// Returns who refused; the command need not have gone to the hub.
fn refuser(answer: &Answer<'_>) -> String {
    match answer.rejection.cluster.as_deref() {
        Some(HUB) => "the hub".to_owned(),
        Some(cluster) => format!("the API server of {cluster}"),
        None => "the API server".to_owned(),
    }
}

/// Returns the words of an answer behind what kubectl and the API server put in front of every one.
fn reason<'a>(answer: &'a Answer<'_>) -> &'a str {
    let words = &*answer.rejection.words;
    let marks =
        ["denied the request: ", "\" is invalid: ", "is forbidden: ", "cannot be handled as a "];
    let behind = marks.iter().find_map(|mark| words.split_once(mark).map(|(_, reason)| reason));
    behind.or_else(|| words.split_once("): ").map(|(_, reason)| reason)).unwrap_or(words)
}

/// Says what to do about a reason, by the catalogue.
fn remedy(reason: &str) -> String {
    // The field and its value stand in front of what a rule of the CRD says.
    let tails = reason.match_indices(": ").filter_map(|(at, colon)| reason.get(at + colon.len()..));
    let known = std::iter::once(reason).chain(tails.take(8)).find_map(|text| {
        let recognised = recognise(text, &Hint::default());
        let known = recognised
            .templates()
            .find_map(|template| template.remedy().or_else(|| template.means()));
        known.map(str::to_owned)
    });
    known.unwrap_or_else(|| {
        "nothing was stored: correct what the answer names and send it again".to_owned()
    })
}
