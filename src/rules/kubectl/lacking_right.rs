//! FL0833 lacking-right.

use crate::declare_rule;
use crate::finding::{Command, Recoverability, Severity};
use crate::grammar::kind::find_resource;
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;
use crate::rules::kubectl::answer::{KubectlAnswer, answers};

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
            .at(answer.rejection.reason_span, "refused for lack of a right")
            .for_object(answer.key.clone())
            .message(format!(
                "{user} may not {verb} {resource}. So {} {outcome}.",
                answer.subject()
            ))
            .why(
                "The API server asks RBAC before it does anything. No role of this user \
                 allows the request.",
            )
            .then("The request works after a role allows it, or when someone sends it who may.")
            .command(allowed_command(verb, resource, &answer))
            .recover(Recoverability::WaitsForPerson);
        cx.report(finding);
    }
}

/// Shows whether the right is there, for whoever runs it.
fn allowed_command(verb: &str, resource: &str, answer: &KubectlAnswer<'_>) -> Option<Command> {
    let kind = find_resource(resource.split('/').next()?).filter(|spec| spec.is_fleet())?;
    let verb = ["get", "list", "watch", "create", "update", "patch", "delete"]
        .into_iter()
        .find(|known| *known == verb)?;
    let look = look_at_hub().words("auth can-i").words(verb).resource(kind.name);
    let look = match resource.split_once('/') {
        Some((_, "status")) => look.words("--subresource=status"),
        Some(_) => return None,
        None => look,
    };
    look.namespace(&answer.key.namespace).effect("says whether you have the right").build()
}
