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
    owners(first.reason.unwrap_or_default(), first.ty.unwrap_or_default())
}

/// Returns the keys whose values can carry a condition of this reason and type.
pub(in crate::syntax) fn owners(reason: &str, ty: &str) -> &'static [&'static str] {
    if placement_scope(ty).is_some() {
        return &["status"];
    }
    let known = BY_REASON.iter().find(|(prefix, _)| reason.starts_with(prefix));
    known.map_or(&[], |(_, owners)| owners)
}

/// What the conditions in a text say about the object that carries them.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::syntax) struct Hint {
    /// Its family.
    pub(in crate::syntax) family: Option<Kind>,
    /// Its scope.
    pub(in crate::syntax) scope: Option<Scope>,
}

/// Reads from the reasons and types of all conditions what kind of object they stand on.
pub(super) fn family_of_conditions(lines: &[Line<'_>]) -> Hint {
    let hints = lines.iter().map(|line| match line.label_text() {
        Some("Reason") => carrier(line.value(), ""),
        Some("Type") => carrier("", line.value()),
        _ => Hint::default(),
    });
    hints.into_iter().find(|hint| hint.family.is_some()).unwrap_or_default()
}

/// Returns what a condition of this reason and type says about the object that carries it.
pub(in crate::syntax) fn carrier(reason: &str, ty: &str) -> Hint {
    let scope = placement_scope(ty);
    if scope.is_some() {
        return Hint { family: Some(Kind::Placement), scope };
    }
    let family = BY_REASON.iter().find(|(prefix, _)| reason.starts_with(prefix));
    let family = family.map(|(prefix, _)| match *prefix {
        "Approv" => Kind::ApprovalRequest,
        _ => Kind::Run,
    });
    Hint { family, scope: None }
}

/// Returns the scope of the placement on which alone a condition of this type stands.
fn placement_scope(ty: &str) -> Option<Scope> {
    PLACEMENT_TYPES.iter().find(|(prefix, _)| ty.starts_with(prefix)).map(|(_, scope)| *scope)
}
