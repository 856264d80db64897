//! FL0653 unprocessed-eviction.

use jiff::SignedDuration;

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::hub_agent_options;

declare_rule! {
    /// An eviction that nobody looks at.
    ///
    /// ## Why it matters
    /// The controller judges an eviction within seconds. Without any condition the hub agent is not working, or it was
    /// started without the eviction APIs (`--enable-eviction-apis=false`).
    ///
    /// ## What to do
    /// Look at the hub agent: is it running, and with which flags?
    pub static UNPROCESSED_EVICTION = Rule {
        code: "FL0653",
        name: "unprocessed-eviction",
        severity: Severity::Warning,
        reads: &[Kind::Eviction],
        check: unprocessed_eviction,
    }
}

/// The controller takes seconds.
const PATIENCE: SignedDuration = SignedDuration::from_mins(2);

fn unprocessed_eviction(cx: &mut Cx<'_>) {
    for eviction in cx.evictions() {
        let created = eviction.meta.created;
        let age = created.and_then(|created| cx.surely_over(created.value, PATIENCE));
        let Some(age) = age else { continue };
        if !eviction.conditions.is_empty() || eviction.meta.partial {
            continue;
        }
        let name = eviction.meta.name();
        let place = eviction.meta.created.map_or(eviction.meta.name_span, |created| created.span);
        cx.report(
            UNPROCESSED_EVICTION
                .at(place, "made here, and no word since")
                .message(format!("eviction {name} was not looked at in {}", age.show()))
                .why("the controller judges an eviction within seconds; the hub agent is down, or runs without the eviction APIs")
                .recover(Recoverability::ResumesAfterRepair)
                .command(hub_agent_options())
                .about(Topic::HubAgent),
        );
    }
}
