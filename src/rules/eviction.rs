//! FL065x: evictions and disruption budgets.

pub mod blocked_eviction;
pub mod invalid_eviction;
pub mod repicked_eviction;
pub mod unprocessed_eviction;
pub mod unusable_budget;
