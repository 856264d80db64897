//! What KubeFleet says: the message catalogue and its matcher.
//!
//! Owns `grammar/messages/*.yaml`: texts of conditions, errors, events, refusals and log lines with
//! the releases that print them, and the table of reasons, all made into static tables by the build.
//! [`recognise()`] takes a message apart, [`log_template`] looks up a log line. Leaves it to the rules to
//! judge. No text, however long or hostile, costs more than its length.

mod catalogue;
mod condition_home;
mod fingerprint;
mod hole_role;
mod index;
mod log;
mod names;
mod normalized;
mod pattern;
mod reason;
mod recognise;
mod recognised;
mod scope;
mod sentence;
mod tables;
#[cfg(test)]
mod tests;
mod version;

pub use catalogue::{MessageKind, PrefixLayer, SelfRecovery, Template, plain_type, templates};
pub use condition_home::{ConditionHome, ConditionHomes, find_homes};
pub use hole_role::HoleRole;
pub use log::{LogLevel, LogTemplate, key_role, key_roles, log_template, log_templates};
pub use names::{LogLines, MessageId, id, line};
pub use reason::{Reason, reasons};
pub use recognise::recognise;
pub use recognised::{MessageContext, MessagePart, MessageRef, Recognised};
pub use scope::find_scope;
pub use sentence::{Sentence, Speaker, find_sentences};
pub use version::{Version, Versions, version_bounds};
