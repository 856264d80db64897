//! FL0007 unexplained-condition.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;

use crate::behaviour::timing::STUCK_AFTER;
use crate::declare_rule;
use crate::facts::unhealthy_condition::UnhealthyCondition;
use crate::finding::{Certainty, Command, Finding, Recoverability, Severity, Topic};
use crate::kube::time::{read_age_range, show_duration};
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;
use crate::rule::{Cx, Explained};
use crate::rules::commands::{look_at, show_command};
use crate::rules::sentence::{clip_to, full_stop, join_names};
use crate::source::Span;
use crate::syntax::Syntax;

declare_rule! {
    /// A condition that is False, or a run that does not progress, which no other rule explains.
    ///
    /// ## Why it matters
    /// Nothing that a controller complains of should go untold. fleetlens has no rule for these words, or the bundle
    /// holds too little to judge them, as a row of a table does.
    ///
    /// ## What to do
    /// Read the controller's own words. Where there are none, send the object itself (`kubectl get … -o yaml`).
    pub static UNEXPLAINED_CONDITION = Rule {
        code: "FL0007",
        name: "unexplained-condition",
        severity: Severity::Warning,
        reads: &[],
        net: unexplained_condition,
    }
}

/// What follows from something that may be in order.
const OPEN: &str = "The object itself tells whether anybody has to do something.";

/// What follows from something that has been so for less than [`STUCK_AFTER`].
const YOUNG: &str = "A rollout that is in order looks the same in its first five minutes.";

/// How many objects of a kind are shown by their places.
const SHOWN: usize = 3;

/// How much of a controller's words is quoted.
const QUOTED: usize = 160;

fn unexplained_condition(cx: &mut Cx<'_>, told: &Explained) {
    let mut known: BTreeSet<Topic> = BTreeSet::new();
    let mut rows: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut groups: BTreeMap<(&str, &str, &str), Vec<UnhealthyCondition<'_>>> = BTreeMap::new();
    for wrong in cx.unhealthy_conditions() {
        let is_identified = |topic: &Topic| match topic {
            // A finding may ask whether the member lives without telling that it does not.
            Topic::Member(_) => told.explains(topic),
            _ => told.concerns(topic) || known.contains(topic),
        };
        let covered = wrong.topics.iter().any(is_identified)
            || is_shown(cx, told, wrong.meta)
            || told.any(|topic| is_of_row(topic, &wrong))
            || repeats(&wrong, &rows);
        if !wrong.condition.is_false() && !lasts(cx, &wrong) {
            continue;
        }
        known.extend(wrong.topics.iter().cloned());
        if wrong.meta.syntax == Syntax::Table && wrong.meta.key.kind.ends_with("Binding") {
            rows.insert((wrong.meta.namespace(), wrong.meta.name()));
        }
        if !covered {
            let kind: &str = &wrong.meta.key.kind;
            let key = (kind, &*wrong.condition.kind, wrong.condition.reason());
            groups.entry(key).or_default().push(wrong);
        }
    }
    let quiet = groups.is_empty();
    for group in groups.into_values() {
        let Some(finding) = describe(cx, &group) else { continue };
        for wrong in group.iter().filter(|wrong| wrong.condition.message().is_empty()) {
            let key = &wrong.meta.key;
            let decides = format!("why {} of {key} is not True", &*wrong.condition.kind);
            cx.ask(show_command(key), decides);
        }
        cx.report(finding);
    }
    if told.is_empty() && quiet {
        report_empty_rows(cx);
    }
    report_terminating(cx, told);
}

/// Says whether a topic is that of a row that names neither placement nor cluster: its own name begins with both.
fn is_of_row(topic: &Topic, wrong: &UnhealthyCondition<'_>) -> bool {
    let Topic::PlacementCluster(placement, cluster) = topic else { return false };
    let rest = wrong.meta.name().strip_prefix(&*placement.name);
    let rest = rest.and_then(|rest| rest.strip_prefix('-')?.strip_prefix(&**cluster));
    wrong.meta.syntax == Syntax::Table && rest.is_some_and(|rest| rest.starts_with('-'))
}

/// Says whether the row of a placement repeats what a row of one of its bindings says, whose name begins with its own.
fn repeats(wrong: &UnhealthyCondition<'_>, deeper: &BTreeSet<(&str, &str)>) -> bool {
    if wrong.meta.syntax != Syntax::Table || !wrong.meta.key.kind.ends_with("Placement") {
        return false;
    }
    let (namespace, prefix) = (wrong.meta.namespace(), format!("{}-", wrong.meta.name()));
    let next = deeper.range((namespace, &*prefix)..).next();
    next.is_some_and(|(there, name)| *there == namespace && name.starts_with(&prefix))
}

/// Says whether a finding points into an object, in whatever file it was seen.
fn is_shown(cx: &Cx<'_>, told: &Explained, meta: &Meta) -> bool {
    if meta.key.name.is_empty() {
        return told.points_into(meta.span);
    }
    cx.is_shown(told, &meta.key)
}

fn describe(cx: &Cx<'_>, group: &[UnhealthyCondition<'_>]) -> Option<Finding> {
    let first = group.first()?;
    let condition = first.condition;
    let names = join_names(group.iter().map(|wrong| wrong.meta.name()));
    let kind = match (first.meta.key.name.is_empty(), group.len()) {
        // What has no name is called by its kind.
        (true, _) => String::new(),
        (false, 1) => format!("{} ", first.meta.key.kind),
        (false, _) => format!("{}s ", first.meta.key.kind),
    };
    let reason = match condition.reason() {
        "" => String::new(),
        reason => format!(" ({reason})"),
    };
    let since = condition.since.and_then(|since| cx.clock().show_since(since.value));
    let since = match since {
        Some(since) if since.starts_with("since") => format!(" {since}"),
        Some(age) => format!(" for {age}"),
        None => String::new(),
    };
    let words = match condition.message() {
        "" if first.meta.syntax == Syntax::Table => " A table does not say why.".to_owned(),
        "" => String::new(),
        words => format!(" Its controller says: {}", full_stop(&clip_to(words, QUOTED))),
    };
    let status = if condition.is_false() { "False" } else { "Unknown" };
    let label =
        if condition.message().is_empty() { status } else { "in its controller's own words" };
    let mut finding = UNEXPLAINED_CONDITION
        .at(condition.best_span(), label)
        .message(format!(
            "{} of {kind}{names} is {}{reason}{since}.{words}",
            &*condition.kind, status,
        ))
        .why("No rule explains this condition.")
        .recover(Recoverability::WaitsForPerson);
    for wrong in group.iter().skip(1).take(SHOWN) {
        finding =
            finding.also(wrong.condition.best_span(), format!("so does {}", wrong.meta.name()));
    }
    if condition.message().is_empty() {
        finding = finding.command(show_command(&first.meta.key)).certainty(Certainty::Likely);
    }
    finding = match group.iter().filter_map(|wrong| how_late(cx, wrong)).max() {
        None if condition.since.is_none() => {
            finding.severity(Severity::Note).unsettled().then(OPEN)
        }
        None => finding.severity(Severity::Note).then(YOUNG),
        Some(Certainty::Shown) => finding,
        Some(certainty) => finding.certainty(certainty),
    };
    let topics: BTreeSet<&Topic> = group.iter().filter_map(|wrong| wrong.topics.first()).collect();
    Some(topics.into_iter().fold(finding, |finding, topic| finding.about(topic.clone())))
}

/// Says whether a condition that is Unknown has surely been so for long; a row has no stamps and is told anyway.
fn lasts(cx: &Cx<'_>, wrong: &UnhealthyCondition<'_>) -> bool {
    wrong.meta.syntax == Syntax::Table || how_late(cx, wrong).is_some()
}

/// Says how sure it is that a condition has been False for longer than a rollout takes that is in order.
fn how_late(cx: &Cx<'_>, wrong: &UnhealthyCondition<'_>) -> Option<Certainty> {
    match wrong.condition.since {
        Some(since) if wrong.condition.is_false() => {
            let overdue = cx.overdue(since.value, STUCK_AFTER)?;
            Some(if overdue.is_proven() { Certainty::Shown } else { Certainty::Likely })
        }
        Some(since) => cx.surely_over(since.value, STUCK_AFTER).map(|_| Certainty::Shown),
        // A row has no stamps: the object is as old at most. A run that waits at a gate looks the same for days.
        None => {
            let steps = !matches!(&*wrong.condition.kind, "Progressing" | "Available");
            let late = steps && age_in_row(wrong.meta).is_some_and(|least| least > STUCK_AFTER);
            late.then_some(Certainty::Likely)
        }
    }
}

/// Returns how old an object is at least, by the AGE column of its row.
fn age_in_row(meta: &Meta) -> Option<SignedDuration> {
    let age = meta.row_age_text().filter(|_| meta.syntax == Syntax::Table)?;
    read_age_range(&age).map(|(least, _)| least)
}

/// Tells the placements and bindings whose rows stay empty although they are old, where nothing else is told.
fn report_empty_rows(cx: &mut Cx<'_>) {
    let mut groups: BTreeMap<&str, Vec<(&Meta, SignedDuration)>> = BTreeMap::new();
    for meta in cx.empty_rows() {
        if let Some(age) = age_in_row(meta).filter(|age| *age > STUCK_AFTER) {
            groups.entry(&meta.key.kind).or_default().push((meta, age));
        }
    }
    for group in groups.into_values() {
        let Some((first, age)) = group.first() else { continue };
        let many = if group.len() == 1 { "" } else { "s" };
        let names = join_names(group.iter().map(|(meta, _)| meta.name()));
        let mut finding = UNEXPLAINED_CONDITION
            .at(first.name_span, format!("at least {} old", show_duration(*age)))
            .message(format!(
                "{}{many} {names} {} nothing rolled out. A table does not say why.",
                first.key.kind,
                if group.len() == 1 { "shows" } else { "show" },
            ))
            .why(
                "The columns of the rollout are empty: it has not started, or its \
                 conditions are Unknown.",
            )
            .severity(Severity::Note)
            .unsettled()
            .certainty(Certainty::Likely)
            .recover(Recoverability::WaitsForPerson)
            .then(OPEN)
            .command(show_command(&first.key));
        for (meta, _) in group.iter().skip(1).take(SHOWN) {
            finding = finding.also(meta.name_span, "empty, too");
        }
        for (meta, _) in &group {
            cx.ask(show_command(&meta.key), format!("why nothing is rolled out by {}", meta.key));
        }
        cx.report(finding);
    }
}

/// Tells the namespaces that tables show as Terminating: what they hold is not deleted as long.
fn report_terminating(cx: &mut Cx<'_>, told: &Explained) {
    let going = cx.terminating_rows();
    let going = going.into_iter().filter(|(meta, _)| !is_shown(cx, told, meta));
    let going: Vec<(&Meta, Span)> = going.collect();
    let Some((first, phase)) = going.first().copied() else { return };
    let names = join_names(going.iter().map(|(meta, _)| meta.name()));
    let (many, are) = if going.len() == 1 { ("", "is") } else { ("s", "are") };
    let mut finding = UNEXPLAINED_CONDITION
        .at(phase, "Terminating")
        .message(format!(
            "Namespace{many} {names} {are} Terminating. A table does not say since when or why.",
        ))
        .why(
            "Kubernetes removes a namespace once everything in it is gone. A finalizer that \
             nobody removes holds it.",
        )
        .severity(Severity::Note)
        .unsettled()
        .certainty(Certainty::Likely)
        .recover(Recoverability::WaitsForPerson)
        .then(OPEN);
    for (_, phase) in going.iter().skip(1).take(SHOWN) {
        finding = finding.also(*phase, "Terminating, too");
    }
    // What holds one of many mostly holds the others.
    for (meta, _) in going.iter().take(SHOWN) {
        cx.ask(show_there(&meta.key), format!("what holds namespace {}", meta.name()));
    }
    cx.report(finding.command(show_there(&first.key)));
}

/// Shows an object on the cluster that it was seen on.
fn show_there(key: &ObjectKey) -> Option<Command> {
    let show = look_at(&key.cluster).words("get").object(key).words("-o yaml");
    show.effect(format!("shows {}", key.name)).build()
}
