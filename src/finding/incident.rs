//! [`Incident`]: one event in the fleet that many objects suffer from.
//!
//! A member that left is missed by every placement that names it and every run that has it in a stage. Each rule
//! tells its own victim; what they have in common is the event, and a report tells that once.

use smol_str::SmolStr;

/// Something that happened once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Incident {
    /// A member cluster is not in the fleet.
    MemberGone(SmolStr),
    /// A member cluster carries a taint: its name, key and value.
    Tainted(SmolStr, SmolStr, SmolStr),
    /// The labels of a member cluster were changed.
    Relabelled(SmolStr),
}
