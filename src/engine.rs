//! The engine: runs the rules, links causes, resolves places, sorts.
//!
//! Owns the way from a [`Graph`] to a [`Report`]. Rules run in parallel; a rule that panics becomes a
//! finding of its own and the others go on. The order of everything is fixed by keys and spans.

mod focus;
mod handover;
mod judge;
mod link;
mod resolve;
mod run_line;
mod summary;
pub mod timeline;
pub mod tree;
mod version;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

use crate::bundle::Bundle;
use crate::finding::Finding;
use crate::grammar::kind::Kind;
use crate::graph::Graph;
use crate::rule::{Ask, Cx, Judge, Rule};

pub use handover::Handover;
pub use judge::{judge, judge_graph};
pub use link::link;
pub use resolve::{Place, Resolved, resolve};
pub use run_line::{RunLine, run_lines};
pub use summary::{Coverage, NotEvaluated, Report, Subject};

/// What one rule gave.
#[derive(Debug)]
pub struct Outcome {
    /// The rule.
    pub rule: &'static Rule,
    /// What it found.
    pub findings: Vec<Finding>,
    /// What it lacked.
    pub asks: BTreeSet<Ask>,
    /// The kinds it asked for.
    pub reads: BTreeSet<Kind>,
    /// The message of its panic, if it panicked.
    pub panic: Option<String>,
}

/// Runs rules over a graph, in parallel, each guarded.
pub fn run_rules(rules: &[&'static Rule], graph: &Graph, bundle: &Bundle) -> Vec<Outcome> {
    rules.par_iter().map(|rule| run_rule(rule, graph, bundle)).collect()
}

thread_local! {
    static JUDGING: Cell<bool> = const { Cell::new(false) };
}

/// Says whether this thread is inside a rule, whose panic is caught and reported.
pub fn is_judging() -> bool {
    JUDGING.get()
}

fn run_rule(rule: &'static Rule, graph: &Graph, bundle: &Bundle) -> Outcome {
    JUDGING.set(true);
    let judged = catch_unwind(AssertUnwindSafe(|| {
        let mut cx = Cx::new(graph, bundle);
        if let Judge::Bundle(check) = rule.judge {
            check(&mut cx);
        }
        cx.finish()
    }));
    JUDGING.set(false);
    match judged {
        Ok((findings, asks, reads)) => Outcome { rule, findings, asks, reads, panic: None },
        Err(cause) => {
            let text = cause.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| cause.downcast_ref::<String>().cloned());
            let panic = Some(text.unwrap_or_else(|| "no message".to_owned()));
            let (findings, asks, reads) = Default::default();
            Outcome { rule, findings, asks, reads, panic }
        }
    }
}
