//! The embedded catalogue: what KubeFleet's kinds look like and what its controllers say.
//!
//! Owns the reading of `grammar/kinds/*.yaml` and `grammar/messages/*.yaml`, compiled into the
//! binary and parsed on first use, kind by kind, so that a command pays only for what it touches.

pub mod kind;
pub mod message;
pub mod schema;
