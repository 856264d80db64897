//! What KubeFleet says: the message catalogue and its matcher.
//!
//! Owns `grammar/messages/*.yaml`: texts of conditions, errors, events, refusals and log lines with
//! the releases that print them, and the table of reasons, all made into static tables by the build.
//! [`recognise()`] takes a message apart, [`log_template`] looks up a log line. Leaves it to the rules to
//! judge. No text, however long or hostile, costs more than its length.

mod catalogue;
mod fingerprint;
mod home;
mod index;
mod log;
mod names;
mod part;
mod pattern;
mod reason;
mod recognise;
mod role;
mod scope;
mod sentence;
mod squeezed;
mod tables;
#[cfg(test)]
mod tests;
mod version;

pub use catalogue::{MessageKind, PrefixLayer, SelfRecovery, Template, plain_type, templates};
pub use home::{ConditionHome, ConditionHomes, find_homes};
pub use log::{LogLevel, LogTemplate, key_role, key_roles, log_template, log_templates};
pub use names::{LogLines, MessageId, id, line};
pub use part::{MessageContext, MessagePart, MessageRef, Recognised};
pub use reason::{Reason, reasons};
pub use recognise::recognise;
pub use role::HoleRole;
pub use scope::find_scope;
pub use sentence::{Sentence, Speaker, find_sentences};
pub use version::{Version, Versions, version_bounds};
