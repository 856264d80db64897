//! The member clusters of a repository, and which of them a placement may pick.
//!
//! Owns labels (with the one that the hub adds by itself), taints against tolerations, and required
//! terms. A term about properties cannot be judged from manifests: it may match.

use std::sync::Arc;

use super::labels::{Labels, Selector};
use super::{At, Manifest, Repository, Role};
use crate::grammar::kind::{Kind, find_kind};
use crate::model::cluster::MEMBER_NAME;
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;
use crate::model::object::Object;
use crate::source::SourceFile;
use crate::syntax::Document;
use crate::syntax::detect::parse_source;

/// A member cluster as its manifest describes it.
#[derive(Clone, Debug)]
pub struct Member<'r> {
    /// Its name.
    pub name: &'r str,
    /// Its labels.
    pub labels: Labels,
    /// Where it is described.
    pub manifest: &'r Manifest,
}

impl Repository {
    /// Returns the members that are described, by name.
    pub fn members(&self) -> Vec<Member<'_>> {
        let mut members: Vec<Member<'_>> = self.of(Kind::MemberCluster).map(member).collect();
        members.sort_by(|left, right| left.name.cmp(right.name));
        members.dedup_by(|left, right| left.name == right.name);
        members
    }
}

/// Says whether a dump tells of any member cluster.
pub fn tells_of_members(source: &SourceFile) -> bool {
    !read_members(source).is_empty()
}

/// Reads a dump of member clusters: YAML, JSON, describe, or a table with its labels.
pub(super) fn read_members(source: &SourceFile) -> Vec<Manifest> {
    let Some(spec) = find_kind("MemberCluster") else { return Vec::new() };
    let parsed = parse_source(source, &|head| head.kind.as_deref() == Some(spec.name));
    let member = |document: Document| {
        let name =
            document.head.name.filter(|_| document.head.kind.as_deref() == Some(spec.name))?;
        let root = document.root?;
        let key = ObjectKey::on_hub(spec.name, "", &name);
        let meta =
            Meta::read(key.clone(), document.span, document.syntax, document.partial, root.clone());
        Some(Manifest {
            role: Role::Members,
            key,
            span: document.span,
            object: Object::read(Some(spec.family), Arc::new(meta)),
            root,
            spec: Some(spec),
            version: Box::default(),
            schema: None,
            comments: Vec::new(),
            faults: Vec::new(),
            before: None,
        })
    };
    parsed.documents.into_iter().filter_map(member).collect()
}

/// Describes a member cluster by its manifest.
pub fn member(manifest: &Manifest) -> Member<'_> {
    let labels = labels_of(manifest.object.meta());
    Member { name: manifest.name(), labels, manifest }
}

/// Returns the labels of a member cluster, with the one that the hub adds.
pub fn labels_of(meta: &Meta) -> Labels {
    let own = meta.labels.iter().map(|pair| (pair.key.to_string(), pair.value.to_string()));
    let mut labels: Labels = own.collect();
    labels.insert(MEMBER_NAME.to_owned(), meta.key.name.to_string());
    labels
}

/// Says whether a placement may pick a member.
pub fn may_pick(placement: &Manifest, member: &Member<'_>) -> bool {
    let root = placement.stored();
    let Some(policy) = root.at(&["spec", "policy"]) else { return tolerated(None, member) };
    if policy.text("placementType") == Some("PickFixed") {
        return policy.list("clusterNames").iter().any(|name| name.str() == Some(member.name));
    }
    let required = policy.at(&[
        "affinity",
        "clusterAffinity",
        "requiredDuringSchedulingIgnoredDuringExecution",
    ]);
    let terms = required.map(|required| required.list("clusterSelectorTerms")).unwrap_or_default();
    let fits = |term: &At<'_>| {
        let Some(labels) = term.get("labelSelector") else { return true };
        Selector::read(&labels).is_none_or(|selector| selector.matches(&member.labels))
    };
    (terms.is_empty() || terms.iter().any(fits)) && tolerated(Some(&policy), member)
}

/// Says whether all taints of a member are tolerated.
fn tolerated(policy: Option<&At<'_>>, member: &Member<'_>) -> bool {
    let tolerations = policy.map(|policy| policy.list("tolerations")).unwrap_or_default();
    let taints = member.manifest.stored().at(&["spec", "taints"]).map(|taints| taints.items());
    taints.unwrap_or_default().iter().all(|taint| {
        tolerations.iter().any(|toleration| {
            let key = toleration.text("key").unwrap_or_default();
            let exists = toleration.text("operator") == Some("Exists");
            let value = |at: &At<'_>| at.text("value").unwrap_or_default().to_owned();
            (key.is_empty() && exists)
                || (Some(key) == taint.text("key") && (exists || value(toleration) == value(taint)))
        })
    })
}
