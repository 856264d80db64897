//! FL0650 blocked-eviction.

use serde_json::json;

use crate::declare_rule;
use crate::finding::{Command, Recoverability, Risk, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::eviction::Budget;
use crate::model::key::ObjectKey;
use crate::rule::Cx;
use crate::rules::commands::{look_at_hub, merge_command};
use crate::rules::sentence::{after_blank, full_stop};

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
                "the disruption budget{}{shown} leaves no room. {} of {} placements are available",
                after_blank(budget_name),
                count("available"),
                count("total")
            )
        } else if find(id::EVICTION_BLOCKED_BADPDB).is_some() {
            format!(
                "disruption budget{}{shown} cannot be used. A PickAll placement needs a whole \
                 number in minAvailable",
                after_blank(budget_name),
            )
        } else if executed.message().is_empty() {
            let told = budget.map(|budget| {
                format!(". Mostly it is a budget; the bundle shows {}{shown}", budget.meta.key)
            });
            format!("the row does not show why{}", told.unwrap_or_default())
        } else {
            executed.message().to_owned()
        };
        let what = match (placement, cluster) {
            ("", "") => "was not carried out".to_owned(),
            ("", cluster) => format!("took nothing off {cluster}"),
            (placement, "") => format!("did not take {placement} off its cluster"),
            _ => format!("did not take {placement} off {cluster}"),
        };
        let show = look_at_hub().words("describe").object(&eviction.meta.key).build();
        let room = budget.and_then(|budget| {
            let get = look_at_hub().words("get").object(&ObjectKey::of(
                Kind::Placement,
                "",
                budget.meta.name(),
            ));
            get.words("-o wide").build()
        });
        let available = find(id::EVICTION_BLOCKED_PDB).and_then(|phrase| phrase.get("available"));
        let lower = budget.and_then(|budget| lower_for(budget, available?));
        cx.report(
            BLOCKED_EVICTION
                .at(executed.best_span(), "not executed")
                .also_at(limit.map(|(_, value)| value.span), "the budget")
                .message(full_stop(&format!("{} {what}: {why}", eviction.show())))
                .why(
                    "The controller checks an eviction once, against the disruption budget of \
                      the placement.",
                )
                .then(
                    "Evictions are not retried. Create a new one, under another name, when \
                       there is room.",
                )
                .recover(Recoverability::WaitsForPerson)
                .step(
                    show.filter(|_| executed.message().is_empty()),
                    "shows the reason in its conditions",
                )
                .step(
                    room.filter(|_| !executed.message().is_empty()),
                    "shows whether more clusters are available by now",
                )
                .command(lower),
        );
    }
}

/// Lowers a budget that wants exactly as many clusters as there are, by one.
fn lower_for(budget: &Budget, available: &str) -> Option<Command> {
    let least = budget.min_available.as_deref()?.parse::<u64>().ok()?;
    let fewer = least.checked_sub(1).filter(|_| available.parse() == Ok(least))?;
    let patch = json!({"spec": {"minAvailable": fewer}});
    let effect = format!("lets one of the {least} clusters go; then create a new eviction");
    let command = merge_command(Risk::Reversible, &budget.meta.key, &patch)?;
    Some(command.with_effect(effect))
}
