//! FL0650 blocked-eviction.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::rule::Cx;
use crate::rules::chain::behind;
use crate::rules::commands::delete_command;

declare_rule! {
    /// An eviction that was not executed.
    ///
    /// ## Why it matters
    /// An eviction is one shot: it is judged once, by the disruption budget and by what is placed at that moment, and
    /// never again. A budget that leaves no room has done its duty; the cluster keeps what is placed.
    ///
    /// ## What to do
    /// Make room (more clusters, or a smaller budget), then create a new eviction; this one stays as it is.
    pub static BLOCKED_EVICTION = Rule {
        code: "FL0650",
        name: "blocked-eviction",
        severity: Severity::Warning,
        reads: &[Kind::Eviction, Kind::DisruptionBudget],
        check: blocked_eviction,
    }
}

fn blocked_eviction(cx: &mut Cx<'_>) {
    for eviction in cx.evictions() {
        let Some(executed) = eviction.condition("Executed").filter(|c| c.is_false()) else {
            continue;
        };
        let (placement, cluster) = (eviction.placement(), eviction.cluster());
        let said = cx.said_by(executed, &eviction.meta.key.kind);
        let find = |id: MessageId| said.as_ref().and_then(|said| said.find(&[id]));
        let named = cx.budgets().iter().find(|budget| budget.meta.name() == placement);
        // A row does not tell the placement; one budget alone can be the one.
        let budget = match cx.budgets() {
            [only] if placement.is_empty() => Some(only),
            _ => named,
        };
        let budget_name = budget.map_or(placement, |budget| budget.meta.name());
        let limit = budget.and_then(|budget| {
            let least = budget.min_available.as_ref().map(|text| ("minAvailable", text));
            least.or_else(|| budget.max_unavailable.as_ref().map(|text| ("maxUnavailable", text)))
        });
        let shown =
            limit.map(|(field, value)| format!(" ({field} {})", &**value)).unwrap_or_default();
        let why = if let Some(phrase) = find(id::EVICTION_BLOCKED_PDB) {
            let count = |name| phrase.get(name).unwrap_or("?");
            format!(
                "the disruption budget{}{shown} leaves no room: {} of {} placements are available",
                behind(budget_name),
                count("available"),
                count("total")
            )
        } else if find(id::EVICTION_BLOCKED_BADPDB).is_some() {
            format!(
                "the disruption budget{}{shown} cannot be used: for a PickAll placement it may only name a whole minAvailable",
                behind(budget_name),
            )
        } else if executed.message().is_empty() {
            let told = budget
                .map(|budget| format!(", as a rule a budget; {} is shown{shown}", budget.meta.key));
            format!("a table does not say why{}", told.unwrap_or_default())
        } else {
            executed.message().to_owned()
        };
        let what = match (placement, cluster) {
            ("", "") => "was not carried out".to_owned(),
            ("", cluster) => format!("took nothing off {cluster}"),
            (placement, "") => format!("did not take {placement} off its cluster"),
            _ => format!("did not take {placement} off {cluster}"),
        };
        cx.report(
            BLOCKED_EVICTION
                .at(executed.best_span(), "not executed")
                .also_at(limit.map(|(_, value)| value.span), "the budget")
                .message(format!("{} {what}: {why}", eviction.show()))
                .why("an eviction is one shot and is never tried again; make room, then create a new one")
                .recover(Recoverability::WaitsForPerson)
                .command(delete_command(&eviction.meta.key)),
        );
    }
}
