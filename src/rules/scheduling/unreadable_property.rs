//! FL0612 unreadable-property.

use crate::declare_rule;
use crate::facts::pending_placement::PendingPlacement;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::kube::quantity::read_quantity;
use crate::model::cluster::RESOURCE_PREFIX;
use crate::model::read::Text;
use crate::rule::Cx;
use crate::rules::commands::edit_command;
use crate::source::Span;

declare_rule! {
    /// A property in the policy that the scheduler cannot read, so that it gives up on the placement.
    ///
    /// ## Why it matters
    /// Resource properties are read as `resources.kubernetes-fleet.io/` with `total`, `allocatable` or `available`, one
    /// dash and the resource. A resource with a dash of its own (`ephemeral-storage`), or a property that is no quantity
    /// (a version), is accepted by the API and ends every scheduling cycle with an error. The placement is then not
    /// queued again and stays at `SchedulePending`.
    ///
    /// ## What to do
    /// Take that property out of the affinity. Select by a label instead.
    pub static UNREADABLE_PROPERTY = Rule {
        code: "FL0612",
        name: "unreadable-property",
        severity: Severity::Error,
        reads: &[Kind::Placement, Kind::MemberCluster],
        check: unreadable_property,
    }
}

fn unreadable_property(cx: &mut Cx<'_>) {
    for &PendingPlacement { placement, span, .. } in cx.pending_placements() {
        let key = &placement.meta.key;
        let names = placement.policy.property_names();
        let Some((name, why, at)) = names.iter().find_map(|name| trouble(cx, name)) else {
            continue;
        };
        cx.report(
            UNREADABLE_PROPERTY
                .at(name.span, "the scheduler cannot read this")
                .also_at(at, "this value is no quantity")
                .also(span, "so the scheduler never answers")
                .message(format!(
                    "The scheduler gives up on {key}: it cannot read property {}, {why}.",
                    &**name
                ))
                .why(
                    "The API server accepts the name. The scheduler ends with an error and does \
                      not queue the placement again.",
                )
                .then(format!(
                    "{} is scheduled within seconds once its affinity no longer names this \
                     property.",
                    key.name
                ))
                .recover(Recoverability::ResumesAfterRepair)
                .step(edit_command(key), "opens it to take the property out of the affinity")
                .explains(Topic::Placement(key.clone())),
        );
    }
}

/// Returns why the scheduler cannot read a property, and the value that shows it.
fn trouble<'n>(cx: &Cx<'_>, name: &'n Text) -> Option<(&'n Text, String, Option<Span>)> {
    if let Some(resource) = name.strip_prefix(RESOURCE_PREFIX) {
        let dashes = resource.matches('-').count();
        let why = "which has more or fewer than one dash after the prefix";
        return (dashes != 1).then(|| (name, why.to_owned(), None));
    }
    let values = cx.members().iter().filter_map(|member| Some((member, member.property(name)?)));
    let (member, value) = values.into_iter().find(|(_, value)| read_quantity(value).is_none())?;
    let why = format!("because {} of {} is no quantity", &*value, member.meta.name());
    Some((name, why, Some(value.span)))
}
