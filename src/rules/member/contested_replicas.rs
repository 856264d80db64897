//! FL0770 contested-replicas.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::work::{Manifest, Work};
use crate::rule::Cx;
use crate::rules::chain::member_name;
use crate::rules::commands::look_at;
use crate::source::Span;
use crate::syntax::tree::Node;
use std::collections::BTreeSet;

declare_rule! {
    /// A workload whose number of replicas is set by the hub and by an autoscaler.
    ///
    /// ## Why it matters
    /// Every time the agent applies the manifest it writes `spec.replicas` back, and the autoscaler changes it again: the number of
    /// pods jumps, and with `IfNotDrifted` the autoscaler's change counts as drift and blocks updates.
    ///
    /// ## What to do
    /// Take `replicas` out of the hub's manifest (or remove it with an override on clusters that have the autoscaler).
    pub static CONTESTED_REPLICAS = Rule {
        code: "FL0770",
        name: "contested-replicas",
        severity: Severity::Warning,
        reads: &[Kind::Work, Kind::Other],
        check: contested_replicas,
    }
}

fn contested_replicas(cx: &mut Cx<'_>) {
    let mut told = BTreeSet::new();
    for work in cx.works().iter().filter(|work| work.meta.deleting.is_none()) {
        for manifest in &work.manifests {
            let Some(replicas) = manifest.root.at(&["spec", "replicas"]) else { continue };
            let Some((name, place)) = find_scaler(cx, work, manifest) else { continue };
            let kind = manifest.kind.as_deref().unwrap_or_default();
            let target = manifest.name.as_deref().unwrap_or_default();
            let namespace = manifest.namespace.as_deref().unwrap_or_default();
            if !told.insert((work.placement(), kind, namespace, target)) {
                continue;
            }
            let member = work.cluster();
            cx.report(
                CONTESTED_REPLICAS
                    .at(replicas.span, "the hub sets this")
                    .also(place, "and this changes it")
                    .message(format!("{kind} {namespace}/{target} on {}: the hub and HorizontalPodAutoscaler {name} both set its replicas", member_name(member)))
                    .help("each apply resets the number, and the autoscaler changes it again; leave replicas out of the hub's manifest")
                    .recover(Recoverability::WaitsForPerson)
                    .command(look_at(member).words("get hpa").name(&name).namespace(namespace).build()),
            );
        }
    }
}

/// Finds the autoscaler of a workload: placed with it, or seen on the member.
fn find_scaler(cx: &Cx<'_>, work: &Work, workload: &Manifest) -> Option<(Box<str>, Span)> {
    const SCALER: &str = "HorizontalPodAutoscaler";
    let text = |node: Option<&Node>| node.and_then(Node::as_str).unwrap_or_default().to_owned();
    let (kind, name) = (workload.kind.as_deref()?, workload.name.as_deref()?);
    let hit = |root: &Node| {
        let target = root.at(&["spec", "scaleTargetRef"])?;
        let same = text(target.get("kind")) == kind && text(target.get("name")) == name;
        same.then_some(target.get("name")?.span)
    };
    let namespace = workload.namespace.as_deref().unwrap_or_default();
    let works = cx.works().iter().filter(|other| other.cluster() == work.cluster());
    let placed = works.flat_map(|other| &other.manifests).filter(|one| {
        one.kind.as_deref() == Some(SCALER) && one.namespace.as_deref() == Some(namespace)
    });
    let mut placed = placed.filter_map(|one| Some((one.name.as_deref()?.into(), hit(&one.root)?)));
    let seen = || {
        let all = cx
            .objects(Kind::Other, SCALER)
            .into_iter()
            .filter(|meta| meta.namespace() == namespace && *meta.key.cluster == *work.cluster());
        all.filter_map(|meta| Some((meta.name().into(), hit(&meta.root)?))).next()
    };
    placed.next().or_else(seen)
}
