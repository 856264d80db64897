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
    /// The run created the request and waits for it; someone deleted it. The controller creates it again, unapproved:
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
        let created = gate.open_approval().filter(|task| task.is("ApprovalRequestCreated"));
        let Some(name) = created.and_then(|task| task.request.as_ref()) else { continue };
        let (run, namespace) = (gate.run, gate.run.meta.namespace());
        let kind = Kind::ApprovalRequest.in_namespace(namespace);
        let is_listed = cx.listing(kind, namespace) == Listing::All;
        if cx.find_request(run, name).is_some() || !is_listed {
            continue;
        }
        let effect = "shows whether the controller has created it again";
        cx.report(
            MISSING_REQUEST
                .at(name.span, "created by the run, and not among the requests of the bundle")
                .also(gate.progress.best_span(), format!("the run waits {}", gate.show()))
                .message(format!(
                    "Someone deleted approval request {}, for which {} waits.",
                    &**name,
                    run.meta.name(),
                ))
                .why("The controller creates a deleted request again, without any approval.")
                .then(format!("Someone has to approve {} once it is there again.", &**name))
                .recover(Recoverability::WaitsForPerson)
                // A list out of which the request was lost looks the same.
                .certainty(Certainty::Likely)
                .command(show_named(&run.meta.key, name, effect))
                .explains(gate.topic()),
        );
    }
}
