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
                .at(place, "created here, no condition since")
                .message(format!(
                    "The hub agent has not picked up eviction {name} for {}.",
                    age.show()
                ))
                .why(
                    "The controller checks an eviction within seconds. Either the hub agent is \
                      down, or it runs without the eviction APIs (--enable-eviction-apis=false).",
                )
                .then(format!("{name} is executed as soon as the hub agent picks it up."))
                .recover(Recoverability::ResumesAfterRepair)
                .step(hub_agent_options(), "shows the flags of the hub agent")
                .about(Topic::HubAgent),
        );
    }
}
