//! fleetlens reads what a KubeFleet customer sent and says what broke, where exactly, and what to do.
//!
//! The flow: `bytes → Input → SourceFile → Document → Node tree | Record stream → Object | LogEvent
//! → Graph → Finding → Report`. Each arrow is a layer; `ARCHITECTURE.md` tells which may use which.

pub mod grammar;
pub mod model;
pub mod source;
pub mod syntax;
