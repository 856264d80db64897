//! FL0770 contested-replicas.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::autoscaler::{AUTOSCALER, ScaleTarget};
use crate::model::work::{Work, WorkManifest};
use crate::rule::Cx;
use crate::rules::commands::look_at;
use crate::rules::sentence::member_name;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

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
    let scalers = scalers(cx);
    let mut told = BTreeSet::new();
    for work in cx.works().iter().filter(|work| work.meta.deleting.is_none()) {
        for manifest in &work.manifests {
            let Some(replicas) = manifest.replicas() else { continue };
            let Some((name, place)) = find_scaler(&scalers, work, manifest) else { continue };
            let kind = manifest.kind.as_deref().unwrap_or_default();
            let target = manifest.name.as_deref().unwrap_or_default();
            let namespace = manifest.namespace.as_deref().unwrap_or_default();
            if !told.insert((work.placement(), kind, namespace, target)) {
                continue;
            }
            let member = work.cluster();
            cx.report(
                CONTESTED_REPLICAS
                    .at(replicas.span, "set by the hub")
                    .also(place, "changed by this autoscaler")
                    .message(format!(
                        "The hub and HorizontalPodAutoscaler {name} both set the replicas of \
                         {kind} {namespace}/{target} on {}.",
                        member_name(member)
                    ))
                    .why(
                        "Each apply of the member agent resets the number, and the autoscaler \
                          changes it again.",
                    )
                    .then("The number of pods keeps jumping until one of the two gives it up.")
                    .hint("Leave spec.replicas out of the manifest on the hub.")
                    .recover(Recoverability::WaitsForPerson)
                    .step(
                        look_at(member)
                            .words("get horizontalpodautoscalers")
                            .name(name)
                            .namespace(namespace)
                            .build(),
                        "shows the number of pods that the autoscaler wants",
                    ),
            );
        }
    }
}

/// The autoscalers of a member's namespace, with their targets: placed there by the hub, then seen there.
type Scalers<'g> = BTreeMap<(&'g str, &'g str), Vec<(&'g str, ScaleTarget)>>;

fn scalers<'g>(cx: &Cx<'g>) -> Scalers<'g> {
    let mut found = Scalers::new();
    for work in cx.works() {
        for one in work.manifests.iter().filter(|one| one.kind.as_deref() == Some(AUTOSCALER)) {
            let (Some(namespace), Some(name)) = (&one.namespace, &one.name) else { continue };
            let Some(target) = ScaleTarget::of_manifest(one) else { continue };
            found.entry((work.cluster(), namespace)).or_default().push((name, target));
        }
    }
    for meta in cx.objects(Kind::Other, AUTOSCALER) {
        let place = (&*meta.key.cluster, meta.namespace());
        let Some(target) = ScaleTarget::of_object(meta) else { continue };
        found.entry(place).or_default().push((meta.name(), target));
    }
    found
}

/// Finds the autoscaler of a workload.
fn find_scaler<'g>(
    scalers: &Scalers<'g>,
    work: &Work,
    workload: &WorkManifest,
) -> Option<(&'g str, Span)> {
    let (kind, name) = (workload.kind.as_deref()?, workload.name.as_deref()?);
    let here = scalers.get(&(work.cluster(), workload.namespace.as_deref().unwrap_or_default()))?;
    let (scaler, target) = here.iter().find(|(_, target)| target.is(kind, name))?;
    Some((scaler, target.name.span))
}
