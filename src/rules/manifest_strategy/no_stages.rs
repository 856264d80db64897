//! FL1102 no-stages.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::strategy::Strategy;
use crate::rule::Cx;

declare_rule! {
    /// A strategy without stages.
    ///
    /// ## Why it matters
    /// The API server accepts it; every run fails as soon as one cluster is selected, since no stage takes it.
    ///
    /// ## What to do
    /// Add a stage.
    pub static NO_STAGES = Rule {
        code: "FL1102",
        name: "no-stages",
        severity: Severity::Warning,
        layer: Layer::Controller,
        reads: &[Kind::Strategy],
        check: no_stages,
    }
}

fn no_stages(cx: &mut Cx<'_>) {
    for strategy in cx.drafts::<Strategy>() {
        let Some(list) = strategy.stages.site.as_ref().filter(|_| strategy.stages.is_empty())
        else {
            continue;
        };
        let finding = NO_STAGES
            .at_field(&list.key_place(), "empty")
            .message(format!("{} {} has no stages", strategy.meta.key.kind, strategy.name()))
            .why("a run fails as soon as one cluster is selected");
        cx.report(finding);
    }
}
