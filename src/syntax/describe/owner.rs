//! Whose condition it is, told by its reason or type.
//!
//! Where indentation is lost, a `Conditions:` label fits a cluster, its stage and the run alike. The
//! controllers give each level its own reasons, and placements their own types, so those decide.

use crate::grammar::kind::{Kind, Scope};

use super::line::Line;

/// A condition is at most this many lines long, short of wrapped text.
const LOOK_AHEAD: usize = 16;

/// Reasons of the update run controller, by the level that carries them.
const BY_REASON: &[(&str, &[&str])] = &[
    ("UpdateRun", &["status"]),
    ("StageUpdating", &["stagesStatus", "deletionStageStatus"]),
    ("ClusterUpdating", &["clusters"]),
    ("StageTask", &["afterStageTaskStatus", "beforeStageTaskStatus"]),
    ("AfterStageTask", &["afterStageTaskStatus"]),
    ("BeforeStageTask", &["beforeStageTaskStatus"]),
    ("Approv", &["status"]),
];

/// Prefixes of the types that stand only on the placement itself, by its scope.
const PLACEMENT_TYPES: &[(&str, Scope)] =
    &[("ClusterResourcePlacement", Scope::Cluster), ("ResourcePlacement", Scope::Namespaced)];

/// The reason and type of the first condition in some lines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FirstCondition<'t> {
    /// Its reason, if shown.
    pub(super) reason: Option<&'t str>,
    /// Its type, if shown.
    pub(super) ty: Option<&'t str>,
}

/// Reads the reason and type of the first condition in some lines.
pub(super) fn first_condition<'t>(lines: &[Line<'t>]) -> FirstCondition<'t> {
    let mut first = FirstCondition::default();
    for line in lines.iter().filter(|line| !line.is_blank()).take(LOOK_AHEAD) {
        if line.label_text() == Some("Reason") && first.reason.is_none() {
            first.reason = Some(line.value());
        } else if line.label_text() == Some("Type") && first.ty.is_none() {
            first.ty = Some(line.value());
            break;
        }
    }
    first
}

/// Returns the keys of the frames to which the condition in these lines can belong.
pub(super) fn owner_of_conditions(lines: &[Line<'_>]) -> &'static [&'static str] {
    let first = first_condition(lines);
    if placement_scope(first.ty.unwrap_or_default()).is_some() {
        return &["status"];
    }
    let reason = first.reason.unwrap_or_default();
    let known = BY_REASON.iter().find(|(prefix, _)| reason.starts_with(prefix));
    known.map_or(&[], |(_, owners)| owners)
}

/// What the conditions in a text say about the object that carries them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hint {
    /// Its family.
    pub(super) family: Option<Kind>,
    /// Its scope.
    pub(super) scope: Option<Scope>,
}

/// Reads from the reasons and types of all conditions what kind of object they stand on.
pub(super) fn family_of_conditions(lines: &[Line<'_>]) -> Hint {
    for line in lines {
        let family = match line.label_text() {
            Some("Reason") => BY_REASON.iter().find(|(prefix, _)| line.value().starts_with(prefix)),
            Some("Type") => {
                let scope = placement_scope(line.value());
                if scope.is_some() {
                    return Hint { family: Some(Kind::Placement), scope };
                }
                None
            }
            _ => None,
        };
        match family {
            Some(("Approv", _)) => {
                return Hint { family: Some(Kind::ApprovalRequest), scope: None };
            }
            Some(_) => return Hint { family: Some(Kind::Run), scope: None },
            None => {}
        }
    }
    Hint::default()
}

/// Returns the scope of the placement on which alone a condition of this type stands.
fn placement_scope(ty: &str) -> Option<Scope> {
    PLACEMENT_TYPES.iter().find(|(prefix, _)| ty.starts_with(prefix)).map(|(_, scope)| *scope)
}
