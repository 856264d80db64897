//! FL0507 missing-request.

use crate::declare_rule;
use crate::finding::{Certainty, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::graph::Listing;
use crate::rule::Cx;
use crate::rules::commands::show_named;

declare_rule! {
    /// A gate whose approval request is gone.
    ///
    /// ## Why it matters
    /// The run made the request and waits for it; somebody deleted it. The controller makes it again, unapproved:
    /// an approval given to the old one is lost.
    ///
    /// ## What to do
    /// Wait a minute for the new request, then approve that one.
    pub static MISSING_REQUEST = Rule {
        code: "FL0507",
        name: "missing-request",
        severity: Severity::Warning,
        reads: &[Kind::Run, Kind::ApprovalRequest],
        check: missing_request,
    }
}

fn missing_request(cx: &mut Cx<'_>) {
    for gate in cx.open_gates() {
        let Some(task) = gate.open_approval().filter(|task| task.is("ApprovalRequestCreated"))
        else {
            continue;
        };
        let Some(name) = &task.request else { continue };
        let kind = Kind::ApprovalRequest.in_namespace(gate.run.meta.namespace());
        if cx.find_request(gate.run, name).is_some()
            || cx.listing(kind, gate.run.meta.namespace()) != Listing::All
        {
            continue;
        }
        let key = &gate.run.meta.key;
        cx.report(
            MISSING_REQUEST
                .at(name.span, "made by the run, and not among the requests of the bundle")
                .also(gate.progress.best_span(), format!("the run waits {}", gate.show()))
                .message(format!(
                    "the approval request {name} of {} is gone",
                    key.name,
                    name = &**name
                ))
                .why("the controller makes a deleted request again, without any approval")
                .recover(Recoverability::WaitsForPerson)
                // A list out of which the request was lost looks the same.
                .certainty(Certainty::Likely)
                .command(show_named(key, name))
                .explains(gate.topic()),
        );
    }
}
