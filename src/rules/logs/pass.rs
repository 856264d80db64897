//! The passes of a controller over an object, by its log.
//!
//! A controller complains in every pass in which it finds a fault. What it complained of in an earlier pass, but not in
//! the last one that it brought to an end, is over.

use crate::bundle::group_about;
use crate::model::log::{LogEvent, LogRef};
use crate::rule::Cx;
use crate::syntax::log::ObjectName;

/// The lines with which a controller begins and ends a pass; the catalogue counts them by their object.
pub struct Pass {
    begins: &'static str,
    ends: &'static str,
}

/// How a member agent looks at a Work.
pub const OVER_WORK: Pass = Pass {
    begins: "log-workapplier-work-applier-reconciliation-starts",
    ends: "log-workapplier-work-applier-reconciliation-ends",
};

/// How hub-agent makes the Works of a binding.
pub const OVER_BINDING: Pass = Pass {
    begins: "log-workgenerator-start-reconcile-binding",
    ends: "log-workgenerator-binding-reconciliation-loop-ends",
};

/// How hub-agent looks at a placement.
pub const OVER_PLACEMENT: Pass = Pass {
    begins: "log-placement-placement-reconciliation-starts",
    ends: "log-placement-placement-reconciliation-ends",
};

/// How the scheduler goes through the clusters for a policy snapshot.
pub const OVER_POLICY: Pass = Pass {
    begins: "log-framework-scheduling-cycle-starts",
    ends: "log-framework-scheduling-cycle-ends",
};

impl Pass {
    /// Says whether a whole pass over the object follows the last complaint about it.
    pub fn follows(&self, cx: &Cx<'_>, complaint: &LogEvent, object: &LogRef) -> bool {
        let Some(kept) = cx.bundle().logs.get(complaint.log) else { return false };
        let (namespace, name) = (object.namespace.clone(), object.name.clone());
        let object = ObjectName { namespace, name };
        let last = |id| Some(kept.scan.templates.get(&group_about(id, &object))?.last_line);
        last(self.begins)
            .zip(last(self.ends))
            .is_some_and(|(begin, end)| complaint.line < begin && begin < end)
    }
}
