//! The engine: runs the rules, links causes, resolves places, sorts.
//!
//! Owns the way from a [`Graph`] to a [`Report`]. Rules run in parallel; a rule that panics becomes a
//! finding of its own and the others go on. The order of everything is fixed by keys and spans.

mod evidence;
mod focus;
mod guard;
mod handover;
mod judge;
mod link;
mod log_reading;
mod resolve;
mod run_line;
mod summary;
mod tailor;
pub mod timeline;
pub mod tree;
mod version;

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::bundle::Bundle;
use crate::facts::Facts;
use crate::finding::Finding;
use crate::graph::Graph;
use crate::rule::{Ask, Cx, Judge, Reads, Rule};

pub use guard::is_judging;
pub(crate) use guard::{broken_rule, guarded};
pub use handover::Handover;
pub use judge::{judge, judge_graph};
pub use link::link;
pub use log_reading::{LogReading, log_readings};
pub use resolve::{Place, Remedy, Resolved, place_of, resolve, sort_findings};
pub use run_line::{RunLine, run_lines};
pub use summary::{Coverage, Fixed, NotEvaluated, Report, Subject};
pub use tailor::{By, Hidden, Suppressed, Tailored, suppressed, tailor};

/// What one rule gave.
#[derive(Debug)]
pub struct Outcome {
    /// The rule.
    pub rule: &'static Rule,
    /// What it found.
    pub findings: Vec<Finding>,
    /// What it lacked.
    pub asks: BTreeSet<Ask>,
    /// The kinds it was served.
    pub reads: Reads,
    /// The message of its panic, if it panicked.
    pub panic: Option<String>,
}

/// Runs rules over a graph, in parallel, each guarded.
pub fn run_rules(rules: &[&'static Rule], graph: &Graph, bundle: &Bundle) -> Vec<Outcome> {
    let facts = Facts::new(graph, bundle);
    rules.par_iter().map(|rule| run_rule(rule, &facts)).collect()
}

fn run_rule<'g>(rule: &'static Rule, facts: &'g Facts<'g>) -> Outcome {
    let judged = guarded(|| {
        let mut cx = Cx::new(facts);
        if let Judge::Bundle(check) = rule.judge {
            check(&mut cx);
        }
        cx.finish()
    });
    match judged {
        Ok((findings, asks, reads)) => Outcome { rule, findings, asks, reads, panic: None },
        Err(panic) => {
            let (findings, asks, reads) = Default::default();
            Outcome { rule, findings, asks, reads, panic: Some(panic) }
        }
    }
}
