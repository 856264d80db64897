//! The embedded catalogue: what KubeFleet's kinds look like and what its controllers say.
//!
//! `grammar/kinds/*.yaml` is embedded and parsed on first use, kind by kind, so that a command pays only for
//! what it touches; `grammar/messages/*.yaml` becomes static tables.

pub mod kind;
pub mod message;
pub mod schema;
