//! FL0601 external-without-run.

use crate::declare_rule;
use crate::facts::new_run::{NewRunVersion, Order};
use crate::finding::Certainty;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::graph::Listing;
use crate::model::binding::Binding;
use crate::model::condition::Condition;
use crate::model::placement::PerCluster;
use crate::model::read::SpanOr;
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;

declare_rule! {
    /// An External placement that no run rolls out.
    ///
    /// ## Why it matters
    /// With strategy External the placement only picks clusters; its resources reach them by a run. Without one nothing is
    /// rolled out, and nothing says so but `RolloutStarted` Unknown.
    ///
    /// ## What to do
    /// Create a strategy and a run in the placement's scope, with `spec.state: Run`.
    pub static EXTERNAL_WITHOUT_RUN = Rule {
        code: "FL0601",
        name: "external-without-run",
        severity: Severity::Warning,
        reads: &[Kind::Placement, Kind::Run, Kind::Binding, Kind::ApprovalRequest],
        check: external_without_run,
    }
}

fn external_without_run(cx: &mut Cx<'_>) {
    for placement in cx.placements().iter().filter(|placement| placement.is_external()) {
        let key = &placement.meta.key;
        if !cx.runs_of(&key.namespace, &key.name).is_empty()
            || placement.meta.deleting.is_some()
            || placement.meta.is_manifest()
        {
            continue;
        }
        let bindings = cx.bindings_of(&key.namespace, &key.name);
        let holds =
            |binding: &&Binding| binding.snapshot.as_deref().is_some_and(|name| !name.is_empty());
        let started = placement.condition("RolloutStarted");
        // A placement that a run has served before is another matter.
        let served = bindings.iter().any(holds)
            || placement
                .clusters
                .iter()
                .any(|cluster| cluster.index.is_some() || has_started(cluster));
        if served || started.is_some_and(|started| started.is_true()) {
            continue;
        }
        let kind = if placement.is_namespaced() {
            "StagedUpdateRun"
        } else {
            Kind::Run.in_namespace(&key.namespace)
        };
        let strategy = if placement.is_namespaced() {
            "StagedUpdateStrategy"
        } else {
            Kind::Strategy.in_namespace(&key.namespace)
        };
        let said = started.map_or(placement.meta.name_span, |started| started.best_span());
        let place = placement.strategy.span_or(said);
        let mut finding = EXTERNAL_WITHOUT_RUN
            .at(place, "left to runs")
            .also_at(
                started.map(|started| started.best_span()).filter(|span| *span != place),
                "so the rollout has not started",
            )
            .message(format!("{key} has strategy External and no run. Nothing is rolled out."))
            .why(format!("An External placement only picks clusters. A {kind} has to roll it out."))
            .then(format!("{} waits until someone creates a {kind} for it.", placement.meta.name()))
            .recover(Recoverability::WaitsForPerson);
        let order = Order { when: "Create a run".to_owned(), ..Order::now(NewRunVersion::Fresh) };
        let create = cx.run_for(placement, &order);
        finding = if !create.is_empty() {
            finding.steps(create)
        } else {
            let look = look_at_hub().words("get").resource(strategy).namespace(&key.namespace);
            finding.step(look.build(), "shows which strategies a run could use")
        };
        if cx.listing(kind, &key.namespace) != Listing::All {
            finding = finding.certainty(Certainty::Likely).message(format!(
                "{key} has strategy External, and nothing is rolled out. The bundle holds no \
                     run of it."
            ));
            // Approval requests are made by runs: then one was not sent, rather than not made.
            let mut requests = cx.approval_requests().iter();
            if requests.any(|request| request.meta.namespace() == &*key.namespace) {
                finding = finding.severity(Severity::Note);
            }
            cx.ask(
                look_at_hub().words("get").resource(kind).namespace(&key.namespace).build(),
                format!("whether a run exists for placement {}", key.name),
            );
        }
        cx.report(finding);
    }
}

/// Says whether a run has brought a version to a cluster.
fn has_started(cluster: &PerCluster) -> bool {
    cluster.condition("RolloutStarted").is_some_and(Condition::is_true)
}
