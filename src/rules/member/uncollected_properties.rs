//! FL0754 uncollected-properties.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::member_agent_log;
use crate::rules::sentence::{clip, full_stop};

declare_rule! {
    /// A member whose properties are not collected while a placement schedules by properties.
    ///
    /// ## Why it matters
    /// Affinity by property compares what the member agent last reported. With a property provider that does not start or
    /// fails, the values are old or missing, and a missing property never matches.
    ///
    /// ## What to do
    /// Look at the condition's message and at the member agent's log; the provider may lack a right.
    pub static UNCOLLECTED_PROPERTIES = Rule {
        code: "FL0754",
        name: "uncollected-properties",
        severity: Severity::Warning,
        reads: &[Kind::MemberCluster, Kind::Placement],
        check: uncollected_properties,
    }
}

const COLLECTED: [&str; 2] =
    ["ClusterPropertyCollectionSucceeded", "ClusterPropertyProviderStarted"];

fn uncollected_properties(cx: &mut Cx<'_>) {
    let placements = cx.placements().iter();
    let wanted: Vec<_> = placements
        .filter_map(|it| Some((&it.meta.key, it.policy.property_names().first()?.span)))
        .collect();
    let Some((key, place)) = wanted.first() else { return };
    for member in cx.members() {
        let failing = COLLECTED.iter().filter_map(|kind| member.condition(kind));
        let Some(failing) = failing.into_iter().find(|condition| condition.is_false()) else {
            continue;
        };
        let name = member.meta.name();
        cx.report(
            UNCOLLECTED_PROPERTIES
                .at(failing.best_span(), "properties are not collected")
                .also(*place, "scheduled by properties")
                .message(full_stop(&format!(
                    "The member agent does not collect the properties of {name}, and {key} is \
                     scheduled by properties: {}",
                    clip(failing.message())
                )))
                .why(
                    "The scheduler compares the last values that the member agent reported. A \
                      property that is missing never matches.",
                )
                .then(format!(
                    "The scheduler checks {name} again by itself once its properties are reported."
                ))
                .recover(Recoverability::ResumesAfterRepair)
                .step(
                    member_agent_log(name),
                    "shows why the property provider of the member agent fails",
                ),
        );
    }
}
