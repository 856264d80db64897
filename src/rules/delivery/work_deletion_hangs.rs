//! FL0733 work-deletion-hangs.

use serde_json::json;

use crate::declare_rule;
use crate::facts::blocked_rollout::BlockedRollout;
use crate::finding::{Certainty, Command, Finding, Recoverability, Risk, RunsOn, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::condition::find_condition;
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;
use crate::model::read::Text;
use crate::model::work::{Work, WorkManifest};
use crate::rule::Cx;
use crate::rules::commands::{look_at, managers_on_member};
use crate::rules::consequence::explain_stall;
use crate::rules::sentence::{full_stop, join_names};
use crate::source::Span;
use jiff::SignedDuration;
use std::collections::BTreeMap;

declare_rule! {
    /// A Work that was deleted long ago and does not go, because something on the member cannot go.
    ///
    /// ## Why it matters
    /// The member agent deletes the AppliedWork and everything that it owns, and keeps the Work until that is
    /// done. A finalizer that nobody serves, or a namespace that the API server never deletes, holds all of it
    /// permanently. The placement and its binding are gone by then, so nothing else on the hub shows it, and a
    /// placement of the same name cannot be made again. Finalizers in a hub manifest are copied to the members.
    ///
    /// ## What to do
    /// Decide whether the object may go; then remove the finalizer on the member (or, for a reserved namespace,
    /// the owner reference). Everything above it follows by itself.
    pub static WORK_DELETION_HANGS = Rule {
        code: "FL0733",
        name: "work-deletion-hangs",
        severity: Severity::Warning,
        reads: &[
            Kind::Work,
            Kind::AppliedWork,
            Kind::Namespace,
            Kind::ConfigMap,
            Kind::Secret,
            Kind::Other,
        ],
        check: work_deletion_hangs,
    }
}

/// A deletion takes seconds, with an agent in back-off a few minutes.
const PATIENCE: SignedDuration = SignedDuration::from_mins(5);

fn work_deletion_hangs(cx: &mut Cx<'_>) {
    let mut groups: BTreeMap<(&str, Option<ObjectKey>), Vec<&Work>> = BTreeMap::new();
    for work in cx.works() {
        let Some(deleting) = work.meta.deleting else { continue };
        if cx.surely_over(deleting.value, PATIENCE).is_some() {
            groups.entry((work.meta.name(), work.placement())).or_default().push(work);
        }
    }
    for works in groups.into_values() {
        let holder = works.iter().find_map(|work| Some((*work, find_holder(cx, work)?)));
        let finding = describe(cx, &works, holder);
        cx.report(finding);
    }
}

fn describe(cx: &Cx<'_>, works: &[&Work], holder: Option<(&Work, Holder<'_>)>) -> Finding {
    let work = holder.as_ref().map_or_else(|| works.first().copied(), |(work, _)| Some(*work));
    let work = work.expect("a group has a member");
    let members = join_names(works.iter().map(|work| work.cluster()));
    let since = work.meta.deleting.map(|deleting| deleting.value);
    let age = since.and_then(|since| cx.clock().since(since));
    let age = age.map(|age| age.show()).unwrap_or_default();
    let name = work.meta.name();
    let span = work.meta.deleting.map_or(work.meta.name_span, |deleting| deleting.span);
    let mut finding = match &holder {
        Some((_, holder)) => WORK_DELETION_HANGS
            .at(holder.span, holder.label.clone())
            .also(span, "the Work was deleted")
            .message(full_stop(&format!(
                "Work {name} has been stuck in deletion on {members} for {age}: {}",
                holder.sentence
            ))),
        None if let Some(namespace) = brought_immortal(works) => WORK_DELETION_HANGS
            .at(namespace.span, "brought by the Work")
            .also(span, "the Work was deleted")
            .message(format!(
                "Work {name} has been stuck in deletion on {members} for {age}: it brought \
                 Namespace {}, which the API server of a member never deletes.",
                &**namespace
            ))
            .certainty(Certainty::Likely)
            .step(
                applied_work_command(work),
                "shows what the member agent still has to delete there",
            ),
        None => WORK_DELETION_HANGS
            .at(span, "the Work was deleted")
            .also_at(
                work.meta.finalizers.first().map(|text| text.span),
                "the member agent has not removed its finalizer",
            )
            .message(format!(
                "Work {name} has been stuck in deletion on {members} for {age}: the member agent \
                 has not removed its finalizer."
            ))
            .step(
                applied_work_command(work),
                "shows what the member agent still has to delete there",
            )
            .about(Topic::Member(work.cluster().into())),
    };
    for applied in cx.applied_works() {
        if applied.meta.name() == name && is_on(&applied.meta, work.cluster()) {
            let since = applied.meta.deleting.map(|deleting| deleting.span);
            finding = finding.also_at(since, "the AppliedWork is stuck, too");
        }
    }
    for other in works.iter().filter(|other| other.cluster() != work.cluster()).take(3) {
        let since = other.meta.deleting.map(|deleting| deleting.span);
        finding = finding.also_at(since, format!("also on {}", other.cluster()));
    }
    if let Some(source) = manifest_finalizer(work) {
        finding = finding.also(source, "the finalizer came with the manifest of the hub");
    }
    for work in works {
        finding = finding.explains(Topic::Work(work.meta.key.clone()));
        let waiting = cx.blocked_rollouts().iter().filter(|stall| waits_for(stall, work));
        for stall in waiting {
            finding = explain_stall(finding.severity(Severity::Error), stall);
        }
    }
    if let Some((work, holder)) = &holder {
        let key = ObjectKey { cluster: work.cluster().into(), ..holder.meta.key.clone() };
        finding = finding.step(managers_on_member(&key), holder.look.clone());
        if let Some((path, value, effect)) = &holder.release {
            let patch = json!([
                {"op": "test", "path": path, "value": value},
                {"op": "remove", "path": path},
            ]);
            let place = RunsOn::of_cluster(&key.cluster);
            let builder = Command::kubectl(Risk::Destructive, place).words("patch").object(&key);
            finding = finding.step(builder.patch("--type=json", &patch).build(), effect.clone());
        }
    }
    finding
        .why(
            "The member agent keeps the Work until everything that the Work brought is gone from \
              the member.",
        )
        .then(format!(
            "{name} goes within 15m once the member lets its objects go. A placement of the same \
             name continues then."
        ))
        .recover(Recoverability::ResumesAfterRepair)
}

/// Finds a namespace among the manifests of Works that no API server deletes.
fn brought_immortal<'g>(works: &[&'g Work]) -> Option<&'g Text> {
    let manifests = works.iter().flat_map(|work| &work.manifests);
    let mut namespaces = manifests
        .filter(|manifest| manifest.kind.as_deref() == Some("Namespace"))
        .filter_map(|manifest| manifest.name.as_ref());
    namespaces.find(|name| IMMORTAL.contains(&&***name))
}

fn applied_work_command(work: &Work) -> Option<Command> {
    let builder = look_at(work.cluster()).words("get appliedworks").name(work.meta.name());
    builder.words("-o yaml").build()
}

/// What holds a deletion on a member.
struct Holder<'g> {
    meta: &'g Meta,
    span: Span,
    label: String,
    sentence: String,
    /// What a look at the object tells.
    look: String,
    /// What would let it go: a path, the value that stands there, and what is lost.
    release: Option<(String, String, String)>,
}

/// Finds the deepest object that keeps the member from letting a Work go.
fn find_holder<'g>(cx: &Cx<'g>, work: &Work) -> Option<Holder<'g>> {
    let member = work.cluster();
    let objects: Vec<&Meta> = cx
        .plain_objects()
        .into_iter()
        .filter(|meta| is_on(meta, member) && belongs(meta, work))
        .collect();
    let object = objects.iter().copied().filter(|meta| &*meta.key.kind != "Namespace");
    let by_finalizer = object.filter(|meta| meta.deleting.is_some()).find_map(|meta| {
        let mut finalizers = meta.finalizers.iter().enumerate();
        let (index, finalizer) =
            finalizers.find(|(_, text)| !OWN_FINALIZERS.contains(&&***text))?;
        Some(Holder {
            meta,
            span: finalizer.span,
            label: "this finalizer holds it".to_owned(),
            sentence: format!("finalizer {} holds {} on {member}", &**finalizer, meta.key),
            look: format!("shows who set {} (managedFields)", &**finalizer),
            release: Some((
                format!("/metadata/finalizers/{index}"),
                finalizer.to_string(),
                format!("removes the finalizer, so that {} is deleted", meta.key),
            )),
        })
    });
    let namespaces = || objects.iter().copied().filter(|meta| &*meta.key.kind == "Namespace");
    let by_namespace = || namespaces().find_map(|meta| remaining(meta, member));
    let immortal = || {
        namespaces().find(|meta| IMMORTAL.contains(&meta.name())).map(|meta| Holder {
            meta,
            span: meta.owners.first().map_or(meta.name_span, |owner| owner.name.span),
            label: "owned by the AppliedWork that cannot go".to_owned(),
            sentence: format!(
                "it took over Namespace {}, which the API server of {member} never deletes",
                meta.name()
            ),
            look: "shows the ownerReference to the AppliedWork, which has to go".to_owned(),
            release: None,
        })
    };
    by_finalizer.or_else(by_namespace).or_else(immortal)
}

/// Namespaces that admission protects from deletion (Kubernetes NamespaceLifecycle).
const IMMORTAL: [&str; 3] = ["default", "kube-system", "kube-public"];
/// Finalizers that the garbage collector sets and takes off itself.
const OWN_FINALIZERS: [&str; 2] = ["foregroundDeletion", "orphan"];

/// Reads from a terminating namespace which finalizers are left in it.
fn remaining<'g>(meta: &'g Meta, member: &str) -> Option<Holder<'g>> {
    meta.deleting?;
    let conditions = meta.conditions();
    let kinds = ["NamespaceFinalizersRemaining", "NamespaceContentRemaining"];
    let left =
        kinds.iter().find_map(|kind| find_condition(&conditions, kind).filter(|c| c.is_true()))?;
    Some(Holder {
        meta,
        span: left.best_span(),
        label: "what is left in the namespace".to_owned(),
        sentence: format!("Namespace {} on {member} cannot go: {}", meta.name(), left.message()),
        look: "shows what is left in the namespace".to_owned(),
        release: None,
    })
}

/// Says whether an object on a member stands in the way of a Work: it was brought by it, or lies in a
/// namespace that was.
fn belongs(meta: &Meta, work: &Work) -> bool {
    let owned = meta
        .owners
        .iter()
        .any(|owner| &*owner.kind == "AppliedWork" && &*owner.name == work.meta.name());
    let brings = |manifest: &WorkManifest| {
        manifest.kind.as_deref() == Some("Namespace")
            && manifest.name.as_deref() == Some(meta.namespace())
    };
    owned || (!meta.namespace().is_empty() && work.manifests.iter().any(brings))
}

fn is_on(meta: &Meta, member: &str) -> bool {
    meta.key.cluster.is_empty() || &*meta.key.cluster == member
}

fn manifest_finalizer(work: &Work) -> Option<Span> {
    work.manifests.iter().find_map(WorkManifest::finalizer_span)
}

fn waits_for(stall: &BlockedRollout, work: &Work) -> bool {
    let phrase = stall
        .find(&[id::BINDING_WORKSYNC_BEING_DELETED])
        .filter(|_| &*stall.cluster == work.cluster());
    phrase.is_some_and(|phrase| phrase.get("work") == Some(work.meta.name()))
}
