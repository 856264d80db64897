//! Objects of other kinds, as far as KubeFleet's manifests speak of them.
//!
//! Owns which of them are read at all: those that an override patches, workloads that a hub refuses,
//! and ConfigMaps that were envelopes once. A file that cannot hold one of these is not parsed, so
//! unrelated YAML costs one look for a few words.

use std::sync::Arc;

use memchr::memmem;
use smol_str::SmolStr;

use super::contents::is_markdown;
use super::cursor::Cursor;
use super::kustomize::Kustomize;
use super::repository::FileRole;
use super::template::find_hole;
use super::{Manifest, Repository};
use crate::grammar::kind::Kind;
use crate::model::key::ObjectKey;
use crate::source::{SourceFile, Sources, Span};
use crate::syntax::Document;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::Node;
use crate::syntax::yaml::parse_manifests;

/// The annotation that once made an envelope of a ConfigMap.
pub const ENVELOPE_ANNOTATION: &str = "kubernetes-fleet.io/envelope-configmap";

/// Workloads that a hub refuses.
pub const REFUSED_WORKLOADS: [&str; 2] = ["Pod", "ReplicaSet"];

/// An object of another kind.
#[derive(Clone, Debug)]
pub struct OtherObject {
    /// Whether it is judged, the old version of something judged, or context.
    pub role: FileRole,
    /// Which object it is.
    pub key: ObjectKey,
    /// Its group and version.
    pub api_version: SmolStr,
    /// Its tree.
    pub(super) root: Node,
    /// Its whole text.
    pub span: Span,
    /// The comments in it.
    pub comments: Vec<Span>,
    /// Whether what is applied may be made of more than this text.
    pub layered: bool,
}

impl OtherObject {
    /// Starts at the root of the tree.
    pub fn written(&self) -> Cursor<'_> {
        Cursor::root(&self.root)
    }
}

impl Repository {
    /// Reads the objects of other kinds that the manifests speak of.
    pub(super) fn read_foreign(
        &mut self,
        sources: &Sources,
        roles: &[FileRole],
        kustomize: &Kustomize,
    ) {
        let targets: Vec<Target> = self.judged().flat_map(targets_of).collect();
        let places = self.of(Kind::Placement).next().is_some();
        let mut found = Vec::new();
        for (source, role) in sources.iter().zip(roles) {
            let judged = *role == FileRole::Judged;
            if !(judged || *role == FileRole::Context) || is_markdown(source.path()) {
                continue;
            }
            let text = source.text().as_bytes();
            let names = |word: &str| memmem::find(text, word.as_bytes()).is_some();
            let workload = judged && places && holds_workload(source.text());
            let wanted = workload
                || targets.iter().any(|target| names(&target.name) && names(&target.kind))
                || (judged && names(ENVELOPE_ANNOTATION));
            if wanted {
                let layered = kustomize.is_layered(source.path());
                found.extend(read(source, *role, layered).filter(|foreign| {
                    let target = targets.iter().any(|target| target.is(foreign));
                    target || (judged && is_of_interest(foreign))
                }));
            }
        }
        self.foreign = found;
    }
}

/// An object that an override patches.
struct Target {
    kind: String,
    namespace: String,
    name: String,
}

impl Target {
    fn is(&self, foreign: &OtherObject) -> bool {
        let key = &foreign.key;
        *self.kind == *key.kind && *self.namespace == *key.namespace && *self.name == *key.name
    }
}

fn targets_of(manifest: &Manifest) -> Vec<Target> {
    if manifest.family() != Some(Kind::Override) {
        return Vec::new();
    }
    let list =
        if manifest.is_cluster_scoped() { "clusterResourceSelectors" } else { "resourceSelectors" };
    let selectors = manifest.stored().at(&["spec", list]).map(|list| list.items());
    let target = |selector: &Cursor<'_>| {
        Some(Target {
            kind: selector.text("kind").filter(|kind| !kind.is_empty())?.to_owned(),
            namespace: manifest.key.namespace.to_string(),
            name: selector.text("name").filter(|name| !name.is_empty())?.to_owned(),
        })
    };
    selectors.unwrap_or_default().iter().filter_map(target).collect()
}

/// Says whether a text may hold a workload that a hub refuses.
pub fn holds_workload(text: &str) -> bool {
    let text = text.as_bytes();
    let mut kinds = memmem::find_iter(text, b"kind");
    kinds.any(|at| {
        let rest = text.get(at + "kind".len()..).unwrap_or_default();
        let skip = rest.iter().take_while(|byte| b"\": ".contains(byte)).count();
        let word = rest.get(skip..).unwrap_or_default();
        REFUSED_WORKLOADS.iter().any(|kind| {
            let after = word.strip_prefix(kind.as_bytes());
            after.is_some_and(|after| !after.first().is_some_and(u8::is_ascii_alphanumeric))
        })
    })
}

fn is_of_interest(foreign: &OtherObject) -> bool {
    let annotations = foreign.root.at(&["metadata", "annotations"]);
    REFUSED_WORKLOADS.contains(&&*foreign.key.kind)
        || (&*foreign.key.kind == "ConfigMap"
            && annotations.is_some_and(|node| node.get(ENVELOPE_ANNOTATION).is_some()))
}

fn read(source: &SourceFile, role: FileRole, layered: bool) -> impl Iterator<Item = OtherObject> {
    let view = TextView::whole(source, source.span());
    let documents = parse_manifests(&view, &|_| true);
    documents.into_iter().filter_map(move |document| object(document, role, layered))
}

fn object(document: Document, role: FileRole, layered: bool) -> Option<OtherObject> {
    let root = document.root.filter(|_| document.problems.is_empty()).map(Arc::unwrap_or_clone)?;
    if super::identity::identify(&root).is_some() || find_hole(&root).is_some() {
        return None;
    }
    let text = |path: &[&str]| root.at(path).and_then(Node::as_str).unwrap_or_default();
    let name = text(&["metadata", "name"]);
    let key = ObjectKey::on_hub(text(&["kind"]), text(&["metadata", "namespace"]), name);
    let api_version = text(&["apiVersion"]).into();
    let (span, comments) = (document.span, document.comments);
    Some(OtherObject { role, key, api_version, root, span, comments, layered })
}
