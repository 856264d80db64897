//! Views: what can be shown of a fleet without judging it.
//!
//! Owns the [`timeline`] of everything that has a time, the [`tree`] of runs and placements down to pods, the
//! [`plan`] of runs that have not begun, and the [`Focus`] by which all of them are narrowed. No rule runs here: what
//! findings add to a view is added by the engine.

mod focus;
pub mod plan;
mod run_line;
pub mod timeline;
pub mod tree;

pub use focus::Focus;
pub use run_line::RunLine;
