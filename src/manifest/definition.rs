//! CustomResourceDefinitions among the files: kinds that a hub has beside its own.
//!
//! Owns reading group, kind, scope and served versions. They are read only where a placement selects a kind
//! that is neither Kubernetes' nor KubeFleet's.

use memchr::memmem;
use smol_str::SmolStr;

use super::repository::FileRole;
use super::{Manifest, Repository};
use crate::grammar::kind::{Kind, Scope, all_kinds};
use crate::source::Sources;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Node, Value};
use crate::syntax::yaml::parse_manifests;

/// The kind of these objects.
const KIND: &str = "CustomResourceDefinition";

/// A kind that some file defines.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its group.
    pub group: SmolStr,
    /// Its name.
    pub kind: SmolStr,
    /// Where its objects live.
    pub scope: Scope,
    /// The versions that are served.
    pub versions: Vec<SmolStr>,
}

impl Repository {
    /// Finds the definition of a kind among the files.
    pub fn find_definition(&self, group: &str, kind: &str) -> Option<&Definition> {
        self.definitions.iter().find(|known| *known.group == *group && *known.kind == *kind)
    }

    /// Reads the definitions among the files, if some placement selects a kind that needs one.
    pub(super) fn read_definitions(&mut self, sources: &Sources, roles: &[FileRole]) {
        if !self.of(Kind::Placement).any(needs_definition) {
            return;
        }
        for (source, role) in sources.iter().zip(roles) {
            let looked_at = matches!(role, FileRole::Judged | FileRole::Context);
            if looked_at && memmem::find(source.text().as_bytes(), KIND.as_bytes()).is_some() {
                let documents = parse_manifests(&TextView::whole(source, source.span()), &|_| true);
                let roots = documents.iter().filter_map(|document| document.root.as_deref());
                self.definitions.extend(roots.filter_map(read));
            }
        }
    }
}

/// Says whether a placement selects a kind that only a definition tells of.
pub(super) fn needs_definition(placement: &Manifest) -> bool {
    let built_in = |group: &str| all_kinds().iter().any(|spec| spec.group == group);
    let list = placement.stored().at(&["spec", "resourceSelectors"]);
    let selectors = list.map(|list| list.items()).unwrap_or_default();
    selectors.iter().any(|one| one.text("group").is_some_and(|group| !built_in(group)))
}

fn read(root: &Node) -> Option<Definition> {
    let text = |path: &[&str]| root.at(path).and_then(Node::as_str);
    text(&["kind"]).filter(|kind| *kind == KIND)?;
    let cluster = text(&["spec", "scope"]) == Some("Cluster");
    let versions = root.at(&["spec", "versions"]).map(Node::items).unwrap_or_default().iter();
    let served = versions.filter(|version| {
        version.get("served").is_none_or(|served| served.value != Value::Bool(false))
    });
    Some(Definition {
        group: text(&["spec", "group"])?.into(),
        kind: text(&["spec", "names", "kind"])?.into(),
        scope: if cluster { Scope::Cluster } else { Scope::Namespaced },
        versions: served
            .filter_map(|version| Some(version.get("name")?.as_str()?.into()))
            .collect(),
    })
}
