//! FL0415 unstarted-run.

use jiff::SignedDuration;

use crate::declare_rule;
use crate::finding::{Certainty, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::kube::time::show_duration;
use crate::rule::Cx;
use crate::rules::commands::{set_state_for, show_command, show_for};
use crate::syntax::Syntax;

declare_rule! {
    /// A run that was prepared some time ago and has not started, as a row of `kubectl get` shows it.
    ///
    /// ## Why it matters
    /// INITIALIZED True says that the run is ready to start, not that it runs. With PROGRESSING and SUCCEEDED empty
    /// nothing is rolled out: `spec.state` is `Initialize`, which is its default, or no controller works on the run.
    ///
    /// ## What to do
    /// Look at `spec.state` of the run, and set it to `Run`. If it is `Run`, look at the hub agent.
    pub static UNSTARTED_RUN = Rule {
        code: "FL0415",
        name: "unstarted-run",
        severity: Severity::Warning,
        reads: &[Kind::Run],
        check: unstarted_run,
    }
}

/// A run starts within seconds of its initialization.
const PATIENCE: SignedDuration = SignedDuration::from_mins(2);

fn unstarted_run(cx: &mut Cx<'_>) {
    for run in cx.runs() {
        // Whoever shows the state or the words of the run is told by other rules.
        let is_row = run.meta.syntax == Syntax::Table && run.state.is_none();
        let begun = run.condition("Progressing").or_else(|| run.condition("Succeeded")).is_some();
        let Some(initialized) =
            run.condition("Initialized").filter(|initialized| initialized.is_true() && is_row)
        else {
            continue;
        };
        let Some(age) = run.meta.row_age().filter(|age| age.value >= PATIENCE && !begun) else {
            continue;
        };
        let name = run.meta.name();
        cx.ask(show_command(&run.meta.key), format!("whether spec.state of {name} is Run"));
        cx.report(
            UNSTARTED_RUN
                .at(initialized.status.span, "ready to start")
                .also(age.span, "and this old")
                .message(format!(
                    "{name} was created {} ago, is initialized and has not started. Its \
                     spec.state is Initialize, or no controller works on it.",
                    show_duration(age.value)
                ))
                .why(
                    "A run starts only when spec.state is Run. INITIALIZED True means that it \
                     is prepared.",
                )
                .certainty(Certainty::Likely)
                .recover(Recoverability::NeedsPatch)
                .then(format!(
                    "If spec.state is Initialize, {name} starts within seconds of this patch."
                ))
                .command(show_for(&run.meta.key, "shows spec.state"))
                .command(set_state_for(&run.meta.key, "Run", "starts the run")),
        );
    }
}
