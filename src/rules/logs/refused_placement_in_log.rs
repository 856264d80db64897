//! FL0919 refused-placement-in-log.

use std::collections::BTreeSet;

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::message::{HoleRole, MessageContext, id, line, recognise};
use crate::model::log::{LogEvent, LogRef};
use crate::rule::Cx;
use crate::rules::commands::show_command;
use crate::rules::logs::reconcile_pass::{OVER_PLACEMENT, OVER_POLICY};

declare_rule! {
    /// A placement that hub-agent has put aside, by its log.
    ///
    /// ## Why it matters
    /// Selectors that cannot be followed are the user's fault to the controller, and a policy on which a plugin of the
    /// scheduler breaks down is unexpected to it. Neither is tried again by itself: the placement stays as it is until it, or
    /// something that it depends on, changes.
    ///
    /// ## What to do
    /// Correct in the placement what the error names.
    ///
    /// ## Also covered
    /// What hub-agent no longer complains of in its last pass over the placement is over and is not told.
    pub static REFUSED_PLACEMENT_IN_LOG = Rule {
        code: "FL0919",
        name: "refused-placement-in-log",
        severity: Severity::Error,
        reads: &[],
        check: refused_placement_in_log,
    }
}

fn refused_placement_in_log(cx: &mut Cx<'_>) {
    let mut told = BTreeSet::new();
    for (index, event) in cx.log_events().iter().enumerate().rev() {
        let Some(what) = refusal(event) else { continue };
        let (Some(placement), Some((error, span))) =
            (event.find(HoleRole::Placement), &event.error)
        else {
            continue;
        };
        let Some(key) = placement.object().filter(|key| told.insert(key.clone())) else { continue };
        if cx.has_object(&key) || is_over(cx, index, event, placement) {
            continue;
        }
        cx.report(
            REFUSED_PLACEMENT_IN_LOG
                .at(*span, "why it is put aside")
                .for_object(key.clone())
                .also_log(placement.span, "the placement", Some(key.clone()))
                .message(format!(
                    "The hub agent {what} {} {}{}: {error}.",
                    key.kind,
                    key.path(),
                    cx.at_time(event)
                ))
                .why(
                    "The hub agent does not try this again until the placement or what it \
                     depends on changes.",
                )
                .then(format!(
                    "{} continues by itself once it, or what it depends on, is changed.",
                    key.name
                ))
                .recover(Recoverability::NeedsPatch)
                .command(show_command(&key))
                .explains(Topic::Placement(key)),
        );
    }
}

/// Says what hub-agent has done with a placement that it puts aside in a line.
fn refusal(event: &LogEvent) -> Option<&'static str> {
    if event.is(line::SCHEDULER_PLACEMENT_UNEXPECTED_STATE) {
        return Some("has given up scheduling");
    }
    let (error, _) = event.error.as_ref()?;
    let selects = event.is(line::PLACEMENT_FAILED_SELECT_RESOURCES);
    // Any other error is tried again.
    let is_user = || {
        let recognised = recognise(error, &MessageContext::default());
        recognised.prefixes.iter().any(|(prefix, _)| prefix.id == id::PREFIX_USER)
    };
    (selects && is_user()).then_some("cannot select the resources of")
}

/// Says whether a later pass went without the complaint.
///
/// The scheduler counts its cycles by the policy snapshot, which the line before names.
fn is_over(cx: &Cx<'_>, index: usize, event: &LogEvent, placement: &LogRef) -> bool {
    let earlier = cx.log_events().get(..index).unwrap_or_default().iter().rev();
    let mut cycles = earlier
        .filter(|earlier| earlier.log == event.log && earlier.is(line::FRAMEWORK_FAILED_RUN));
    let policy = cycles.next().and_then(|cycle| cycle.find(HoleRole::PolicySnapshot));
    match event.is(line::SCHEDULER) {
        true => policy.is_some_and(|policy| OVER_POLICY.follows(cx, event, policy)),
        false => OVER_PLACEMENT.follows(cx, event, placement),
    }
}
