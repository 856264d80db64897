//! FL0917 failed-run-in-log.

use std::collections::BTreeMap;

use crate::declare_rule;
use crate::facts::after_repair::{LoggedRun, of_logged};
use crate::finding::{Finding, Severity, Topic};
use crate::grammar::message::{
    HoleRole, LogLines, MessageContext, PrefixLayer, SelfRecovery, line, recognise,
};
use crate::graph::Listing;
use crate::model::log::{LogEvent, LogRef};
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::commands::show_command;
use crate::rules::sentence::{as_sentence, clip, full_stop};
use crate::syntax::log::RecordLevel;

declare_rule! {
    /// A run that has failed for good, as only the log of hub-agent shows.
    ///
    /// ## Why it matters
    /// The controller gives a run up when its initialization or a later validation fails, or when a stage cannot go on. It
    /// writes the cause into the status of the run, and into its log. Such a run is never taken up again.
    ///
    /// ## What to do
    /// Repair what the error names, then make a new run.
    ///
    /// ## Also covered
    /// Releases before v0.3.1 do not say that a validation failed; there the line of the fault itself is the proof. A run of
    /// which the log only says that it had failed before is a note: it may be one of long ago.
    pub static FAILED_RUN_IN_LOG = Rule {
        code: "FL0917",
        name: "failed-run-in-log",
        severity: Severity::Error,
        reads: &[],
        check: failed_run_in_log,
    }
}

/// One run in one log, as far as the log has shown it.
#[derive(Default)]
struct Life<'g> {
    /// The line by which it is known to have failed, and the run in it.
    end: Option<(&'g LogEvent, &'g LogRef)>,
    /// The error before that.
    detail: Option<&'g LogEvent>,
    /// The last error, whether it is the end or not.
    error: Option<&'g LogEvent>,
}

/// Follows every run through every log.
fn lives<'g>(cx: &Cx<'g>) -> Vec<Life<'g>> {
    let mut lives: BTreeMap<(usize, &str, &str), Life<'g>> = BTreeMap::new();
    for event in cx.log_events() {
        if let Some(run) = event.find(HoleRole::Run) {
            lives.entry((event.log, &run.namespace, &run.name)).or_default().note(event, run);
        }
    }
    lives.into_values().collect()
}

/// Says whether a log shows why a run failed of which the rest of the bundle has no words.
pub fn is_explained_by_log(cx: &Cx<'_>, run: &Run) -> bool {
    let own = |named: &LogRef| {
        *named.name == *run.meta.name() && *named.namespace == *run.meta.namespace()
    };
    lives(cx).iter().any(|life| {
        life.end.is_some_and(|(end, named)| own(named) && end.error.is_some() && !is_past(end))
    })
}

fn failed_run_in_log(cx: &mut Cx<'_>) {
    for life in lives(cx) {
        // A run at hand tells more than the log, unless only a row of a table is left of it; and one that a
        // whole list lacks is gone.
        let unknown = |run: &LogRef| {
            let key = run.object()?;
            let shown = cx.has_run(&run.namespace, &run.name);
            let known = !cx.sightings_of(&key).is_empty();
            let gone = !known && cx.listing(&key.kind, &key.namespace) == Listing::All;
            let mute = !shown || cx.lacks_words(&run.namespace, &run.name);
            (!gone && mute).then_some(key)
        };
        let Some((end, run)) = life.end else { continue };
        // A pre-emption is a finding of its own.
        let is_identified =
            end.is(line::PREEMPTED) || life.detail.is_some_and(|e| e.is(line::PREEMPTED));
        let Some(key) = unknown(run).filter(|_| !is_identified) else { continue };
        let words = end.error.as_ref().map(|(error, _)| &**error).unwrap_or_default();
        let verb = match end.shown_time() {
            Some(time) if is_past(end) => format!("had failed before {time}"),
            None if is_past(end) => "had failed before".to_owned(),
            _ => format!("failed permanently{}", cx.at_time(end)),
        };
        let words_told = if words.is_empty() {
            "The log does not show why.".to_owned()
        } else {
            format!("Its last words: {}", full_stop(&clip(telling(words))))
        };
        let finding = FAILED_RUN_IN_LOG
            .at(end.error.as_ref().map_or(end.span, |(_, span)| *span), "its last words")
            .for_object(key.clone())
            .also_log(run.span, "the run that was given up", Some(key.clone()))
            .message(format!(
                "{} {} {verb}, by the log of the hub agent. {words_told}",
                key.kind,
                key.path(),
            ))
            .why(mechanism(words))
            .hint(remedy(words))
            .outlook(of_logged(&key.name, LoggedRun::Failed))
            .explains(Topic::Run(key.clone()))
            .command(show_command(&key));
        let untold = is_past(end) && words.is_empty();
        let finding = if untold { finding.severity(Severity::Note) } else { finding };
        cx.report(with_detail(finding, life.detail));
    }
}

/// Shows what the line of the fault itself names: placement, strategy, policy snapshot or cluster.
fn with_detail(finding: Finding, detail: Option<&LogEvent>) -> Finding {
    let named = [
        (HoleRole::Placement, "its placement"),
        (HoleRole::PolicySnapshot, "its policy snapshot"),
        (HoleRole::Strategy, "its strategy"),
    ];
    let finding = match detail.and_then(|detail| detail.find(HoleRole::Cluster)) {
        Some(found) => finding.also_log(found.span, format!("cluster {}", found.name), None),
        None => finding,
    };
    named.iter().fold(finding, |finding, (role, label)| {
        match detail.and_then(|detail| detail.find(*role)) {
            Some(found) => finding.also_log(found.span, *label, found.object()),
            None => finding,
        }
    })
}

/// Returns the part of an error that names the cause, without the words around every error.
fn telling(error: &str) -> &str {
    let recognised = recognise(error, &MessageContext::default());
    let cause = recognised.causes().next().and_then(|part| error.get(part.range.clone()));
    cause.unwrap_or(error)
}

/// Says how an error comes about, by the catalogue.
fn mechanism(error: &str) -> String {
    let recognised = recognise(error, &MessageContext::default());
    let means = recognised.causes().find_map(|part| part.template?.means());
    means
        .map_or_else(|| "The controller never takes up a failed run again.".to_owned(), as_sentence)
}

/// Says what to do about an error, by the catalogue.
fn remedy(error: &str) -> String {
    let recognised = recognise(error, &MessageContext::default());
    let remedy = recognised.causes().find_map(|part| part.template?.remedy());
    remedy.map(as_sentence).unwrap_or_default()
}

/// Says whether a line only tells that the run had failed before.
fn is_past(event: &LogEvent) -> bool {
    event.is(line::RUN_FINISHED) || event.is(line::INIT_FAILED_BEFORE)
}

impl<'g> Life<'g> {
    fn note(&mut self, event: &'g LogEvent, run: &'g LogRef) {
        let errs = event.level >= Some(RecordLevel::Error);
        if gets_on(event) {
            *self = Self::default();
        } else if self.end.is_none() && is_end(event) {
            // The stage is marked as failed after the line that says why.
            let cause = self.error.filter(|_| event.is(line::ABORT_STAGE));
            self.end = Some((cause.unwrap_or(event), run));
            self.detail = self.error.filter(|_| !is_past(event)).or(errs.then_some(event));
        }
        if errs && !event.is(line::BINDING_DIFF) {
            self.error = Some(event);
        }
    }
}

/// Says whether a line shows the run alive, or gone and made again.
fn gets_on(event: &LogEvent) -> bool {
    const ALIVE: [LogLines; 12] = [
        line::INIT_DONE,
        line::VALIDATED,
        line::EXECUTE,
        line::NOT_FINISHED,
        line::RUN_IDLE,
        line::STOPPING,
        line::STOPPED,
        line::RUN_COMPLETED,
        line::FINALIZER_ADDED,
        line::RUN_DELETING,
        line::CLUSTER_START,
        line::BOUND,
    ];
    ALIVE.iter().any(|lines| event.is(*lines))
}

/// Says whether a line shows that the run is given up, or was.
fn is_end(event: &LogEvent) -> bool {
    if event.is(line::ABORT_STAGE) || event.is(line::RUN_FINISHED) {
        let failed = |found: &LogRef| found.role == HoleRole::Text && &*found.name == "False";
        return event.is(line::ABORT_STAGE) || event.refs.iter().any(failed);
    }
    let Some((error, _)) = &event.error else { return false };
    let file = event.template.map(|template| template.file).unwrap_or_default();
    if !file.starts_with("updaterun/") {
        return false;
    }
    let recognised = recognise(error, &MessageContext::default());
    let is_terminal = |outcome: Option<SelfRecovery>| outcome == Some(SelfRecovery::Terminal);
    let checks = file.ends_with("/validation.go") || file.ends_with("/initialization.go");
    let gone = event.is(line::PLACEMENT_GET_FAILED) && error.ends_with("not found");
    let by_words = checks && recognised.templates().any(|template| is_terminal(template.outcome));
    recognised.has_prefix(PrefixLayer::Abort) || gone || by_words
}
