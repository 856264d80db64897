//! FL1116 zero-wait.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::ManifestCx;
use crate::rules::manifest_strategy::stage::stages;

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
        manifest: zero_wait,
    }
}

fn zero_wait(cx: &mut ManifestCx<'_>) {
    for manifest in cx.of(Kind::Strategy) {
        for stage in stages(manifest) {
            for task in stage.list("afterStageTasks") {
                let Some(wait) =
                    task.get("waitTime").filter(|_| task.text("type") == Some("TimedWait"))
                else {
                    continue;
                };
                let digits = |c: char| c.is_ascii_digit() && c != '0';
                if wait.str().is_none_or(|text| text.is_empty() || text.contains(digits)) {
                    continue;
                }
                let finding = ZERO_WAIT
                    .on(&wait.place(), "no time at all")
                    .message(format!(
                        "the wait after stage {} of {} is zero",
                        stage.text("name").unwrap_or_default(),
                        manifest.name()
                    ))
                    .help("the API server accepts it, and every run fails at initialization");
                cx.report(finding);
            }
        }
    }
}
