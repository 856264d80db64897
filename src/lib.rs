//! fleetlens reads what a KubeFleet customer sent and says what broke, where exactly, and what to do.
//!
//! The commands of the program are functions: [`analyze`] and [`check()`] judge and give a [`Judgement`], [`timeline`],
//! [`tree`] and [`plan`] show and give a [`View`], [`explain`] gives a page. Each takes [`Input`]s, which are paths or
//! bytes in memory, and options that have defaults; what comes out is data ([`types`]) with a way to text. Only a path
//! that is not there is an [`Error`]: what cannot be read in an input is part of the report.
//!
//! ```
//! use fleetlens::{AnalyzeOptions, Format, Input, Look, analyze};
//!
//! let bundle = [Input::bytes("hub/notes.txt", "nothing of a fleet")];
//! let judged = analyze(&bundle, &AnalyzeOptions::default())?;
//! assert!(judged.report.findings.is_empty());
//! println!("{}", judged.render(Format::Json, Look::plain(80)));
//! # Ok::<(), fleetlens::Error>(())
//! ```
//!
//! The command line, with the terminal and its progress, is the default feature `cli`; nothing else needs it.
//!
//! Inside, the flow is `bytes → Input → SourceFile → Document → Node tree | Record stream → Object | LogEvent
//! → Graph → Finding → Report`. Each arrow is a layer; `ARCHITECTURE.md` tells which may use which.

#![cfg_attr(
    not(feature = "cli"),
    expect(dead_code, unused_imports, reason = "some of it only the command line uses")
)]

mod api;
mod behaviour;
mod bundle;
mod check;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod config;
mod engine;
mod error;
mod facts;
mod finding;
mod grammar;
mod graph;
mod input;
#[doc(hidden)]
pub mod internals;
mod kube;
mod manifest;
mod model;
mod redact;
mod report;
mod rule;
mod rules;
mod secret;
mod source;
mod syntax;
pub mod types;
mod views;

pub(crate) use rule::declare_rule;

pub use api::{
    CheckOptions, Judgement, PlanOptions, RuleSummary, TimelineOptions, TreeOptions, View, analyze,
    check, explain, plan, rules, timeline, tree,
};
pub use config::Config as AnalyzeOptions;
pub use error::Error;
pub use input::Input;
pub use report::Format;
pub use report::human::Look;
