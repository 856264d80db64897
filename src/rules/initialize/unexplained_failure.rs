//! FL0118 unexplained-failure.

use crate::declare_rule;
use crate::finding::{Finding, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::condition::Condition;
use crate::model::run::Run;
use crate::rule::{Cx, Told};
use crate::rules::commands::show_command;
use crate::rules::failure::settle;
use crate::rules::logs::failed_run_in_log::is_told_by_log;
use crate::syntax::Syntax;

declare_rule! {
    /// A run that failed with words that no other rule explains.
    ///
    /// ## Why it matters
    /// The run has ended for good. Its words are of another release, or about something rare.
    ///
    /// ## What to do
    /// Read the run's message, correct what it names, and make a new run. Words with "client error" mean that something
    /// the user wrote is at fault; others point at the controller.
    pub static UNEXPLAINED_FAILURE = Rule {
        code: "FL0118",
        name: "unexplained-failure",
        severity: Severity::Error,
        reads: &[Kind::Run],
        remainder: unexplained_failure,
    }
}

fn unexplained_failure(cx: &mut Cx<'_>, told: &Told) {
    for run in cx.runs() {
        let Some(failure) = run.failure() else { continue };
        if failure.message().is_empty() {
            if is_told_by_log(cx, run) {
                continue;
            }
            let finding = without_words(run, failure);
            cx.ask(show_command(&run.meta.key), format!("why {} failed", run.meta.name()));
            let finding = settle(cx, run, finding);
            cx.report(finding);
            continue;
        }
        if failure.message.as_ref().is_some_and(|words| told.explains_words(words)) {
            continue;
        }
        let recognised = cx.recognise(failure.message(), failure.hint(&run.meta.key.kind));
        let wording =
            if recognised.is_unknown() { " (a wording that fleetlens does not know)" } else { "" };
        let user = failure.message().contains("client error");
        let mut known = recognised.causes().filter_map(|part| part.template);
        let advice = known.find_map(|template| template.remedy().or_else(|| template.means()));
        let finding = UNEXPLAINED_FAILURE
            .at(failure.best_span(), "the run's last words")
            .message(format!("{} failed: {}{wording}", run.meta.name(), failure.message()))
            .why(advice.unwrap_or(if user {
                "by its words something that a user wrote is at fault"
            } else {
                "the words do not blame a user; the log of hub-agent may tell more"
            }))
            .recover(Recoverability::RunIsDead);
        let finding = settle(cx, run, finding);
        cx.report(finding);
    }
}

/// Describes a failure of which only a table row or a fragment is left.
fn without_words(run: &Run, failure: &Condition) -> Finding {
    let shown =
        if run.meta.syntax == Syntax::Table { "a table" } else { "what is left of its text" };
    UNEXPLAINED_FAILURE
        .at(failure.status.span, "False")
        .message(format!(
            "{} failed ({} is False); {shown} does not say why",
            run.meta.name(),
            &*failure.kind
        ))
        .why("the run's own text names the cause")
        .recover(Recoverability::RunIsDead)
        .command(show_command(&run.meta.key))
}
