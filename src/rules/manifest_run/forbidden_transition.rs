//! FL1211 forbidden-transition.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::run::Run;
use crate::rule::Cx;

declare_rule! {
    /// A change of state that a run may not make.
    ///
    /// ## Why it matters
    /// A run goes from Initialize to Run, and between Run and Stop; it never goes back to Initialize. A removed
    /// `state` counts as Initialize.
    ///
    /// ## What to do
    /// Keep the state, or set one that is allowed from where the run is. To start over, make a new run.
    pub static FORBIDDEN_TRANSITION = Rule {
        code: "FL1211",
        name: "forbidden-transition",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Run],
        check: forbidden_transition,
    }
}

fn forbidden_transition(cx: &mut Cx<'_>) {
    for run in cx.drafts::<Run>() {
        let Some(before) = run.before() else { continue };
        let (Some(old), Some(new)) = (&before.state, &run.state) else { continue };
        let id = match (&**old, &**new) {
            ("Initialize", "Stop") => "run-state-initialize-stop",
            ("Run", "Initialize") => "run-state-run-initialize",
            ("Stop", "Initialize") => "run-state-stop-initialize",
            _ => continue,
        };
        let Some(rule) = run.manifest.server_rule(id) else { continue };
        let label = if new.is_default() {
            "without `state` it is Initialize"
        } else {
            "not from where it is"
        };
        let finding = FORBIDDEN_TRANSITION
            .at_field(&new.place(), label)
            .also(old.place().span, "was this")
            .message(format!("run {} may not go from {} to {}", run.name(), &**old, &**new))
            .why(&*rule.message);
        cx.report(finding);
    }
}
