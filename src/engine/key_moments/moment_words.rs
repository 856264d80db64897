//! The short text of an event of the timeline, and how much it matters to the verdict.

use crate::grammar::kind::{Kind, find_kind};
use crate::model::key::HUB;
use crate::views::timeline::{Moment, MomentSource};

/// A condition, as the table spells it: where it stands, its type, its status, its reason.
struct Told<'m> {
    context: &'m str,
    kind: &'m str,
    status: &'m str,
    reason: &'m str,
}

/// Takes apart `stage dev, cluster member1: Started True (ClusterUpdatingStarted): words`.
fn read(what: &str) -> Option<Told<'_>> {
    let parts = what.split(": ").collect::<Vec<_>>();
    let at = parts.iter().position(|part| {
        let mut words = part.split(' ');
        words.next().is_some_and(|kind| kind.starts_with(|c: char| c.is_ascii_uppercase()))
            && matches!(words.next(), Some("True" | "False" | "Unknown"))
    })?;
    let context = if at == 0 { "" } else { parts.first().copied().unwrap_or_default() };
    let said = parts.get(at)?;
    let (kind, rest) = said.split_once(' ')?;
    let (status, reason) = rest.split_once(' ').unwrap_or((rest, ""));
    Some(Told { context, kind, status, reason: reason.trim_matches(['(', ')']) })
}

/// Returns the weight of a moment and its words; nothing for one that carries no verdict.
pub(super) fn of(moment: &Moment, lane: &str) -> Option<(u8, String)> {
    let key = moment.object.as_ref()?;
    let family = find_kind(&key.kind)?.family;
    let name = key.path();
    match (moment.origin, family) {
        (MomentSource::Creation, Kind::Run) => Some((8, format!("{name} created"))),
        (MomentSource::Creation, Kind::Placement) => Some((5, format!("{name} created"))),
        (MomentSource::Creation, Kind::ResourceSnapshot) => {
            let index = name.strip_suffix("-snapshot").and_then(|rest| rest.rsplit('-').next());
            Some((4, format!("snapshot {} created", index.unwrap_or(&name))))
        }
        (MomentSource::Deletion, _) => Some((7, format!("{name} deleted"))),
        (MomentSource::Condition, Kind::Run) => of_run(&name, &read(&moment.what)?, lane),
        (MomentSource::Condition, Kind::Placement) => {
            of_placement(&name, &read(&moment.what)?, lane)
        }
        (MomentSource::Condition, Kind::Binding) => of_binding(&read(&moment.what)?),
        (MomentSource::Stamp, Kind::Run) => {
            let (context, verb) = moment.what.split_once(": ")?;
            Some((3, format!("{name}: {context} {verb}")))
        }
        (MomentSource::Stamp, Kind::MemberCluster | Kind::InternalMemberCluster) => {
            Some((1, "last heartbeat".to_owned()))
        }
        (MomentSource::Log, Kind::Run) => of_log_line(&name, &moment.what, lane),
        (MomentSource::Event, _) if moment.what.starts_with("Warning ") => {
            Some((2, format!("{name}: {}", moment.what.strip_prefix("Warning ")?)))
        }
        _ => None,
    }
}

/// Says in a few words what a line of the hub agent says of a run.
fn of_log_line(name: &str, what: &str, lane: &str) -> Option<(u8, String)> {
    if what.starts_with("Updated the status of a binding to bound") && lane != HUB {
        return Some((7, format!("{name} takes it")));
    }
    let lost = what.starts_with("The binding has been changed during updating");
    lost.then(|| (7, format!("{name} notices the loss")))
}

fn of_run(name: &str, told: &Told<'_>, lane: &str) -> Option<(u8, String)> {
    let stage = told.context.strip_prefix("stage ").and_then(|rest| rest.split(',').next());
    match (told.kind, told.status, told.reason) {
        ("Started", "True", _) if lane != HUB => Some((6, format!("{name} starts it"))),
        ("Succeeded", "True", _) if lane != HUB => Some((6, format!("updated by {name}"))),
        ("Succeeded", "False", _) if lane != HUB => Some((8, format!("{name} fails here"))),
        ("ApprovalRequestApproved", "True", _) => {
            Some((6, format!("{name}: approval of stage {} accepted", stage?)))
        }
        ("ApprovalRequestCreated", "True", _) => {
            Some((5, format!("{name}: approval of stage {} asked for", stage?)))
        }
        ("WaitTimeElapsed", "True", _) => {
            Some((4, format!("{name}: wait after stage {} is over", stage?)))
        }
        _ if stage.is_some() => of_stage(name, stage?, told),
        ("Initialized", "True", _) => Some((5, format!("{name} initialized"))),
        ("Initialized", "False", _) => Some((8, format!("{name} FAILED at initialization"))),
        ("Progressing", _, "UpdateRunStuck") => Some((8, format!("{name} STUCK"))),
        ("Progressing", _, "UpdateRunWaiting") => Some((6, format!("{name} WAITING"))),
        ("Progressing", _, "UpdateRunStopped") => Some((7, format!("{name} STOPPED"))),
        ("Progressing", _, "UpdateRunStarted") => Some((4, format!("{name} starts"))),
        ("Progressing", _, "UpdateRunFailed") | ("Succeeded", "False", _) => {
            Some((8, format!("{name} FAILED")))
        }
        ("Succeeded", "True", _) => Some((7, format!("{name} SUCCEEDED"))),
        _ => None,
    }
}

fn of_stage(name: &str, stage: &str, told: &Told<'_>) -> Option<(u8, String)> {
    match (told.kind, told.status, told.reason) {
        ("Succeeded", "True", _) => Some((5, format!("{name}: stage {stage} done"))),
        ("Succeeded", "False", _) => Some((7, format!("{name}: stage {stage} failed"))),
        ("Progressing", _, "StageUpdatingWaiting") => {
            Some((6, format!("{name}: stage {stage} waits")))
        }
        ("Progressing", _, "StageUpdatingStarted") => {
            Some((4, format!("{name}: stage {stage} starts")))
        }
        _ => None,
    }
}

fn of_placement(name: &str, told: &Told<'_>, lane: &str) -> Option<(u8, String)> {
    let bare = told.kind.strip_prefix("Cluster").unwrap_or(told.kind);
    let bare = bare.strip_prefix("ResourcePlacement").unwrap_or(bare);
    let about = if lane == HUB { format!("{name} ") } else { String::new() };
    match (bare, told.status) {
        ("Scheduled" | "Applied" | "Available" | "RolloutStarted" | "Overridden", "False") => {
            Some((6, format!("{about}{bare} False ({})", told.reason)))
        }
        ("RolloutStarted", "Unknown") => Some((4, format!("{about}rollout waits"))),
        ("Scheduled", "True") if lane == HUB => Some((3, format!("{about}scheduled"))),
        ("Available", "True") => Some((4, format!("{about}available"))),
        _ => None,
    }
}

fn of_binding(told: &Told<'_>) -> Option<(u8, String)> {
    match (told.kind, told.status) {
        ("Applied" | "Available" | "Overridden" | "WorkSynchronized", "False") => {
            Some((5, format!("{} False ({})", told.kind, told.reason)))
        }
        ("Available", "True") => Some((3, "available".to_owned())),
        ("RolloutStarted", "True") => Some((3, "rollout started".to_owned())),
        _ => None,
    }
}
