//! The member clusters of a repository, and which of them a placement may pick.
//!
//! What a policy makes of them is told by [`crate::behaviour`].

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use smol_str::SmolStr;

use super::{FileRole, Manifest, Repository, Surroundings};
use crate::behaviour::member::labels_on_hub;
use crate::behaviour::picking::{Candidate, Fit};
use crate::grammar::kind::{Kind, find_kind};
use crate::kube::selector::Labels;
use crate::model::cluster::{MemberCluster, MemberTaint};
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;
use crate::model::object::{Object, Typed as _};
use crate::model::placement::Placement;
use crate::model::selector::plain_labels;
use crate::source::{SourceFile, Span};
use crate::syntax::Document;
use crate::syntax::detect::parse_source;

/// A member cluster as its manifest describes it.
#[derive(Clone, Debug)]
pub struct DescribedMember<'r> {
    /// Its name.
    pub name: &'r str,
    /// Its labels.
    pub labels: Labels<'r>,
    /// Where it is described.
    pub manifest: &'r Manifest,
}

impl Repository {
    /// Says whether the members described here are the fleet: one among other manifests may be an example.
    pub fn knows_fleet(&self) -> bool {
        self.setting.surroundings == Surroundings::Stored
            || self.manifests.iter().any(|manifest| manifest.role == FileRole::Members)
    }

    /// Returns the members of the fleet, by name; none where those described here may be examples, since what none of
    /// a few examples is or has says nothing.
    pub fn fleet(&self) -> Vec<DescribedMember<'_>> {
        if self.knows_fleet() { self.members() } else { Vec::new() }
    }

    /// Says whether a member is there where something is applied: one of the fleet, or one that is applied with it.
    pub fn is_member_for(&self, member: &DescribedMember<'_>, at: Span) -> bool {
        self.knows_fleet() || self.is_together(member.manifest.span, at)
    }

    /// Returns the members that are described, by name.
    pub fn members(&self) -> Vec<DescribedMember<'_>> {
        let mut members: Vec<DescribedMember<'_>> =
            self.of(Kind::MemberCluster).map(member).collect();
        members.sort_by(|left, right| left.name.cmp(right.name));
        members.dedup_by(|left, right| left.name == right.name);
        members
    }
}

/// Says whether a dump tells of any member cluster.
pub fn lists_members(source: &SourceFile) -> bool {
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
        let tree = Arc::clone(&root);
        let meta = Meta::read(key.clone(), document.span, document.syntax, document.partial, tree);
        Some(Manifest {
            role: FileRole::Members,
            key,
            span: document.span,
            object: Object::read(Some(spec.family), Arc::new(meta)),
            root: Arc::unwrap_or_clone(root),
            spec: Some(spec),
            version: SmolStr::default(),
            schema: None,
            comments: Vec::new(),
            faults: Vec::new(),
            unlisted: BTreeMap::new(),
            before: None,
            may_change: OnceLock::new(),
        })
    };
    parsed.documents.into_iter().filter_map(member).collect()
}

/// Describes a member cluster by its manifest.
pub fn member(manifest: &Manifest) -> DescribedMember<'_> {
    let labels = labels_of(manifest.object.meta());
    DescribedMember { name: manifest.name(), labels, manifest }
}

/// Returns the labels of a member cluster, with the one that the hub adds.
pub fn labels_of(meta: &Meta) -> Labels<'_> {
    labels_on_hub(&meta.key.name, plain_labels(&meta.labels))
}

/// Says whether a placement may pick a member, by its labels and taints.
pub fn may_pick(placement: &Placement, member: &DescribedMember<'_>) -> bool {
    let cluster = MemberCluster::of(&member.manifest.object);
    let taints: Vec<_> = cluster.iter().flat_map(|it| &it.taints).map(MemberTaint::plain).collect();
    let candidate = Candidate { name: member.name, labels: &member.labels, taints: &taints };
    placement.policy.fit(candidate) != Fit::No
}
