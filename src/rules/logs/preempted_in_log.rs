//! FL0901 preempted-in-log.

use std::collections::BTreeMap;

use crate::declare_rule;
use crate::facts::after_repair::{LoggedRun, of_logged};
use crate::finding::{Severity, Topic};
use crate::model::log::LogEvent;
use crate::rule::Cx;
use crate::rules::commands::show_for;
use crate::rules::logs::binding_takeovers::{LoggedTakeover, logged_takeovers};
use crate::rules::sentence::join_names;

declare_rule! {
    /// A pre-emption that only the log of hub-agent shows.
    ///
    /// ## Why it matters
    /// The log names the run that lost a cluster, the binding, and the run that bound it before: who took what from whom, and
    /// when. The line "binding is not up-to-date" alone means nothing: it is written right before every cluster is started.
    ///
    /// ## What to do
    /// As for a pre-empted run: let the other run go on, and make a new run for this version afterwards.
    pub static PREEMPTED_IN_LOG = Rule {
        code: "FL0901",
        name: "preempted-in-log",
        severity: Severity::Error,
        reads: &[],
        check: preempted_in_log,
    }
}

/// How many of the lost clusters are pointed at; the message counts the rest.
const SHOWN: usize = 3;

fn preempted_in_log(cx: &mut Cx<'_>) {
    // A run fails in the pass in which it notices its losses, so that they are one matter.
    let mut by_run: BTreeMap<(usize, &str, &str), Vec<LoggedTakeover<'_>>> = BTreeMap::new();
    for loss in logged_takeovers(cx) {
        if !cx.has_run(&loss.run.namespace, &loss.run.name) {
            let run = (loss.event.log, &*loss.run.namespace, &*loss.run.name);
            by_run.entry(run).or_default().push(loss);
        }
    }
    for lost in by_run.into_values() {
        let Some((first, key)) = lost.first().and_then(|loss| Some((loss, loss.run.object()?)))
        else {
            continue;
        };
        let clusters: Vec<&str> = lost.iter().filter_map(|loss| loss.cluster.as_deref()).collect();
        let noun = if clusters.len() > 1 { "clusters" } else { "cluster" };
        let place = match clusters.is_empty() {
            true => String::new(),
            false => format!(" on {noun} {}", join_names(&clusters)),
        };
        let bindings = join_names(lost.iter().map(|loss| &*loss.binding.name));
        let (bindings, them) = match lost.len() {
            1 => (format!("its binding {bindings}"), "it"),
            _ => (format!("its bindings {bindings}"), "them"),
        };
        let message = match (sole_taker(&lost), &first.taken) {
            (Some(taker), Some(taking)) if clusters.len() == lost.len() => format!(
                "{taker} took {noun} {} from {}{}.",
                join_names(&clusters),
                key.name,
                cx.at_time(taking.event),
            ),
            _ => format!(
                "{} {} was pre-empted{place}{}. Something changed {bindings} while the \
                     run was at work: {}.",
                key.kind,
                key.path(),
                cx.at_time(first.event),
                takers(cx, &lost, them),
            ),
        };
        let mut finding = PREEMPTED_IN_LOG
            .at(first.run.span, "lost the cluster here")
            .for_object(key.clone())
            .message(message)
            .why(
                "Two runs of one placement write the same bindings. The later run wins \
                 and pre-empts the earlier one, which fails permanently at its next \
                 check.",
            )
            .outlook(of_logged(&key.name, LoggedRun::Preempted(sole_taker(&lost))))
            .explains(Topic::Run(key.clone()))
            .command(show_for(&key, "shows its strategy and snapshot, for a new run"));
        for loss in lost.iter().take(SHOWN) {
            let subject = loss.binding.object();
            finding = finding.also_log(loss.binding.span, "the binding", subject.clone());
            if let Some(taking) = &loss.taken {
                finding = finding.also_log(taking.span, "the run that took it", subject);
            }
        }
        cx.report(finding);
    }
}

/// Returns the run that took all that was lost, if the log shows one.
fn sole_taker<'l>(lost: &'l [LoggedTakeover<'_>]) -> Option<&'l str> {
    let mut takers = lost.iter().map(|loss| loss.taken.as_ref().map(|taking| &*taking.run));
    let first = takers.next()??;
    takers.all(|taker| taker == Some(first)).then_some(first)
}

/// Says who bound the bindings before, as far as the log shows it; mostly that is one run.
fn takers(cx: &Cx<'_>, lost: &[LoggedTakeover<'_>], them: &str) -> String {
    let mut by_taker: BTreeMap<&str, (&LogEvent, Vec<&str>)> = BTreeMap::new();
    for loss in lost {
        if let Some(taking) = &loss.taken {
            let (_, taken) = by_taker.entry(&taking.run).or_insert((taking.event, Vec::new()));
            taken.push(&loss.binding.name);
        }
    }
    let shown = |(run, (event, taken)): (&str, (&LogEvent, Vec<&str>))| {
        let what = if taken.len() == lost.len() { them.to_owned() } else { join_names(taken) };
        format!("run {run} bound {what}{}", cx.at_time(event))
    };
    match by_taker.is_empty() {
        true => format!("the log does not show who bound {them}"),
        false => by_taker.into_iter().map(shown).collect::<Vec<_>>().join("; "),
    }
}
