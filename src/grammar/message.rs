//! What KubeFleet says: the message catalogue and its matcher.
//!
//! Owns `grammar/messages/*.yaml`: texts of conditions, errors, events, refusals and log lines with
//! the releases that print them, and the table of reasons. [`recognise()`] takes a message apart,
//! [`log_template`] looks up a log line. Leaves it to the rules to judge. Nothing is read before
//! the first question, and no text, however long or hostile, costs more than its length.

mod catalogue;
mod log;
mod part;
mod pattern;
mod reason;
mod recognise;
mod role;
mod squeezed;
#[cfg(test)]
mod tests;
mod version;

pub use catalogue::{Condition, MessageKind, Outcome, Slot, Template, find_template, templates};
pub use log::{Level, LogTemplate, key_role, log_template, log_templates};
pub use part::{Hint, Part, Recognised, Ref};
pub use reason::{Reason, find_reason, reasons};
pub use recognise::recognise;
pub use role::Role;
pub use version::{Version, Versions, version_bounds};
