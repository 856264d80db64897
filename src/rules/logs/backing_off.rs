//! FL0912 backing-off.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{HoleRole, line};
use crate::kube::time::{show_duration, show_timestamp};
use crate::model::key::ObjectKey;
use crate::model::log::{LogEvent, LogRef};
use crate::rule::Cx;
use crate::rules::commands::set_state_for;
use crate::rules::logs::binding_takeovers::{ends_run, is_same};

declare_rule! {
    /// A run that fails again and again and is looked at ever more rarely.
    ///
    /// ## Why it matters
    /// After each failed pass the controller waits about twice as long, up to 16 minutes 40 seconds. A cause that was
    /// repaired meanwhile shows only at the next pass, so that the run looks stuck for longer than it is.
    ///
    /// ## What to do
    /// Repair the cause, then wait for the next pass, or set `spec.state` to `Stop` and back to `Run` to have it at once.
    pub static BACKING_OFF = Rule {
        code: "FL0912",
        name: "backing-off",
        severity: Severity::Note,
        reads: &[],
        check: backing_off,
    }
}

/// Fewer failures than this are everyday conflicts.
const MANY: usize = 6;
/// Shorter pauses than this are not worth knowing.
const LONG: SignedDuration = SignedDuration::from_secs(60);

/// The failed looks at one run in one log: when, the line, and the run it names.
type Failures<'g> = Vec<(Timestamp, &'g LogEvent, &'g LogRef)>;

fn backing_off(cx: &mut Cx<'_>) {
    let mut failures: BTreeMap<(usize, &str, &str), Failures<'_>> = BTreeMap::new();
    for event in cx.log_events().iter().filter(|event| event.is(line::RECONCILER_ERROR)) {
        let (Some(run), Some(time)) = (event.find(HoleRole::Run), event.time) else { continue };
        failures
            .entry((event.log, &run.namespace, &run.name))
            .or_default()
            .push((time, event, run));
    }
    for ((_, namespace, name), failed) in failures {
        let pauses: Vec<SignedDuration> = failed
            .windows(2)
            .filter_map(|pair| match pair {
                [(left, ..), (right, ..)] => Some(right.duration_since(*left)),
                _ => None,
            })
            .collect();
        let (Some(last), Some(longest)) = (pauses.last(), pauses.iter().max()) else { continue };
        let Some((time, event, run)) = failed.last() else { continue };
        if failed.len() < MANY || last < &LONG || last < longest || is_over(cx, event, run) {
            continue;
        }
        let key = ObjectKey::of(Kind::Run, namespace, name);
        let error = event.error.as_ref().map(|(error, _)| format!(": {error}")).unwrap_or_default();
        cx.report(
            BACKING_OFF
                .at(run.span, format!("{} after the check before", show_duration(*last)))
                .for_object(key.clone())
                .message(format!(
                    "The controller checks {} ever more rarely. Check {} failed at {}, {} \
                         after the one before{error}.",
                    key.path(),
                    failed.len(),
                    show_timestamp(*time),
                    show_duration(*last),
                ))
                .why(
                    "A repair shows at the next check only. That may be twice as far away, \
                     16m 40s at most.",
                )
                .recover(Recoverability::ResumesAfterRepair)
                .command(set_state_for(&key, "Stop", "stops the run, to be resumed at once"))
                .command(set_state_for(&key, "Run", "resumes the run, which checks at once")),
        );
    }
}

/// Says whether the run came to an end, or a later pass over it went without an error.
fn is_over(cx: &Cx<'_>, failed: &LogEvent, run: &LogRef) -> bool {
    let later = cx.log_events().iter().filter(|event| event.log == failed.log);
    let mut later = later.skip_while(|event| event.line <= failed.line);
    later.any(|event| {
        let own = || event.find(HoleRole::Run).is_some_and(|named| is_same(named, run));
        let clean = event.is(line::NOT_FINISHED)
            && event.error.as_ref().is_none_or(|(error, _)| &**error == "null");
        (clean && own()) || ends_run(event, run)
    })
}
