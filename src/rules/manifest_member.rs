//! FL17xx: members, disruption budgets and evictions in manifests.

pub mod bad_budget_number;
pub mod bad_identity;
pub mod bad_taint;
pub mod both_budget_limits;
pub mod budget_on_pick_all;
pub mod empty_budget;
pub mod eviction_target;
pub mod unbound_budget;
