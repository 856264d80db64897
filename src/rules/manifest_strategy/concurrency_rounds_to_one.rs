//! FL1113 concurrency-rounds-to-one.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::strategy::Strategy;
use crate::rule::Cx;
use crate::rules::manifest_strategy::stage::selectors;

declare_rule! {
    /// A percentage of a stage that is less than one cluster.
    ///
    /// ## Why it matters
    /// The percentage is rounded down and then raised to 1, so the clusters are updated one at a time.
    ///
    /// ## What to do
    /// Choose a larger percentage, or a number.
    pub static CONCURRENCY_ROUNDS_TO_ONE = Rule {
        code: "FL1113",
        name: "concurrency-rounds-to-one",
        severity: Severity::Note,
        layer: Layer::Advice,
        reads: &[Kind::Strategy, Kind::MemberCluster],
        check: concurrency_rounds_to_one,
    }
}

fn concurrency_rounds_to_one(cx: &mut Cx<'_>) {
    let members = cx.repository().fleet();
    for strategy in cx.drafts::<Strategy>() {
        for (stage, _, selector) in selectors(&strategy) {
            let Some(most) = &stage.max_concurrency else { continue };
            let percent = most.strip_suffix('%').and_then(|percent| percent.parse::<usize>().ok());
            let Some(percent) = percent else { continue };
            let size = members.iter().filter(|member| selector.matches(&member.labels)).count();
            if size < 2 || size.saturating_mul(percent) >= 100 {
                continue;
            }
            let finding = CONCURRENCY_ROUNDS_TO_ONE
                .at_field(&most.place(), format!("of {size} clusters"))
                .message(format!(
                    "stage {} of {} updates one cluster at a time",
                    stage.name(),
                    strategy.name()
                ))
                .why(format!("{percent}% of {size} clusters is less than one"));
            cx.report(finding);
        }
    }
}
