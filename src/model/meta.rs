//! [`Meta`]: what every object has, whatever its kind.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::condition::{Condition, read_conditions};
use super::key::{ObjectKey, unnamed};
use super::read::{
    Pair, Site, Text, find_pair, read_int, read_pairs, read_some, read_text, read_texts, read_time,
};
use crate::kube::time::read_age;
use crate::source::{Span, Spanned};
use crate::syntax::Syntax;
use crate::syntax::tree::{Fidelity, Node};

/// An owner named by an object.
#[derive(Clone, Debug)]
pub struct OwnerReference {
    /// The owner's kind.
    pub kind: Text,
    /// The owner's name.
    pub name: Text,
}

/// Identity, metadata and the tree of one object as one file shows it.
#[derive(Clone, Debug)]
pub struct Meta {
    /// Which object it is.
    pub key: ObjectKey,
    /// Its whole text.
    pub span: Span,
    /// Where its name stands (or, where the name is only a hint, the start of its text).
    pub name_span: Span,
    /// How it was written.
    pub syntax: Syntax,
    /// Whether text is missing, so that an absent field proves nothing.
    pub partial: bool,
    /// `metadata.uid`.
    pub uid: Option<Text>,
    /// `metadata.resourceVersion` where it is a number, as it is from every known API server.
    pub resource_version: Option<u64>,
    /// `metadata.generation`.
    pub generation: Option<Spanned<i64>>,
    /// `metadata.creationTimestamp`.
    pub created: Option<Spanned<Timestamp>>,
    /// `metadata.deletionTimestamp`.
    pub deleting: Option<Spanned<Timestamp>>,
    /// `metadata.labels`.
    pub labels: Vec<Pair>,
    /// `metadata.annotations`.
    pub annotations: Vec<Pair>,
    /// `metadata.finalizers`.
    pub finalizers: Vec<Text>,
    /// `metadata.ownerReferences`.
    pub owners: Vec<OwnerReference>,
    /// The tree it was read from.
    pub root: Arc<Node>,
}

impl Meta {
    /// Reads the metadata of an object's tree.
    pub fn read(
        key: ObjectKey,
        span: Span,
        syntax: Syntax,
        partial: bool,
        root: Arc<Node>,
    ) -> Self {
        let absent = Node::new(span.start(), crate::syntax::tree::Value::Null);
        let meta = root.get("metadata").unwrap_or(&absent);
        let name_span = meta.get("name").map_or(span.start(), |name| name.span);
        Self {
            name_span,
            uid: read_text(meta, "uid"),
            resource_version: read_text(meta, "resourceVersion").and_then(|text| text.parse().ok()),
            generation: read_int(meta, "generation"),
            created: read_time(meta, "creationTimestamp"),
            deleting: read_time(meta, "deletionTimestamp"),
            labels: read_pairs(meta, "labels"),
            annotations: read_pairs(meta, "annotations"),
            finalizers: read_texts(meta, "finalizers"),
            owners: read_some(meta, "ownerReferences", |owner| {
                Some(OwnerReference {
                    kind: read_text(owner, "kind")?,
                    name: read_text(owner, "name")?,
                })
            }),
            key,
            span,
            syntax,
            partial,
            root,
        }
    }

    /// Returns `kind`.
    pub fn kind(&self) -> Option<Text> {
        read_text(&self.root, "kind")
    }

    /// Returns `apiVersion`.
    pub fn api_version(&self) -> Option<Text> {
        read_text(&self.root, "apiVersion")
    }

    /// Returns where the spec stands.
    pub fn spec(&self) -> Option<Site> {
        self.root.get("spec").map(Site::of)
    }

    /// Returns where the labels stand.
    pub fn labels_site(&self) -> Option<Site> {
        self.root.at(&["metadata", "labels"]).map(Site::of)
    }

    /// Returns the value of a label.
    pub fn label(&self, key: &str) -> Option<&Text> {
        find_pair(&self.labels, key)
    }

    /// Returns the value of an annotation.
    pub fn annotation(&self, key: &str) -> Option<&Text> {
        find_pair(&self.annotations, key)
    }

    /// Returns the generation, if the text has one.
    pub fn generation(&self) -> Option<i64> {
        self.generation.map(|generation| generation.value)
    }

    /// Returns `status.phase`, of kinds that have one.
    pub fn phase(&self) -> Option<Text> {
        self.root.get("status").and_then(|status| read_text(status, "phase"))
    }

    /// Returns `status.conditions`, of kinds that have no type of their own here.
    pub fn conditions(&self) -> Vec<Condition> {
        let status = self.root.get("status");
        status.map(|status| read_conditions(status, "conditions")).unwrap_or_default()
    }

    /// Returns `lastUpdatedTime`, of a ClusterResourcePlacementStatus.
    pub fn last_updated(&self) -> Option<Spanned<Timestamp>> {
        read_time(&self.root, "lastUpdatedTime")
    }

    /// Returns where spec or status of two sightings of an object hold different values.
    pub fn find_contradiction(&self, other: &Self) -> Option<(Span, Span)> {
        ["spec", "status"].iter().find_map(|part| {
            let (left, right) = (self.root.get(part)?, other.root.get(part)?);
            (!left.has_value_of(right)).then_some((left.span, right.span))
        })
    }

    /// Returns the AGE column, of a row of a table.
    pub fn row_age_text(&self) -> Option<Text> {
        read_text(&self.root, "x-age")
    }

    /// Returns how old the object was when the table was printed in which it is a row.
    pub fn row_age(&self) -> Option<Spanned<SignedDuration>> {
        let age = self.row_age_text()?;
        Some(Spanned::new(read_age(&age)?, age.span))
    }

    /// Says whether the text ends with the object, and nothing tells whether it was cut there.
    pub fn is_open(&self) -> bool {
        self.root.fidelity == Fidelity::Open
    }

    /// Says whether a controller has touched the object, so that what its text lacks may have stood behind its end.
    pub fn may_go_on(&self) -> bool {
        self.is_open() && !self.finalizers.is_empty()
    }

    /// Says whether nothing shows that the object was ever sent to an API server.
    pub fn is_manifest(&self) -> bool {
        self.uid.is_none()
            && self.resource_version.is_none()
            && self.created.is_none()
            && self.generation.is_none()
            && self.root.get("status").is_none()
    }

    /// Returns the object's name; a fragment may not show it.
    pub fn name(&self) -> &str {
        if self.key.name.is_empty() { unnamed(&self.key.kind) } else { &self.key.name }
    }

    /// Returns the object's name for the start of a sentence.
    pub fn title(&self) -> String {
        self.key.title()
    }

    /// Returns the object's namespace, `""` in cluster scope.
    pub fn namespace(&self) -> &str {
        &self.key.namespace
    }

    /// Says whether the text tells the object's scope; a fragment without a name may be of either.
    pub fn shows_scope(&self) -> bool {
        !self.key.name.is_empty() || !self.key.namespace.is_empty()
    }

    /// Says whether the object is cluster-scoped.
    pub fn is_cluster_scoped(&self) -> bool {
        self.key.namespace.is_empty()
    }
}
