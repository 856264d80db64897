//! FL0733 work-deletion-hangs.

use crate::declare_rule;
use crate::facts::blocked_rollout::BlockedRollout;
use crate::finding::{Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::condition::{find_condition, read_conditions};
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;
use crate::model::work::{Manifest, Work};
use crate::rule::Cx;
use crate::rules::chain::{explain_stall, join_names};
use crate::rules::commands::get_on_member;
use crate::source::Span;
use jiff::SignedDuration;
use std::collections::BTreeMap;

declare_rule! {
    /// A Work that was deleted long ago and does not go, because something on the member cannot go.
    ///
    /// ## Why it matters
    /// The member agent deletes the AppliedWork and everything that it owns, and keeps the Work until that is
    /// done. A finalizer that nobody serves, or a namespace that the API server never deletes, holds all of it
    /// for ever. The placement and its binding are gone by then, so nothing else on the hub shows it, and a
    /// placement of the same name cannot be made again. Finalizers in a hub manifest are copied to the members.
    ///
    /// ## What to do
    /// Decide whether the object may go; then remove the finalizer on the member (or, for a reserved namespace,
    /// the owner reference). Everything above it follows by itself.
    pub static WORK_DELETION_HANGS = Rule {
        code: "FL0733",
        name: "work-deletion-hangs",
        severity: Severity::Warning,
        reads: &[Kind::Work, Kind::AppliedWork, Kind::Namespace, Kind::ConfigMap, Kind::Secret, Kind::Other],
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
        Some((work, holder)) => WORK_DELETION_HANGS
            .at(holder.span, holder.label.clone())
            .also(span, "the Work is going since then")
            .message(format!(
                "Work {name} has been going away on {members} for {age}: {}",
                holder.sentence
            ))
            .command(get_on_member(&ObjectKey {
                cluster: work.cluster().into(),
                ..holder.meta.key.clone()
            })),
        None => WORK_DELETION_HANGS
            .at(span, "deleted here")
            .also_at(work.meta.finalizers.first().map(|text| text.span), "the agent has not let it go")
            .message(format!(
                "Work {name} has been going away on {members} for {age}: the member agent has not let it go"
            ))
            .about(Topic::Member(work.cluster().into())),
    };
    for applied in cx.applied_works() {
        if applied.meta.name() == name && is_on(&applied.meta, work.cluster()) {
            let since = applied.meta.deleting.map(|deleting| deleting.span);
            finding = finding.also_at(since, "the AppliedWork is going too");
        }
    }
    for other in works.iter().filter(|other| other.cluster() != work.cluster()).take(3) {
        let since = other.meta.deleting.map(|deleting| deleting.span);
        finding = finding.also_at(since, format!("on {} too", other.cluster()));
    }
    if let Some(source) = manifest_finalizer(work) {
        finding = finding.also(source, "the finalizer came with the hub's manifest");
    }
    for work in works {
        finding = finding.explains(Topic::Work(work.meta.key.clone()));
        let waiting = cx.blocked_rollouts().iter().filter(|stall| waits_for(stall, work));
        for stall in waiting {
            finding = explain_stall(finding.severity(Severity::Error), stall);
        }
    }
    finding
        .why("the agent keeps the Work until everything that it brought is gone from the member; the hub shows nothing else of it")
        .recover(Recoverability::ResumesAfterRepair)
}

/// What holds a deletion on a member.
struct Holder<'g> {
    meta: &'g Meta,
    span: Span,
    label: String,
    sentence: String,
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
        let finalizer = meta.finalizers.iter().find(|text| !OWN_FINALIZERS.contains(&&***text))?;
        Some(Holder {
            meta,
            span: finalizer.span,
            label: "nobody takes this finalizer off".to_owned(),
            sentence: format!("finalizer {} holds {} on {member}", &**finalizer, meta.key),
        })
    });
    let namespaces = || objects.iter().copied().filter(|meta| &*meta.key.kind == "Namespace");
    let by_namespace = || namespaces().find_map(|meta| remaining(meta, member));
    let immortal = || {
        namespaces().find(|meta| IMMORTAL.contains(&meta.name())).map(|meta| Holder {
            meta,
            span: meta.owners.first().map_or(meta.name_span, |owner| owner.name.span),
            label: "owned by the AppliedWork that should go".to_owned(),
            sentence: format!(
                "it took over Namespace {}, which the API server of {member} never deletes",
                meta.name()
            ),
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
    let conditions = read_conditions(meta.root.get("status")?, "conditions");
    let kinds = ["NamespaceFinalizersRemaining", "NamespaceContentRemaining"];
    let left =
        kinds.iter().find_map(|kind| find_condition(&conditions, kind).filter(|c| c.is_true()))?;
    Some(Holder {
        meta,
        span: left.best_span(),
        label: "what is left in it".to_owned(),
        sentence: format!("Namespace {} on {member} cannot go: {}", meta.name(), left.message()),
    })
}

/// Says whether an object on a member stands in the way of a Work: it was brought by it, or lies in a
/// namespace that was.
fn belongs(meta: &Meta, work: &Work) -> bool {
    let owned = meta
        .owners
        .iter()
        .any(|owner| &*owner.kind == "AppliedWork" && &*owner.name == work.meta.name());
    let brings = |manifest: &Manifest| {
        manifest.kind.as_deref() == Some("Namespace")
            && manifest.name.as_deref() == Some(meta.namespace())
    };
    owned || (!meta.namespace().is_empty() && work.manifests.iter().any(brings))
}

fn is_on(meta: &Meta, member: &str) -> bool {
    meta.key.cluster.is_empty() || &*meta.key.cluster == member
}

fn manifest_finalizer(work: &Work) -> Option<Span> {
    let lists = work.manifests.iter().filter_map(|m| m.root.at(&["metadata", "finalizers"]));
    lists.flat_map(|list| list.items()).next().map(|item| item.span)
}

fn waits_for(stall: &BlockedRollout, work: &Work) -> bool {
    let phrase = stall
        .find(&[id::BINDING_WORKSYNC_BEING_DELETED])
        .filter(|_| &*stall.cluster == work.cluster());
    phrase.is_some_and(|phrase| phrase.get("work") == Some(work.meta.name()))
}
