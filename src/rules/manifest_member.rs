//! FL17xx: members, disruption budgets and evictions in manifests.

pub mod bad_budget_number;
pub mod both_budget_limits;
