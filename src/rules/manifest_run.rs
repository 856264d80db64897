//! FL12xx: staged update runs and approval requests in manifests.

pub mod forbidden_transition;
pub mod name_too_long;
