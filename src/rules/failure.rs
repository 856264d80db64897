//! Why a run failed: its last words, taken apart.
//!
//! The rules of initialization, validation and pre-emption start from the same text, the message of the
//! condition that ended the run. Each claims the causes it can explain, by the ids of the message
//! catalogue; what nobody claims is reported as an unexplained failure.

use crate::finding::{Finding, Severity, Topic};
use crate::grammar::message::{MessageId, Part, Role, id};
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

/// The message templates of a cause, old wordings included.
pub type Claim = &'static [MessageId];

/// The placement does not exist.
pub const NO_PLACEMENT: Claim =
    &[id::ERR_PLACEMENT_NOT_FOUND, id::ERR_CRP_NOT_FOUND, id::ERR_RP_NOT_FOUND_DOC];
/// The placement is rolled out by another controller.
pub const NOT_EXTERNAL: Claim = &[id::ERR_NOT_EXTERNAL, id::ERR_CRP_NOT_EXTERNAL];
/// The strategy does not exist.
pub const NO_STRATEGY: Claim = &[id::ERR_STRATEGY_NOT_FOUND, id::ERR_STRATEGY_NOT_FOUND_CSUR];
/// A stage has tasks that the controller refuses.
pub const BAD_TASKS: Claim = &[
    id::ERR_BEFORE_TASKS,
    id::ERR_AFTER_TASKS,
    id::ERR_AFTER_TASKS_CSUR,
    id::ERR_TASK_BEFORE_MANY,
    id::ERR_TASK_BEFORE_TYPE,
    id::ERR_TASK_BEFORE_WAIT,
    id::ERR_TASK_AFTER_DUP,
    id::ERR_TASK_AFTER_NIL,
    id::ERR_TASK_AFTER_ZERO,
    id::ERR_TASK_AFTER_ZERO_OLD,
    id::EXEC_BEFORE_TASK_TYPE,
];
/// A stage has a selector that cannot be read.
pub const BAD_SELECTOR: Claim = &[id::ERR_SELECTOR, id::ERR_SELECTOR_CSUR];
/// A cluster is in two stages.
pub const TWO_STAGES: Claim = &[id::ERR_CLUSTER_TWICE, id::ERR_CLUSTER_TWICE_DOC];
/// A cluster is in no stage.
pub const NO_STAGE: Claim = &[id::ERR_CLUSTERS_MISSING, id::ERR_CLUSTERS_MISSING_OLD];
/// A sorting label is not a number.
pub const BAD_SORTING: Claim = &[id::ERR_SORTING_LABEL];
/// The asked-for snapshot does not exist.
pub const NO_SNAPSHOT: Claim = &[
    id::ERR_SNAPSHOT_INDEX,
    id::ERR_SNAPSHOT_INDEX_CSUR,
    id::ERR_SNAPSHOT_INDEX_DOC,
    id::ERR_SNAPSHOT_NAME_OLD,
    id::ERR_INDEX_INVALID,
];
/// The snapshot group lacks its master, or parts.
pub const BROKEN_GROUP: Claim = &[
    id::ERR_NO_MASTER,
    id::ERR_NO_MASTER_V01DEV,
    id::ERR_NO_MASTER_CSUR,
    id::ERR_SNAPSHOT_MASTER_OLD,
    id::ERR_OVERRIDE_SNAPSHOTS_PARTIAL,
];
/// The policy is not scheduled.
pub const NOT_SCHEDULED: Claim = &[
    id::ERR_POLICY_NOT_SCHEDULED,
    id::ERR_NO_LATEST_POLICY,
    id::ERR_NO_LATEST_POLICY_V01,
    id::ERR_NO_LATEST_POLICY_CSUR,
];
/// The policy snapshots cannot be told apart or read.
pub const BROKEN_POLICY: Claim = &[
    id::ERR_MULTI_LATEST_POLICY,
    id::ERR_MULTI_LATEST_POLICY_V01,
    id::ERR_MULTI_LATEST_POLICY_CSUR,
    id::ERR_POLICY_NO_INDEX,
    id::ERR_POLICY_NO_POLICY_OLD,
    id::ERR_POLICY_COUNT_ANNOTATION,
    id::ERR_COUNT_ANNOTATION_MISSING,
    id::ERR_COUNT_ANNOTATION_INVALID,
];
/// The policy picks no cluster.
pub const NO_BINDINGS: Claim = &[id::ERR_NO_BINDINGS, id::ERR_NO_BINDINGS_CSUR];
/// The bindings are fewer or more than the policy wants.
pub const BINDING_COUNT: Claim =
    &[id::ERR_BINDING_COUNT, id::ERR_BINDING_STATE_OLD, id::ERR_BINDING_OLD_POLICY_OLD];
/// The overrides could not be looked up.
pub const BAD_OVERRIDES: Claim = &[id::ERR_OVERRIDE_CLUSTER_GONE, id::ERR_OVERRIDE_POLICY_NIL];
/// The resources cannot be selected.
pub const BAD_SELECTION: Claim = &[
    id::ERR_SELECT_NAMESPACE_MODE,
    id::ERR_SELECT_DUP,
    id::ERR_SELECT_NS_FORBIDDEN,
    id::ERR_SELECT_GVR,
    id::ERR_SELECT_NS_IN_CRP,
    id::ERR_SELECT_CLUSTER_IN_RP,
];
/// The apply strategy was changed.
pub const APPLY_CHANGED: Claim = &[id::VAL_APPLYSTRATEGY, id::VAL_APPLYSTRATEGY_CSUR];
/// The policy was changed.
pub const POLICY_CHANGED: Claim = &[id::VAL_POLICY_INDEX, id::VAL_POLICY_INDEX_CSUR];
/// The number of clusters was changed.
pub const COUNT_CHANGED: Claim = &[id::VAL_CLUSTER_COUNT, id::VAL_CLUSTER_COUNT_CSUR];
/// The clusters of a stage changed.
pub const STAGES_CHANGED: Claim = &[
    id::VAL_STAGE_NUMBER,
    id::VAL_STAGE_NUMBER_CSUR,
    id::VAL_STAGE_NAME,
    id::VAL_STAGE_NAME_CSUR,
    id::VAL_STAGE_CLUSTER_NUMBER,
    id::VAL_STAGE_CLUSTER_NAME,
];
/// A cluster was taken out of the placement.
pub const UNSCHEDULED: Claim = &[
    id::VAL_DELETE_NEW,
    id::EXEC_DELETE_UNKNOWN,
    id::STOP_DELETE_UNKNOWN,
    id::EXEC_BINDING_MISSING,
    id::STOP_BINDING_MISSING,
];
/// The run's own status contradicts itself.
pub const BROKEN_STATUS: Claim = &[
    id::VAL_NIL_STRATEGY,
    id::VAL_NIL_STRATEGY_CSUR,
    id::VAL_NIL_STRATEGY_CSUR_OLD,
    id::VAL_NIL_STAGES,
    id::VAL_NIL_STAGES_CSUR,
    id::VAL_NIL_DELETION,
    id::VAL_NIL_DELETION_CSUR,
    id::VAL_FINISHED_AFTER_UPDATING,
    id::VAL_FINISHED_CLUSTER_OPEN,
    id::VAL_FINISHED_GAP,
    id::VAL_TWO_UPDATING,
    id::VAL_UPDATING_GAP,
    id::VAL_CONCURRENCY,
    id::VAL_CONCURRENCY_OLD,
    id::VAL_DELETE_ACTIVE,
    id::VAL_DELETE_INACTIVE_OLD,
    id::EXEC_DELETE_STILL_THERE,
    id::EXEC_DELETE_STILL_THERE_CSUR,
    id::EXEC_DELETE_NOT_DELETING,
    id::EXEC_MAXCONCURRENCY_NIL,
    id::EXEC_MAXCONCURRENCY_BAD,
];
/// A binding was changed under the run.
pub const PREEMPTED: Claim = &[
    id::EXEC_PREEMPTED,
    id::EXEC_PREEMPTED_V01,
    id::EXEC_PREEMPTED_CRB,
    id::EXEC_PREEMPTED_V001,
    id::EXEC_PREEMPTED_PRE,
    id::EXEC_PREEMPTED_DOC,
];
/// The state is one that the controller does not know.
pub const BAD_STATE: Claim = &[id::CTL_UNSUPPORTED_STATE];
/// A request of another run stands at the gate.
pub const WRONG_REQUEST: Claim = &[id::EXEC_WRONG_REQUEST, id::EXEC_WRONG_REQUEST_V01];

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
    part.template.is_some_and(|template| claim.contains(&template.id))
}

fn parts<'g>(cx: &Cx<'g>, run: &'g Run, condition: &'g Condition, claim: Claim) -> Vec<Cause<'g>> {
    let Some(message) = &condition.message else { return Vec::new() };
    let mut found: Vec<Cause<'g>> = Vec::new();
    for part in &cx.recognise(message, condition.hint(&run.meta.key.kind)).parts {
        // Equal texts of several clusters come once; nested parts of one claim are one cause.
        let nested = part.parent.is_some() && !found.is_empty();
        if is_claimed(part, claim) && !nested {
            let span = cx.within(message, part.range.clone());
            found.push(Cause { run, condition, message, part: part.clone(), span });
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
