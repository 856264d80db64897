//! FL1117 wait-too-long.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::kube::time::{LONGEST_DURATION, read_go_duration};
use crate::model::strategy::Strategy;
use crate::rule::Cx;

declare_rule! {
    /// A wait that is longer than a duration can be.
    ///
    /// ## Why it matters
    /// Durations end at about 2562047 hours; the API server accepts more, and the controllers cannot read it.
    ///
    /// ## What to do
    /// Write a shorter time.
    pub static WAIT_TOO_LONG = Rule {
        code: "FL1117",
        name: "wait-too-long",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Strategy],
        check: wait_too_long,
    }
}

fn wait_too_long(cx: &mut Cx<'_>) {
    for strategy in cx.drafts::<Strategy>() {
        for stage in &strategy.stages {
            for wait in stage.after.iter().chain(&stage.before).filter_map(|t| t.wait.as_ref()) {
                if read_go_duration(wait).is_none_or(|time| time <= LONGEST_DURATION) {
                    continue;
                }
                let finding = WAIT_TOO_LONG
                    .at_field(&wait.place(), "more than a duration can be")
                    .message(format!(
                        "the wait of stage {} of {} cannot be read",
                        stage.name(),
                        strategy.name()
                    ))
                    .why("durations end at about 2562047 hours, 292 years");
                cx.report(finding);
            }
        }
    }
}
