//! FL05xx: gates and approvals.

pub mod stale_approval;
