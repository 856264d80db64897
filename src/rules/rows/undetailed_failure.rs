//! FL0743 undetailed-failure.

use std::collections::BTreeMap;

use crate::behaviour::timing::STUCK_AFTER;
use crate::declare_rule;
use crate::facts::after_repair::on_member;
use crate::finding::{Certainty, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::kube::time::show_duration;
use crate::model::binding::Binding;
use crate::model::condition::Condition;
use crate::model::key::ObjectKey;
use crate::model::placement::Placement;
use crate::rule::{Cx, Explained};
use crate::rules::commands::show_command;
use crate::rules::sentence::{clip, full_stop, join_names};
use crate::syntax::Syntax;

declare_rule! {
    /// A placement or binding that says False, with nothing beside it that tells which object fails.
    ///
    /// ## Why it matters
    /// RESOURCESAPPLIED False means that a member refused an object; AVAILABLE False that an object was applied and
    /// does not become ready. A row of a table, or the conditions alone, do not name the object.
    ///
    /// ## What to do
    /// Look at `failedPlacements` in the status of the placement or of the binding: it names the object, and the
    /// member's own words.
    pub static UNDETAILED_FAILURE = Rule {
        code: "FL0743",
        name: "undetailed-failure",
        severity: Severity::Warning,
        reads: &[Kind::Binding, Kind::Placement, Kind::Run],
        remainder: undetailed_failure,
    }
}

fn undetailed_failure(cx: &mut Cx<'_>, told: &Explained) {
    let mut groups: BTreeMap<(ObjectKey, &str), Vec<(&Binding, &Condition)>> = BTreeMap::new();
    for binding in cx.bindings().iter().filter(|binding| is_old_row(&binding.meta)) {
        let Some(condition) = binding.first_failing() else { continue };
        let placement = placement_of(cx, binding);
        let cluster = cluster_of(binding, &placement);
        if !told.explains(&Topic::PlacementCluster(placement.clone(), cluster.into())) {
            groups.entry((placement, &*condition.kind)).or_default().push((binding, condition));
        }
    }
    for ((placement, kind), rows) in &groups {
        report_bindings(cx, placement, kind, rows);
    }
    for placement in cx.placements().iter().filter(|placement| placement.meta.partial) {
        let known = groups.keys().any(|(other, _)| *other == placement.meta.key)
            || told.explains(&Topic::Rollout(placement.meta.key.clone()));
        if !known && placement.clusters.is_empty() {
            report_placement(cx, placement, told);
        }
    }
}

/// Says whether an object is known by a row alone, and has had its time.
fn is_old_row(meta: &crate::model::meta::Meta) -> bool {
    meta.syntax == Syntax::Table && meta.row_age().is_some_and(|age| age.value >= STUCK_AFTER)
}

/// Returns the placement of a binding: `<placement>-<cluster>-<uid>` begins with its name.
fn placement_of(cx: &Cx<'_>, binding: &Binding) -> ObjectKey {
    let known = cx.placements().iter().map(|placement| &placement.meta.key).filter(|key| {
        let rest = binding.meta.key.name.strip_prefix(&*key.name);
        rest.is_some_and(|rest| rest.starts_with('-'))
    });
    let longest = known.max_by_key(|key| key.name.len());
    longest.cloned().unwrap_or_else(|| binding.placement_or_unnamed())
}

/// Returns the cluster of a binding; a row without the column tells it by its name, `<placement>-<cluster>-<uid>`.
fn cluster_of<'b>(binding: &'b Binding, placement: &ObjectKey) -> &'b str {
    let own = Some(binding.cluster()).filter(|cluster| !cluster.is_empty());
    let named = || {
        let rest = binding.meta.key.name.strip_prefix(&*placement.name)?.strip_prefix('-')?;
        rest.rsplit_once('-').map(|(cluster, _)| cluster)
    };
    own.or_else(named).unwrap_or_default()
}

fn report_bindings(
    cx: &mut Cx<'_>,
    placement: &ObjectKey,
    kind: &str,
    rows: &[(&Binding, &Condition)],
) {
    let Some((first, condition)) = rows.first() else { return };
    let (what, why) = match kind {
        "WorkSynchronized" => ("written to", "The hub agent could not write the Works."),
        "Applied" => ("applied on", "A member refused an object. The row does not name it."),
        _ => (
            "available on",
            "An object was applied and does not become ready. The row does not name it.",
        ),
    };
    let names = join_names(rows.iter().map(|(binding, _)| binding.meta.name()));
    let of =
        if placement.name.is_empty() { String::new() } else { format!(" of {}", placement.name) };
    let age = first.meta.row_age().map(|age| show_duration(age.value)).unwrap_or_default();
    let shown = if placement.name.is_empty() { &first.meta.key } else { placement };
    let mut finding = UNDETAILED_FAILURE
        .at(condition.status.span, format!("not {}", what.split(' ').next().unwrap_or(what)))
        .message(format!(
            "The resources{of} are not {what} {} of the listed clusters ({names}), {age} after the \
             binding was created.",
            rows.len()
        ))
        .why(why)
        .then(on_member(
            if placement.name.is_empty() { "The rollout" } else { &placement.name },
            "",
        ))
        .certainty(Certainty::Likely)
        .recover(Recoverability::ResumesAfterRepair)
        .command(show_command(shown));
    for (binding, condition) in rows.iter().skip(1).take(3) {
        finding = finding.also(condition.status.span, format!("{} too", binding.meta.name()));
    }
    cx.ask(show_command(shown), format!("which objects are not {what} the cluster, and why"));
    cx.report(finding);
}

/// Says whether a run of a placement is under way, so that not all of it can be available.
fn is_rolling(cx: &Cx<'_>, placement: &Placement) -> bool {
    let key = &placement.meta.key;
    let runs = cx.runs_of(&key.namespace, &key.name);
    runs.iter().any(|run| !run.is_terminal())
}

fn report_placement(cx: &mut Cx<'_>, placement: &Placement, told: &Explained) {
    let mut steps = ["Overridden", "WorkSynchronized", "Applied", "Available"].iter();
    let failing =
        steps.find_map(|kind| placement.condition(kind).filter(|condition| condition.is_false()));
    let Some(condition) = failing else { return };
    let waits = condition.kind.ends_with("Available");
    let what = match condition.kind.rsplit("Placement").next() {
        Some("Overridden") => "overridden for all of its clusters",
        Some("WorkSynchronized") => "written to all of its clusters",
        Some("Applied") => "applied on all of its clusters",
        _ => "available on all of its clusters",
    };
    let key = &placement.meta.key;
    let finding = match (&condition.message, placement.meta.row_age()) {
        (Some(message), _) if told.explains_words(message) => return,
        (Some(message), _) => UNDETAILED_FAILURE
            .at(message.span, "which object is not said")
            .message(full_stop(&format!("{key} is not {what}: {}", clip(message))))
            .severity(if waits { Severity::Warning } else { Severity::Error }),
        (None, Some(age)) if age.value >= STUCK_AFTER && !is_rolling(cx, placement) => {
            let age = show_duration(age.value);
            UNDETAILED_FAILURE
                .at(condition.status.span, format!("not {what}"))
                .message(format!("{key} is not {what}. It was created {age} ago."))
                .certainty(Certainty::Likely)
        }
        _ => return,
    };
    cx.ask(show_command(key), format!("which objects of {} are not {what}", key.path()));
    cx.report(
        finding
            .why(
                "The conditions do not name the object that fails. failedPlacements in \
                 the status does.",
            )
            .then(on_member(&key.name, ""))
            .recover(Recoverability::ResumesAfterRepair)
            .command(show_command(key)),
    );
}
