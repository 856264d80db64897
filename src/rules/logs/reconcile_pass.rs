//! The passes of a controller over an object, by its log.
//!
//! A controller complains in every pass in which it finds a fault. What it complained of in an earlier pass, but not in
//! the last one that it brought to an end, is over.

use crate::grammar::message::{LogLines, line};
use crate::model::log::{LogEvent, LogRef};
use crate::rule::Cx;

/// The lines with which a controller begins and ends a pass; the catalogue counts them by their object.
pub struct ReconcilePass {
    begins: LogLines,
    ends: LogLines,
}

/// How a member agent looks at a Work.
pub const OVER_WORK: ReconcilePass = ReconcilePass {
    begins: line::WORKAPPLIER_WORK_APPLIER_RECONCILIATION_STARTS,
    ends: line::WORKAPPLIER_WORK_APPLIER_RECONCILIATION_ENDS,
};

/// How hub-agent makes the Works of a binding.
pub const OVER_BINDING: ReconcilePass = ReconcilePass {
    begins: line::WORKGENERATOR_START_RECONCILE_BINDING,
    ends: line::WORKGENERATOR_BINDING_RECONCILIATION_LOOP_ENDS,
};

/// How hub-agent looks at a placement.
pub const OVER_PLACEMENT: ReconcilePass = ReconcilePass {
    begins: line::PLACEMENT_PLACEMENT_RECONCILIATION_STARTS,
    ends: line::PLACEMENT_PLACEMENT_RECONCILIATION_ENDS,
};

/// How the scheduler goes through the clusters for a policy snapshot.
pub const OVER_POLICY: ReconcilePass = ReconcilePass {
    begins: line::FRAMEWORK_SCHEDULING_CYCLE_STARTS,
    ends: line::FRAMEWORK_SCHEDULING_CYCLE_ENDS,
};

impl ReconcilePass {
    /// Says whether a whole pass over the object follows the last complaint about it.
    pub fn follows(&self, cx: &Cx<'_>, complaint: &LogEvent, object: &LogRef) -> bool {
        let last = |lines: LogLines| cx.last_line_about(complaint.log, lines, object);
        last(self.begins)
            .zip(last(self.ends))
            .is_some_and(|(begin, end)| complaint.line < begin && begin < end)
    }
}
