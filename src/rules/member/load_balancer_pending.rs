//! FL0766 load-balancer-pending.

use crate::declare_rule;
use crate::facts::failure::{FailedStep, Failure};
use crate::finding::{Certainty, Severity};
use crate::grammar::kind::Kind;
use crate::model::event::Event;
use crate::model::key::ObjectKey;
use crate::model::service::Service;
use crate::model::work::WorkManifest;
use crate::rule::Cx;
use crate::rules::commands::describe_on_member;
use crate::rules::consequence::{Repair, after_repair, explain};
use crate::rules::member::sent_manifest::find_manifest;
use crate::rules::sentence::{clip, full_stop, join_names, member_name};
use std::collections::BTreeMap;

declare_rule! {
    /// A Service of type LoadBalancer that has got no address on the member.
    ///
    /// ## Why it matters
    /// KubeFleet counts such a Service as available only when its status names an address. On a member without
    /// a load balancer controller, or with no public address left, that never happens.
    ///
    /// ## What to do
    /// Provide the load balancer on the member (cloud provider, quota of addresses), or use `ClusterIP`, by an
    /// override for the members that have none.
    pub static LOAD_BALANCER_PENDING = Rule {
        code: "FL0766",
        name: "load-balancer-pending",
        severity: Severity::Error,
        reads: &[Kind::Work, Kind::Service, Kind::Event],
        check: load_balancer_pending,
    }
}

fn load_balancer_pending(cx: &mut Cx<'_>) {
    let services = |failure: &&Failure| {
        failure.step == FailedStep::Availability && &*failure.object.kind == "Service"
    };
    let mut groups: BTreeMap<_, Vec<&Failure>> = BTreeMap::new();
    for failure in cx.failures().iter().filter(services) {
        groups.entry((&failure.placement, failure.object.path())).or_default().push(failure);
    }
    for failures in groups.into_values() {
        let Some(first) = failures.first() else { continue };
        let own = |service: &&Service| {
            failures.iter().any(|failure| is_same(&failure.object, &service.meta.key))
        };
        let service = cx.services().iter().find(own);
        if service.is_some_and(|service| !service.awaits_address()) {
            continue;
        }
        let events = failures.iter().flat_map(|failure| cx.events_of(&failure.object));
        let event = events.filter(|event| event.is_warning()).last();
        let sent = find_manifest(cx, &first.object).and_then(WorkManifest::service_type);
        if sent.as_ref().is_some_and(|kind| *kind != "LoadBalancer") {
            continue;
        }
        let kind = service.and_then(|service| service.kind.as_ref()).map(|kind| kind.span);
        let kind = kind.or(sent.map(|sent| sent.span));
        let report = first.condition.best_span();
        let members = join_names(failures.iter().map(|failure| member_name(failure.cluster())));
        let words = event.map(|event| format!(": {}", clip(event.message()))).unwrap_or_default();
        let others = failures.iter().map(|failure| failure.cluster());
        let others = join_names(others.filter(|it| *it != first.cluster()).map(member_name));
        let same =
            if others.is_empty() { String::new() } else { format!("; the same on {others}") };
        let mut finding = LOAD_BALANCER_PENDING
            .at(kind.unwrap_or(report), "waits for an address")
            .message(full_stop(&format!(
                "{} on {members} has no load balancer address (ingress){words}",
                first.object
            )))
            .why(
                "A Service of type LoadBalancer is available only when status.loadBalancer.ingress \
                  names an address. A controller on the member has to assign one.",
            )
            .hint(
                "On a cluster without a load balancer controller, an override can set the type \
                   to ClusterIP.",
            )
            .step(
                describe_on_member(&first.object),
                format!("shows in its events who should assign the address, and what fails{same}"),
            )
            .also_at(event.map(Event::best_span), "its last event");
        let clusters: Vec<&str> = failures.iter().map(|failure| failure.cluster()).collect();
        finding = after_repair(finding, cx, first.placement.as_ref(), &clusters, Repair::Member);
        if kind.is_some() {
            finding = finding.also(report, "so it is not available");
        } else {
            // Without the Service itself the type is a guess: the other types are available at once.
            finding = finding.certainty(Certainty::Likely);
        }
        for failure in &failures {
            finding = explain(finding, &failure.object, failure.placement.as_ref());
        }
        cx.report(finding);
    }
}

fn is_same(left: &ObjectKey, right: &ObjectKey) -> bool {
    (&left.namespace, &left.name) == (&right.namespace, &right.name)
        && (left.cluster == right.cluster || right.cluster.is_empty())
}
