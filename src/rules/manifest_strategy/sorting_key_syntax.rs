//! FL1111 sorting-key-syntax.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::kube::names::key_trouble;
use crate::model::strategy::Strategy;
use crate::rule::Cx;

declare_rule! {
    /// A sorting key that cannot be a label.
    ///
    /// ## Why it matters
    /// No cluster can carry it, so every run with a cluster in the stage fails.
    ///
    /// ## What to do
    /// Write a label key.
    pub static SORTING_KEY_SYNTAX = Rule {
        code: "FL1111",
        name: "sorting-key-syntax",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Strategy],
        check: sorting_key_syntax,
    }
}

fn sorting_key_syntax(cx: &mut Cx<'_>) {
    for strategy in cx.drafts::<Strategy>() {
        for stage in &strategy.stages {
            let Some(sort) = &stage.sorting_label else { continue };
            let Some(why) = key_trouble(sort) else { continue };
            let finding = SORTING_KEY_SYNTAX
                .at_field(&sort.place(), "no label key")
                .message(format!(
                    "stage {} of {} sorts by something that is no label key: {why}",
                    stage.name(),
                    strategy.name()
                ))
                .why("no cluster can carry such a label");
            cx.report(finding);
        }
    }
}
