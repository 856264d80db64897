//! fleetlens reads what a KubeFleet customer sent and says what broke, where exactly, and what to do.
//!
//! The flow: `bytes → Input → SourceFile → Document → Node tree | Record stream → Object | LogEvent
//! → Graph → Finding → Report`. Each arrow is a layer; `ARCHITECTURE.md` tells which may use which.

pub mod behaviour;
pub mod bundle;
pub mod check;
pub mod cli;
pub mod config;
pub mod engine;
pub mod error;
pub mod facts;
pub mod finding;
pub mod grammar;
pub mod graph;
pub mod input;
pub mod kube;
pub mod manifest;
pub mod model;
pub mod redact;
pub mod report;
pub mod rule;
pub mod rules;
pub mod secret;
pub mod source;
pub mod syntax;
pub mod views;
