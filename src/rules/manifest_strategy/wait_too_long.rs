//! FL1117 wait-too-long.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
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
                if hours(wait) <= 2_562_047.0 {
                    continue;
                }
                let finding = WAIT_TOO_LONG
                    .on(&wait.place(), "more than a duration can be")
                    .message(format!(
                        "the wait of stage {} of {} cannot be read",
                        stage.name(),
                        strategy.name()
                    ))
                    .help("durations end at about 2562047 hours, 292 years");
                cx.report(finding);
            }
        }
    }
}

/// Adds up a wait in hours; what is no wait counts nothing.
fn hours(text: &str) -> f64 {
    let mut total = 0.0;
    let mut number = String::new();
    for c in text.chars() {
        let unit = match c {
            'h' => 1.0,
            'm' => 1.0 / 60.0,
            's' => 1.0 / 3600.0,
            _ => {
                number.push(c);
                continue;
            }
        };
        total += number.parse::<f64>().unwrap_or_default() * unit;
        number.clear();
    }
    total
}
