//! FL0511 orphan-request.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::graph::Listing;
use crate::model::key::ObjectKey;
use crate::model::read::SpanOr;
use crate::rule::Cx;
use crate::rules::commands::{delete_for, look_at_hub};

declare_rule! {
    /// An approval request whose run does not exist.
    ///
    /// ## Why it matters
    /// It was left by a run that was removed by force, or by a release before v0.2, whose label another release
    /// does not find. A new run of that name would take it as its own.
    ///
    /// ## What to do
    /// Delete it.
    pub static ORPHAN_REQUEST = Rule {
        code: "FL0511",
        name: "orphan-request",
        severity: Severity::Note,
        reads: &[Kind::ApprovalRequest, Kind::Run],
        check: orphan_request,
    }
}

fn orphan_request(cx: &mut Cx<'_>) {
    for request in cx.approval_requests() {
        let namespace = request.meta.namespace();
        let kind = Kind::Run.in_namespace(namespace);
        let Some(of) = request.run_name() else { continue };
        // The run is only known to be gone where runs were listed.
        let is_listed = cx.listing(kind, namespace) == Listing::All;
        if cx.find_run_of(request).is_some() || !is_listed {
            continue;
        }
        let span = request.run.span_or(request.meta.name_span);
        let look = look_at_hub().words("get").object(&ObjectKey::on_hub(kind, namespace, of));
        let effect = format!("removes {}, once {of} is known to be gone", request.meta.name());
        cx.report(
            ORPHAN_REQUEST
                .at(span, "no such run in the bundle")
                .message(format!(
                    "{} belongs to run {of}, which does not exist.",
                    request.meta.title()
                ))
                .why("A new run of that name would find the request and take its approval.")
                .then("No action needed unless a run of that name is created again.")
                .recover(Recoverability::NothingToDo)
                .command(look.effect("shows whether the run exists").build())
                .command(delete_for(&request.meta.key, effect)),
        );
    }
}
