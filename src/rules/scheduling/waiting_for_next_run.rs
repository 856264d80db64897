//! FL0641 waiting-for-next-run.

use crate::declare_rule;
use crate::facts::new_run::{NewRunVersion, Order};
use crate::finding::{Finding, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::apply::ApplyStrategy;
use crate::model::binding::Binding;
use crate::model::condition::Condition;
use crate::model::placement::Placement;
use crate::model::read::SpanOr;
use crate::model::snapshot::is_latest;
use crate::rule::Cx;
use crate::rules::sentence::join_names;
use crate::source::Span;

declare_rule! {
    /// An External placement with changes that wait for its next run.
    ///
    /// ## Why it matters
    /// With strategy External only a run touches bindings. A changed apply strategy, newer overrides and clusters that the
    /// policy dropped stay as they are until one does; meanwhile the placement says nothing about them.
    ///
    /// ## What to do
    /// Create a run when the changes should take effect.
    pub static WAITING_FOR_NEXT_RUN = Rule {
        code: "FL0641",
        name: "waiting-for-next-run",
        severity: Severity::Note,
        reads: &[Kind::Placement, Kind::Binding, Kind::Run, Kind::OverrideSnapshot],
        check: waiting_for_next_run,
    }
}

fn waiting_for_next_run(cx: &mut Cx<'_>) {
    let external = cx.placements().iter().filter(|placement| placement.is_external());
    for placement in external.filter(|it| it.meta.deleting.is_none() && !it.meta.partial) {
        let key = &placement.meta.key;
        // A run that is under way brings its clusters there one after the other.
        let runs = cx.runs_of(&key.namespace, &key.name);
        if runs.iter().any(|run| !run.is_terminal()) {
            continue;
        }
        let bindings = cx.bindings_of(&key.namespace, &key.name);
        let living = bindings.into_iter().filter(|binding| binding.meta.deleting.is_none());
        let (dropped, kept): (Vec<&Binding>, Vec<&Binding>) =
            living.partition(|binding| binding.state.as_deref() == Some("Unscheduled"));
        let mut found = Vec::new();
        if let Some(first) = dropped.first() {
            let names = join_names(dropped.iter().map(|binding| binding.cluster()));
            let place = first.state.span_or(first.meta.name_span);
            let are = if dropped.len() == 1 { "is" } else { "are" };
            let left = format!("{names} {are} no longer picked");
            let runs_there = |binding: &&Binding| {
                let applied = binding.condition("Applied").is_some_and(Condition::is_true);
                // Of a member that has left nothing is known any more.
                let written = binding.condition("WorkSynchronized");
                applied && !written.is_some_and(Condition::is_false)
            };
            let there: Vec<&Binding> = dropped.iter().copied().filter(runs_there).collect();
            let (what, severity) = match there.as_slice() {
                [] if dropped.len() == 1 => ("its binding stays until then", Severity::Note),
                [] => ("their bindings stay until then", Severity::Note),
                some if some.len() == dropped.len() => ("it still runs there", Severity::Warning),
                _ => ("it still runs on some of them", Severity::Warning),
            };
            found.push((place, format!("{left}, and {what}"), severity));
        }
        let differing = apply_differs(placement, &kept).into_iter();
        let waiting = differing.chain(newer_override(cx, &kept));
        found.extend(waiting.map(|(place, what)| (place, what, Severity::Note)));
        for (place, what, severity) in found {
            cx.report(describe(cx, placement, place, &what).severity(severity));
        }
    }
}

fn describe(cx: &Cx<'_>, placement: &Placement, place: Span, what: &str) -> Finding {
    let when = "When this should take effect, create a new run".to_owned();
    let order = Order { version: NewRunVersion::AsBefore, strategy: None, when };
    WAITING_FOR_NEXT_RUN
        .at(place, "as the last run left it")
        .message(format!("{} waits for its next run: {what}.", placement.meta.key))
        .why(
            "With strategy External only a run changes bindings. The conditions of the placement \
              do not show this.",
        )
        .then(format!("{} stays so until someone creates a run.", placement.meta.name()))
        .recover(Recoverability::WaitsForPerson)
        .steps(cx.run_for(placement, &order))
}

fn apply_differs(placement: &Placement, bindings: &[&Binding]) -> Option<(Span, String)> {
    let rolled =
        |binding: &&&Binding| binding.snapshot.as_ref().is_some_and(|name| !name.is_empty());
    bindings.iter().filter(rolled).find_map(|binding| {
        let apply = binding.apply.as_ref()?;
        let differing = ApplyStrategy::differences(placement.apply.as_ref(), Some(apply));
        let (field, wanted, has) = *differing.first()?;
        let what = format!(
            "applyStrategy.{field} is {wanted} in the placement and {has} on {}",
            binding.cluster()
        );
        Some((apply.field_span(field), what))
    })
}

fn newer_override(cx: &Cx<'_>, bindings: &[&Binding]) -> Option<(Span, String)> {
    let latest = cx.override_snapshots().iter().filter(|snapshot| is_latest(&snapshot.meta));
    latest.into_iter().find_map(|newer| {
        let older = |namespace: &str, used: &str| {
            let owner = used.rsplit_once('-').map(|(owner, _)| owner);
            newer.meta.namespace() == namespace
                && owner == Some(newer.override_name())
                && used != newer.meta.name()
        };
        bindings.iter().find_map(|binding| {
            let spaced = binding.overrides.iter().find(|(space, name)| older(space, name));
            let plain = binding.cluster_overrides.iter().find(|name| older("", name));
            let used = spaced.map(|(_, name)| name).or(plain)?;
            let what = format!(
                "{} has override snapshot {}, and {} is newer",
                binding.cluster(),
                &**used,
                newer.meta.name()
            );
            Some((used.span, what))
        })
    })
}
