//! FL0511 orphan-request.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::graph::Listing;
use crate::rule::Cx;
use crate::rules::commands::delete_command;

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
        let kind = Kind::Run.in_namespace(request.meta.namespace());
        let Some(name) = request.run_name() else { continue };
        // The run is only known to be gone where runs were listed.
        if cx.find_run_of(request).is_some()
            || cx.listing(kind, request.meta.namespace()) != Listing::All
        {
            continue;
        }
        let span = request.run.as_ref().map_or(request.meta.name_span, |run| run.span);
        cx.report(
            ORPHAN_REQUEST
                .at(span, "no such run in the bundle")
                .message(format!(
                    "{} belongs to run {name}, which does not exist",
                    request.meta.name()
                ))
                .why("a run of that name would find it and take its approval")
                .recover(Recoverability::NothingToDo)
                .command(delete_command(&request.meta.key)),
        );
    }
}
