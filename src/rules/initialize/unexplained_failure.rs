//! FL0118 unexplained-failure.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::model::condition::Condition;
use crate::model::log::Agent;
use crate::model::run::Run;
use crate::rule::{Cx, Explained};
use crate::rules::commands::{hub_agent_log, show_for};
use crate::rules::logs::failed_run_in_log::is_explained_by_log;
use crate::rules::run_failure::finish_failed_run;
use crate::syntax::Syntax;

declare_rule! {
    /// A run that failed with words that no other rule explains.
    ///
    /// ## Why it matters
    /// The run cannot be resumed. Its words are of another release, or about something rare.
    ///
    /// ## What to do
    /// Read the run's message, correct what it names, and create a new run. Words with "client error" mean that something
    /// the user wrote is at fault; others point at the controller.
    pub static UNEXPLAINED_FAILURE = Rule {
        code: "FL0118",
        name: "unexplained-failure",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Binding],
        remainder: unexplained_failure,
    }
}

fn unexplained_failure(cx: &mut Cx<'_>, told: &Explained) {
    for run in cx.runs() {
        let Some(failure) = run.failure() else { continue };
        if failure.message.as_ref().is_some_and(|words| told.explains_words(words)) {
            continue;
        }
        let finding = match failure.message() {
            "" if is_explained_by_log(cx, run) || is_explained_by_twin(cx, run) => continue,
            "" => without_words(cx, run, failure),
            _ => with_words(cx, run, failure),
        };
        if failure.message().is_empty() {
            cx.ask(show_for(&run.meta.key, ""), format!("why {} failed", run.meta.name()));
        }
        let finding = {
            let outlook = cx.outlook_of_run(run, Repair::Strategy);
            finish_failed_run(cx, run, finding, outlook)
        };
        cx.report(finding);
    }
}

fn with_words<'g>(cx: &Cx<'g>, run: &'g Run, failure: &'g Condition) -> Finding {
    let recognised = cx.recognise(failure.message(), failure.hint(&run.meta.key.kind));
    let mut known = recognised.causes().filter_map(|part| part.template);
    let advice = known.find_map(|template| template.remedy().or_else(|| template.means()));
    let user = failure.message().contains("client error");
    let words = failure.message().trim_end_matches('.');
    let mut finding = UNEXPLAINED_FAILURE
        .at(failure.best_span(), "the last words of the run")
        .message(format!("{} failed: {words}.", run.meta.title()))
        .why(advice.unwrap_or(match user {
            true => "By its words, something that a user wrote is at fault.",
            false => "Its words do not blame a user. The log of the hub agent may tell more.",
        }));
    if recognised.is_unknown() {
        finding = finding.hint("fleetlens does not know this wording.");
    }
    let has_log = cx.logs().iter().any(|log| log.agent == Agent::Hub);
    if user || has_log { finding } else { finding.command(hub_agent_log()) }
}

/// Says whether the words of a run of the same name are there: one paste often shows both scopes by one text.
fn is_explained_by_twin(cx: &Cx<'_>, run: &Run) -> bool {
    let words = |other: &Run| other.failure().is_some_and(|failure| !failure.message().is_empty());
    let twin = |other: &&Run| other.meta.key.name == run.meta.key.name && words(other);
    run.meta.syntax == Syntax::Table && cx.runs().iter().any(|other| twin(&other))
}

/// Describes a failure of which only a table row or a fragment is left.
fn without_words(cx: &Cx<'_>, run: &Run, failure: &Condition) -> Finding {
    let shown = match run.meta.syntax {
        Syntax::Table => "The table does not say why",
        _ => "What is left of its text does not say why",
    };
    let finding = UNEXPLAINED_FAILURE
        .at(failure.status.span, format!("{} failed", run.meta.name()))
        .message(format!(
            "{} failed ({} is False) on {}. {shown}.",
            run.meta.title(),
            &*failure.kind,
            run.show_placement()
        ))
        .why("The run's own status names the cause.")
        .command(show_for(&run.meta.key, "tells why the run failed"));
    let placement = run.placement.as_deref().unwrap_or_default();
    let bindings = cx.bindings_of(run.meta.namespace(), placement);
    let left = bindings.iter().filter(|binding| binding.state.as_deref() == Some("Unscheduled"));
    left.take(2).fold(finding, |finding, binding| {
        let place = binding.state.as_ref().map(|state| state.span);
        let cluster = binding.cluster();
        finding
            .also_at(place, format!("{cluster} is no longer picked"))
            .hint("A run fails when the placement drops one of its clusters on the way.")
    })
}
