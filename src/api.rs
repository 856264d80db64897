//! The library's own commands: what the command line does, without a terminal.
//!
//! Owns the functions that `lib.rs` offers, their options and their results. Input comes as paths or as bytes; what
//! comes out is data, with a way to text. Nothing here looks at the environment, the clock or standard output.

mod analyze;
mod check;
mod explain;
mod judgement;
mod views;

pub use analyze::analyze;
pub use check::{CheckOptions, check};
pub use explain::{RuleSummary, explain, rules};
pub use judgement::Judgement;
pub use views::{PlanOptions, TimelineOptions, TreeOptions, View, plan, timeline, tree};
