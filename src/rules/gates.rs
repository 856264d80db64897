//! FL05xx: gates and approvals.

pub mod after_gate;
pub mod approval_while_stopped;
pub mod denied_approval;
pub mod foreign_request;
pub mod leftover_approval;
pub mod mislabelled_request;
pub mod missing_request;
pub mod open_approval;
pub mod orphan_request;
pub mod overdue_timed_wait;
pub mod stale_approval;
pub mod timed_wait;
pub mod unanswered_approval;
pub mod withdrawn_approval;
pub mod wrong_gate_approved;
