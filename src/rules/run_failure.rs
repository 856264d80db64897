//! Why a run failed: its last words, taken apart.
//!
//! The rules of initialization, validation and pre-emption start from the same text, the message of the
//! condition that ended the run. Each claims the causes it can explain, by the ids of the message
//! catalogue; what nobody claims is reported as an unexplained failure.

use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Outlook, Recoverability, Severity, Topic};
use crate::grammar::message::{HoleRole, MessageId, MessagePart};
use crate::graph::HasMeta;
use crate::model::condition::Condition;
use crate::model::read::Text;
use crate::model::run::{Phase, Run};
use crate::rule::Cx;
use crate::source::Span;

/// A cause that the last words of a run name.
pub struct RunFailureCause<'g> {
    /// The run.
    pub run: &'g Run,
    /// The condition that ended it.
    pub condition: &'g Condition,
    /// The message of that condition.
    pub message: &'g Text,
    /// The part of the message that names the cause.
    pub part: MessagePart,
    /// Where that part stands.
    pub span: Span,
}

/// The message templates of a cause, old wordings included.
pub type ClaimedMessages = &'static [MessageId];

/// Returns the causes of failed runs that a claim covers, in run order.
pub fn causes<'g>(cx: &Cx<'g>, claim: ClaimedMessages) -> Vec<RunFailureCause<'g>> {
    let failed = cx.runs().iter().filter_map(|run| Some((run, run.failure()?)));
    failed.flat_map(|(run, condition)| parts(cx, run, condition, claim)).collect()
}

/// Reports each cause that a claim covers: what the rule says of it, finished as the repair asks.
pub fn report_causes<'g>(
    cx: &mut Cx<'g>,
    claim: ClaimedMessages,
    repair: Repair,
    describe: impl Fn(&Cx<'g>, &RunFailureCause<'g>) -> Finding,
) {
    for cause in causes(cx, claim) {
        let finding = cause.finish_failed_run(cx, describe(cx, &cause), repair);
        cx.report(finding);
    }
}

/// Returns what bears the name that a run gives, outside of the run's own scope.
pub fn in_other_scopes<'g, T: HasMeta>(
    all: &'g [T],
    run: &Run,
    name: &Option<Text>,
) -> impl Iterator<Item = &'g T> {
    let named = all.iter().filter(move |it| Some(it.meta().name()) == name.as_deref());
    named.filter(|it| it.meta().namespace() != run.meta.namespace())
}

/// Says whether a part of a message is covered by a claim.
fn is_claimed(part: &MessagePart, claim: ClaimedMessages) -> bool {
    part.template.is_some_and(|template| claim.contains(&template.id))
}

fn parts<'g>(
    cx: &Cx<'g>,
    run: &'g Run,
    condition: &'g Condition,
    claim: ClaimedMessages,
) -> Vec<RunFailureCause<'g>> {
    let Some(message) = &condition.message else { return Vec::new() };
    let mut found: Vec<RunFailureCause<'g>> = Vec::new();
    for part in &cx.recognise(message, condition.hint(&run.meta.key.kind)).parts {
        // Equal texts of several clusters come once; nested parts of one claim are one cause.
        let nested = part.parent.is_some() && !found.is_empty();
        if is_claimed(part, claim) && !nested {
            let span = cx.within(message, part.range.clone());
            found.push(RunFailureCause { run, condition, message, part: part.clone(), span });
        }
    }
    found
}

impl RunFailureCause<'_> {
    /// Returns the first thing that the cause names in a role.
    pub fn named(&self, role: HoleRole) -> Option<&str> {
        let found = self.part.refs.iter().find(|found| found.role == role)?;
        self.message.get(found.range.clone())
    }

    /// Returns everything that the cause names in a role.
    pub fn all_named(&self, role: HoleRole) -> Vec<&str> {
        let found = self.part.refs.iter().filter(|found| found.role == role);
        found.filter_map(|found| self.message.get(found.range.clone())).collect()
    }

    /// Returns what the cause names under a name of its own (`latest`, `recorded`).
    pub fn value(&self, name: &str) -> Option<&str> {
        let found = self.part.refs.iter().find(|found| found.name == name)?;
        self.message.get(found.range.clone())
    }

    /// Returns the place of the first thing that the cause names in a role, else of the whole cause.
    pub fn place(&self, cx: &Cx<'_>, role: HoleRole) -> Span {
        let found = self.part.refs.iter().find(|found| found.role == role);
        found.map_or(self.span, |found| cx.within(self.message, found.range.clone()))
    }

    /// Returns the words of the cause.
    pub fn words(&self) -> &str {
        self.message.get(self.part.range.clone()).unwrap_or(self.message)
    }

    /// Returns the words of the cause without their full stop, for the middle of a sentence.
    pub fn clause(&self) -> &str {
        self.words().trim_end_matches('.')
    }

    /// Says whether the run is known to have failed after it had been initialized.
    pub fn is_late(&self) -> bool {
        self.run.failed_in() == Some(Phase::Execution)
    }

    /// Says whether the run is known to have failed at its start.
    pub fn is_early(&self) -> bool {
        self.run.failed_in() == Some(Phase::Initialization)
    }

    /// Returns the label for the place where the run reports the cause.
    pub fn label(&self) -> String {
        format!("how {} reports it", self.run.meta.name())
    }

    /// Finishes a finding about this failure: its weight, that it explains the run, and what happens next.
    pub fn finish_failed_run(&self, cx: &Cx<'_>, finding: Finding, repair: Repair) -> Finding {
        finish_failed_run(cx, self.run, finding, cx.outlook_of_run(self.run, repair))
    }
}

/// Finishes a finding about a failed run.
///
/// A failure that a later run of the same placement has made good is history, not an alarm, and needs no steps.
pub fn finish_failed_run(
    cx: &Cx<'_>,
    run: &Run,
    mut finding: Finding,
    outlook: Outlook,
) -> Finding {
    let words = run.failure().and_then(|failure| failure.message.as_ref());
    finding = words
        .into_iter()
        .fold(finding, |finding, words| finding.explains(Topic::Message(words.span)))
        .explains(Topic::Run(run.meta.key.clone()))
        .explains(Topic::versions_of(run));
    if let Some(later) = cx.history().find_successor(run) {
        let done = later.condition("Succeeded");
        let place = done.map_or(later.meta.name_span, |done| done.status.span);
        finding.steps.clear();
        finding = finding
            .severity(Severity::Note)
            .also(place, format!("{} has succeeded since", later.meta.name()));
    } else if cx.history().may_have_successor(run) {
        let severity = finding.severity.min(Severity::Warning);
        finding = finding.severity(severity);
    }
    finding.outlook(outlook)
}

/// Returns what becomes of a living run that will fail at its next check.
pub fn foretold(cx: &Cx<'_>, run: &Run, unless: &str) -> Outlook {
    let then = format!(
        "{} fails at its next check{unless}. A failed run cannot be resumed; create a new one.",
        run.meta.title()
    );
    let steps = cx.outlook_of_run(run, Repair::Strategy).steps;
    Outlook { steps, ..Outlook::new(Recoverability::RunIsDead, then) }
}

/// Returns the runs that are initialized and have not ended, as far as their text is whole.
pub fn living_runs<'g>(cx: &Cx<'g>) -> impl Iterator<Item = &'g Run> + use<'g> {
    let runs = cx.runs().iter();
    runs.filter(|run| run.is_initialized() && !run.is_terminal() && !run.meta.partial)
}
