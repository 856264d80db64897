//! FL0720 object-not-available.

use crate::behaviour::timing::STUCK_AFTER;
use crate::declare_rule;
use crate::facts::failure::{FailedStep, Failure};
use crate::finding::{Command, Finding, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::condition::Condition;
use crate::rule::Cx;
use crate::rules::commands::{describe_on_member, look_at};
use crate::rules::consequence::{Repair, after_repair};
use crate::rules::sentence::{join_names, member_name};
use std::collections::BTreeMap;

declare_rule! {
    /// An object that was applied on a member and does not become available.
    ///
    /// ## Why it matters
    /// The run waits for it, and a rolling update with a small budget stops at the other clusters too. KubeFleet
    /// counts a Deployment as available when all its replicas are updated and available, a StatefulSet when all
    /// pods have the newest revision too, a Service of type LoadBalancer when it has an address.
    ///
    /// ## What to do
    /// Look at the object, its pods and their events on the member. What the hub knows is only that the object
    /// is not available; a capture of the member tells why.
    pub static OBJECT_NOT_AVAILABLE = Rule {
        code: "FL0720",
        name: "object-not-available",
        severity: Severity::Error,
        reads: &[Kind::Work, Kind::Deployment, Kind::StatefulSet, Kind::DaemonSet],
        check: object_not_available,
    }
}

fn object_not_available(cx: &mut Cx<'_>) {
    let mut groups: BTreeMap<_, Vec<&Failure>> = BTreeMap::new();
    for failure in cx.failures().iter().filter(|failure| failure.step == FailedStep::Availability) {
        let object = (&failure.object.kind, failure.object.path());
        groups.entry((&failure.placement, object)).or_default().push(failure);
    }
    for failures in groups.into_values() {
        let late: Vec<&Failure> =
            failures.into_iter().filter(|failure| is_late(cx, failure)).collect();
        let (seen, unseen): (Vec<&Failure>, Vec<&Failure>) =
            late.into_iter().partition(|failure| cx.find_workload(&failure.object).is_some());
        for failure in &seen {
            let Some(workload) = cx.find_workload(&failure.object) else { continue };
            let Some(short) = workload.shortfall() else { continue };
            let label = format!("{} is {}, not {}", short.field, short.have, short.want);
            let span = short.span.unwrap_or(workload.meta.name_span);
            let gave_up = workload.condition("Progressing").filter(|c| c.is_false());
            let finding = describe(cx, &[*failure]).also(span, label).also_at(
                gave_up.map(Condition::best_span),
                "the deadline of the rollout has passed",
            );
            cx.report(finding);
        }
        if unseen.is_empty() {
            continue;
        }
        for failure in &unseen {
            cx.ask(
                workloads_command(failure),
                format!("why {} is not available on {}", failure.object, failure.cluster()),
            );
        }
        // The same object on a member that was captured: what is wrong there is likely the cause here.
        let siblings = seen.iter().map(|failure| Topic::Object(failure.object.clone()));
        let finding = siblings.fold(describe(cx, &unseen), Finding::about);
        cx.report(finding);
    }
}

/// Says whether an object has had its time; without a stamp it is taken to have.
fn is_late(cx: &Cx<'_>, failure: &Failure) -> bool {
    failure.condition.since.is_none_or(|since| cx.overdue(since.value, STUCK_AFTER).is_some())
}

/// How many other clusters are shown by their places.
const OTHERS: usize = 3;

fn describe(cx: &Cx<'_>, failures: &[&Failure]) -> Finding {
    let first = failures.first().expect("a group has a member");
    let members = join_names(failures.iter().map(|failure| member_name(failure.cluster())));
    let since =
        failures.iter().filter_map(|failure| failure.condition.since).map(|s| s.value).min();
    let overdue = since.and_then(|since| cx.overdue(since, STUCK_AFTER));
    let age = overdue.map(|overdue| format!("for {}", overdue.show()));
    let (been, age) = age
        .map_or(("is", "unavailable".to_owned()), |age| ("has been", format!("unavailable {age}")));
    let mut finding = OBJECT_NOT_AVAILABLE
        .at(first.condition.best_span(), "not available")
        .message(format!("{} on {members} {been} {age}.", first.object))
        .why(
            "The member agent has applied it. The hub knows only that it is not available; the \
              object, its pods and their events on the member show why.",
        )
        .step(
            describe_on_member(&first.object),
            format!("shows the state of {} and its events", first.object),
        );
    let clusters: Vec<&str> = failures.iter().map(|failure| failure.cluster()).collect();
    finding = after_repair(finding, cx, first.placement.as_ref(), &clusters, Repair::Member);
    if let Some(overdue) = overdue {
        finding = finding.rests_on(&overdue);
    }
    for failure in failures.iter().skip(1).take(OTHERS) {
        let label = format!("nor on {}", member_name(failure.cluster()));
        finding = finding.also(failure.condition.best_span(), label);
    }
    for failure in failures {
        finding = finding.about(Topic::Object(failure.object.clone()));
        if let Some(placement) = &failure.placement {
            let cluster = failure.object.cluster.clone();
            finding = finding
                .explains(Topic::PlacementCluster(placement.clone(), cluster))
                .explains(Topic::Rollout(placement.clone()));
        }
    }
    finding
}

/// Shows the workloads, pods and events beside an object.
fn workloads_command(failure: &Failure) -> Option<Command> {
    let kinds = "get deployments,replicasets,statefulsets,daemonsets,pods,events,resourcequotas";
    let builder = look_at(failure.cluster()).words(kinds);
    builder.namespace(&failure.object.namespace).words("-o yaml").build()
}
