//! FL0633 override-without-resource.

use crate::declare_rule;
use crate::facts::override_targets::selects;
use crate::finding::{Finding, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::model::placement::{Placement, ResourceId, ResourceSelector};
use crate::model::read::SpanOr;
use crate::rule::Cx;
use crate::rules::commands::edit_command;
use crate::rules::sentence::join_names;

declare_rule! {
    /// An override that selects nothing of what its placement places.
    ///
    /// ## Why it matters
    /// An override without a match is ignored silently. The placement is True everywhere and the members run what
    /// the override should have changed.
    ///
    /// ## What to do
    /// Correct group, kind, name (and namespace) in the override's selectors.
    pub static OVERRIDE_WITHOUT_RESOURCE = Rule {
        code: "FL0633",
        name: "override-without-resource",
        severity: Severity::Warning,
        reads: &[Kind::Override, Kind::Placement],
        check: override_without_resource,
    }
}

fn override_without_resource(cx: &mut Cx<'_>) {
    for item in cx.overrides().iter().filter(|item| item.meta.deleting.is_none()) {
        let placements = cx.override_targets(item);
        let known = |placement: &&Placement| {
            // Objects in envelopes can be overridden and are not listed.
            let envelope = |found: &ResourceId| {
                found.kind.as_deref().is_some_and(|kind| kind.ends_with("Envelope"))
            };
            let read = !placement.meta.partial && !placement.selected.is_empty();
            read && !placement.selected.iter().any(envelope)
        };
        if placements.is_empty() || !placements.iter().all(known) || item.meta.partial {
            continue;
        }
        let hit = |selector: &ResourceSelector| {
            placements
                .iter()
                .flat_map(|placement| &placement.selected)
                .any(|found| selects(item, selector, found))
        };
        if item.selectors.is_empty() || item.selectors.iter().any(hit) {
            continue;
        }
        let finding = describe(item, &placements);
        cx.report(finding);
    }
}

fn describe(item: &Override, placements: &[&Placement]) -> Finding {
    let name = item.meta.name();
    let wanted = join_names(item.selectors.iter().map(ResourceSelector::show));
    let of = match &item.placement {
        Some(placement) => format!("placement {}", &**placement),
        None => "any placement".to_owned(),
    };
    let first = item.selectors.first();
    let place = first.and_then(|selector| selector.name.as_ref()).map(|name| name.span);
    let kind = first.and_then(|selector| selector.kind.as_deref());
    let alike = placements
        .iter()
        .flat_map(|placement| &placement.selected)
        .filter(|found| found.kind.as_deref() == kind);
    let mut finding = OVERRIDE_WITHOUT_RESOURCE
        .at(place.unwrap_or(item.meta.name_span), "no object of that name is placed")
        .message(format!(
            "Override {name} has no effect: it selects {wanted}, which {of} does not place."
        ))
        .why(
            "The hub agent silently skips an override that matches nothing. Every condition of \
              the placement stays True.",
        )
        .then(
            "The corrected override is used by the next rollout: at once with RollingUpdate, \
               with the next run for External.",
        )
        .recover(Recoverability::ResumesAfterRepair)
        .step(edit_command(&item.meta.key), "opens it to correct its selectors");
    for found in alike.take(3) {
        let span = found.name.span_or(found.span);
        finding = finding.also(span, "this one is placed");
    }
    finding
}
