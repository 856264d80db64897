//! FL0833 lacking-right.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::kubectl::answer::answers;

declare_rule! {
    /// A person or a pipeline that may not do what it tried.
    ///
    /// ## Why it matters
    /// The API server refused the request for lack of a right (RBAC): nothing was changed, an approval was not given. The
    /// status of an approval request is a right of its own (`clusterapprovalrequests/status`).
    ///
    /// ## What to do
    /// Grant the right that the answer names, or let somebody act who has it.
    pub static LACKING_RIGHT = Rule {
        code: "FL0833",
        name: "lacking-right",
        severity: Severity::Warning,
        reads: &[],
        check: lacking_right,
    }
}

fn lacking_right(cx: &mut Cx<'_>) {
    for answer in answers(cx) {
        let value = |name: &str| answer.value(id::K8S_RBAC, name);
        let (Some(user), Some(verb), Some(resource)) =
            (value("user"), value("verb"), value("resource"))
        else {
            continue;
        };
        let read = ["get", "list", "watch"].contains(&verb);
        let outcome = if read { "was not shown" } else { "was not changed" };
        let finding = LACKING_RIGHT
            .at(answer.rejection.span, "refused for lack of a right")
            .for_object(answer.key.clone())
            .message(format!("{user} may not {verb} {resource}, so {} {outcome}", answer.subject()))
            .why(format!("the role of {user} has to allow {verb} on {resource}, or somebody with that right has to act"))
            .recover(Recoverability::WaitsForPerson);
        cx.report(finding);
    }
}
