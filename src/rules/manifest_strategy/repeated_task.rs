//! FL1119 repeated-task.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::same;
use crate::rule::ManifestCx;
use crate::rules::manifest_strategy::stage::stages;

declare_rule! {
    /// Two tasks of one type after a stage.
    ///
    /// ## Why it matters
    /// The API server accepts them; every run of the strategy fails at initialization.
    ///
    /// ## What to do
    /// Keep one of each.
    pub static REPEATED_TASK = Rule {
        code: "FL1119",
        name: "repeated-task",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Strategy],
        manifest: repeated_task,
    }
}

fn repeated_task(cx: &mut ManifestCx<'_>) {
    for manifest in cx.of(Kind::Strategy) {
        for stage in stages(manifest) {
            let tasks = stage.list("afterStageTasks");
            let [first, second] = tasks.as_slice() else { continue };
            if first.text("type").is_none() || first.text("type") != second.text("type") {
                continue;
            }
            let twin = same(first.node, second.node);
            let finding = REPEATED_TASK
                .on(&second.place(), "the same again")
                .also(first.place().span, "one")
                .message(format!("stage {} of {} has two tasks of type {}", stage.text("name").unwrap_or_default(), manifest.name(), first.text("type").unwrap_or_default()))
                .help("every run fails at initialization: afterStageTasks cannot have two tasks of the same type")
                .fix(Safety::Safe, twin.then(|| manifest.without(&second.pointer())).flatten());
            cx.report(finding);
        }
    }
}
