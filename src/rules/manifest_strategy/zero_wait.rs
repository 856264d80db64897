//! FL1116 zero-wait.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::strategy::Strategy;
use crate::rule::Cx;

declare_rule! {
    /// A timed wait of no time.
    ///
    /// ## Why it matters
    /// The API server accepts `0s`; every run of the strategy fails at initialization.
    ///
    /// ## What to do
    /// Write a time above zero, or remove the task.
    pub static ZERO_WAIT = Rule {
        code: "FL1116",
        name: "zero-wait",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Strategy],
        check: zero_wait,
    }
}

fn zero_wait(cx: &mut Cx<'_>) {
    for strategy in cx.drafts::<Strategy>() {
        for stage in &strategy.stages {
            for task in stage.after.iter().filter(|task| task.is_timed_wait()) {
                let Some(wait) = &task.wait else { continue };
                let digits = |c: char| c.is_ascii_digit() && c != '0';
                if wait.is_empty() || wait.contains(digits) {
                    continue;
                }
                let finding = ZERO_WAIT
                    .at_field(&wait.place(), "no time at all")
                    .message(format!(
                        "the wait after stage {} of {} is zero",
                        stage.name(),
                        strategy.name()
                    ))
                    .why("the API server accepts it, and every run fails at initialization");
                cx.report(finding);
            }
        }
    }
}
