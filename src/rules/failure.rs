//! Why a run failed: its last words, taken apart.
//!
//! The rules of initialization, validation and pre-emption start from the same text, the message of the
//! condition that ended the run. Each claims the causes it can explain, by the ids of the message
//! catalogue; what nobody claims is reported as an unexplained failure.

use crate::finding::{Finding, Severity, Topic};
use crate::grammar::message::{Hint, Part, Role, recognise};
use crate::model::condition::Condition;
use crate::model::read::Text;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::source::Span;

/// A cause that the last words of a run name.
pub struct Cause<'g> {
    /// The run.
    pub run: &'g Run,
    /// The condition that ended it.
    pub condition: &'g Condition,
    /// Its message.
    pub message: &'g Text,
    /// The part of the message that names the cause.
    pub part: Part,
    /// Where that part stands.
    pub span: Span,
}

/// Ids of message templates; an id stands for itself and for the variants whose ids go on after it.
pub type Claim = &'static [&'static str];

/// The placement does not exist.
pub const NO_PLACEMENT: Claim =
    &["err-placement-not-found", "err-crp-not-found", "err-rp-not-found"];
/// The placement is rolled out by another controller.
pub const NOT_EXTERNAL: Claim = &["err-not-external", "err-crp-not-external"];
/// The strategy does not exist.
pub const NO_STRATEGY: Claim = &["err-strategy-not-found"];
/// A stage has tasks that the controller refuses.
pub const BAD_TASKS: Claim =
    &["err-before-tasks", "err-after-tasks", "err-task-", "exec-before-task-type"];
/// A stage has a selector that cannot be read.
pub const BAD_SELECTOR: Claim = &["err-selector"];
/// A cluster is in two stages.
pub const TWO_STAGES: Claim = &["err-cluster-twice"];
/// A cluster is in no stage.
pub const NO_STAGE: Claim = &["err-clusters-missing"];
/// A sorting label is not a number.
pub const BAD_SORTING: Claim = &["err-sorting-label"];
/// The asked-for snapshot does not exist.
pub const NO_SNAPSHOT: Claim =
    &["err-snapshot-index", "err-snapshot-name-old", "err-index-invalid"];
/// The snapshot group lacks its master, or parts.
pub const BROKEN_GROUP: Claim =
    &["err-no-master", "err-snapshot-master-old", "err-override-snapshots-partial"];
/// The policy is not scheduled.
pub const NOT_SCHEDULED: Claim = &["err-policy-not-scheduled", "err-no-latest-policy"];
/// The policy snapshots cannot be told apart or read.
pub const BROKEN_POLICY: Claim = &[
    "err-multi-latest-policy",
    "err-policy-no-index",
    "err-policy-no-policy",
    "err-policy-count",
    "err-count-annotation",
];
/// The policy picks no cluster.
pub const NO_BINDINGS: Claim = &["err-no-bindings"];
/// The bindings are fewer or more than the policy wants.
pub const BINDING_COUNT: Claim =
    &["err-binding-count", "err-binding-state", "err-binding-old-policy"];
/// The overrides could not be looked up.
pub const BAD_OVERRIDES: Claim = &["err-override-cluster-gone", "err-override-policy-nil"];
/// The resources cannot be selected.
pub const BAD_SELECTION: Claim = &["err-select-"];
/// The apply strategy was changed.
pub const APPLY_CHANGED: Claim = &["val-applystrategy"];
/// The policy was changed.
pub const POLICY_CHANGED: Claim = &["val-policy-index"];
/// The number of clusters was changed.
pub const COUNT_CHANGED: Claim = &["val-cluster-count"];
/// The clusters of a stage changed.
pub const STAGES_CHANGED: Claim = &["val-stage-number", "val-stage-name", "val-stage-cluster"];
/// A cluster was taken out of the placement.
pub const UNSCHEDULED: Claim = &[
    "val-delete-new",
    "exec-delete-unknown",
    "stop-delete-unknown",
    "exec-binding-missing",
    "stop-binding-missing",
];
/// The run's own status contradicts itself.
pub const BROKEN_STATUS: Claim = &[
    "val-nil-",
    "val-finished-",
    "val-two-updating",
    "val-updating-gap",
    "val-concurrency",
    "val-delete-active",
    "val-delete-inactive",
    "exec-delete-still-there",
    "exec-delete-not-deleting",
    "exec-maxconcurrency",
];
/// A binding was changed under the run.
pub const PREEMPTED: Claim = &["exec-preempted"];
/// The state is one that the controller does not know.
pub const BAD_STATE: Claim = &["ctl-unsupported-state"];
/// A request of another run stands at the gate.
pub const WRONG_REQUEST: Claim = &["exec-wrong-request"];

/// Everything that some rule explains.
pub const CLAIMED: &[Claim] = &[
    NO_PLACEMENT,
    NOT_EXTERNAL,
    NO_STRATEGY,
    BAD_TASKS,
    BAD_SELECTOR,
    TWO_STAGES,
    NO_STAGE,
    BAD_SORTING,
    NO_SNAPSHOT,
    BROKEN_GROUP,
    NOT_SCHEDULED,
    BROKEN_POLICY,
    NO_BINDINGS,
    BINDING_COUNT,
    BAD_OVERRIDES,
    BAD_SELECTION,
    APPLY_CHANGED,
    POLICY_CHANGED,
    COUNT_CHANGED,
    STAGES_CHANGED,
    UNSCHEDULED,
    BROKEN_STATUS,
    PREEMPTED,
    BAD_STATE,
    WRONG_REQUEST,
];

/// Returns the causes of failed runs that a claim covers, in run order.
pub fn causes<'g>(cx: &Cx<'g>, claim: Claim) -> Vec<Cause<'g>> {
    let failed = cx.runs().iter().filter_map(|run| Some((run, run.failure()?)));
    failed.flat_map(|(run, condition)| parts(cx, run, condition, claim)).collect()
}

/// Says whether a part of a message is covered by a claim.
pub fn is_claimed(part: &Part, claim: Claim) -> bool {
    let id = part.template.map_or("", |template| template.id);
    claim.iter().any(|known| id.starts_with(known))
}

fn parts<'g>(cx: &Cx<'g>, run: &'g Run, condition: &'g Condition, claim: Claim) -> Vec<Cause<'g>> {
    let Some(message) = &condition.message else { return Vec::new() };
    let hint = Hint {
        condition_type: Some(&condition.kind),
        reason: condition.reason.as_deref(),
        kind: Some(&run.meta.key.kind),
    };
    let mut found: Vec<Cause<'g>> = Vec::new();
    for part in recognise(message, &hint).parts {
        // Equal texts of several clusters come once; nested parts of one claim are one cause.
        let nested = part.parent.is_some() && !found.is_empty();
        if is_claimed(&part, claim) && !nested {
            let span = cx.within(message, part.range.clone());
            found.push(Cause { run, condition, message, part, span });
        }
    }
    found
}

impl Cause<'_> {
    /// Returns the first thing that the cause names in a role.
    pub fn named(&self, role: Role) -> Option<&str> {
        let found = self.part.refs.iter().find(|found| found.role == role)?;
        self.message.get(found.range.clone())
    }

    /// Returns everything that the cause names in a role.
    pub fn all_named(&self, role: Role) -> Vec<&str> {
        let found = self.part.refs.iter().filter(|found| found.role == role);
        found.filter_map(|found| self.message.get(found.range.clone())).collect()
    }

    /// Returns what the cause names under a name of its own (`latest`, `recorded`).
    pub fn value(&self, name: &str) -> Option<&str> {
        let found = self.part.refs.iter().find(|found| found.name == name)?;
        self.message.get(found.range.clone())
    }

    /// Returns the place of the first thing that the cause names in a role, else of the whole cause.
    pub fn place(&self, cx: &Cx<'_>, role: Role) -> Span {
        let found = self.part.refs.iter().find(|found| found.role == role);
        found.map_or(self.span, |found| cx.within(self.message, found.range.clone()))
    }

    /// Returns the words of the cause.
    pub fn words(&self) -> &str {
        self.message.get(self.part.range.clone()).unwrap_or(self.message)
    }

    /// Says whether the run failed after it had been initialized.
    pub fn is_late(&self) -> bool {
        &*self.condition.kind == "Succeeded"
    }

    /// Finishes a finding about this failure: its weight, and that it explains the run.
    pub fn settle(&self, cx: &Cx<'_>, finding: Finding) -> Finding {
        settle(cx, self.run, finding)
    }
}

/// Finishes a finding about a failed run.
///
/// A failure that a later run of the same placement has made good is history, not an alarm.
pub fn settle(cx: &Cx<'_>, run: &Run, finding: Finding) -> Finding {
    let finding =
        finding.explains(Topic::Run(run.meta.key.clone())).explains(Topic::versions_of(run));
    match find_successor(cx, run) {
        Some(later) => finding.severity(Severity::Note).also(
            later.condition("Succeeded").map_or(later.meta.name_span, |done| done.status.span),
            format!("{} has succeeded since", later.meta.name()),
        ),
        None => finding,
    }
}

/// Finds a later run of the same placement that has succeeded.
pub fn find_successor<'g>(cx: &Cx<'g>, run: &Run) -> Option<&'g Run> {
    let born = run.meta.created?.value;
    let others = cx.runs_of(run.meta.namespace(), run.placement.as_deref()?);
    others.into_iter().find(|other| {
        other.has_succeeded() && other.meta.created.is_some_and(|created| created.value > born)
    })
}
