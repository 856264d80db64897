//! Manifests: KubeFleet objects as people keep them in files, before anything is applied.
//!
//! Owns [`Manifest`] (one object, as written and as the API server would store it, with the faults
//! that follow from its shape) and [`Repository`] (all of them together, with what they refer to).
//! It leaves words, and everything that takes more than the shape of a kind, to the rules.
//! Invariant: a document that is not KubeFleet's is never judged.

mod applied_together;
mod change;
mod contents;
mod cursor;
mod definition;
mod draft;
mod fault;
mod identity;
mod kustomize;
mod labels;
mod markdown_blocks;
pub mod members;
mod metadata;
mod mutating_webhook;
mod nearby;
mod other_kinds;
mod patch_target;
pub mod property;
mod repository;
mod schema_check;
mod stored;
mod template;
mod update_check;

pub use crate::syntax::node_path::FieldPlace;
pub use contents::{is_markdown, mentions_fleet};
pub use cursor::Cursor;
pub use definition::Definition;
pub use draft::Draft;
pub use fault::{FaultKind, Limit, MOST_LISTED, ManifestFault};
pub use identity::PREVIEW_GROUP;
pub use nearby::{find_near, folder_of};
pub use other_kinds::{ENVELOPE_ANNOTATION, OtherObject, REFUSED_WORKLOADS, holds_workload};
pub use repository::{FileRole, Repository, Setting, Surroundings, Webhooks};
pub use update_check::is_unchanged;

use std::collections::BTreeMap;

use std::sync::OnceLock;

use smol_str::SmolStr;

use crate::grammar::kind::{Kind, KindSpec, Scope};
use crate::grammar::schema::{Schema, Type, ValidationRule};
use crate::model::key::ObjectKey;
use crate::model::object::Object;
use crate::source::Span;
use crate::syntax::tree::Node;

/// What is done with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// It does not exist yet.
    Create,
    /// It exists, in another form.
    Update,
}

/// One KubeFleet object in a file.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// Whether it is judged, the old version of something judged, or context.
    pub role: FileRole,
    /// Which object it is.
    pub key: ObjectKey,
    /// Its whole text.
    pub span: Span,
    /// Its tree, as written.
    root: Node,
    /// Its kind, if there is such a kind.
    pub spec: Option<&'static KindSpec>,
    /// The version it is written in, without the group.
    pub version: SmolStr,
    /// The shape of its kind in that version.
    pub schema: Option<&'static Schema>,
    /// The comments in it.
    pub comments: Vec<Span>,
    /// What the API server would store, typed.
    pub object: Object,
    /// What the API server holds against its shape, of each kind the first ones.
    pub faults: Vec<ManifestFault>,
    /// How many more faults of a kind there are, by the place of the last one that is listed.
    pub unlisted: BTreeMap<Span, usize>,
    /// The stored object that it replaces, as the same version shows it.
    pub before: Option<StoredBefore>,
    /// Whether its text may be changed, once somebody asked.
    may_change: OnceLock<bool>,
}

/// The stored object that a manifest replaces.
#[derive(Clone, Debug)]
pub struct StoredBefore {
    /// Which manifest of the repository it is.
    pub index: usize,
    /// Its stored form, as the version of the new manifest shows it, typed.
    pub object: Object,
}

impl Manifest {
    /// Starts at the root of the tree as written.
    pub fn written(&self) -> Cursor<'_> {
        Cursor::root(&self.root)
    }

    /// Starts at the root of what would be stored.
    pub fn stored(&self) -> Cursor<'_> {
        Cursor::root(self.stored_tree())
    }

    /// Returns the tree of what would be stored; its nodes know their way.
    pub fn stored_tree(&self) -> &Node {
        &self.object.meta().root
    }

    /// Returns the family of its kind.
    pub fn family(&self) -> Option<Kind> {
        self.spec.map(|spec| spec.family)
    }

    /// Returns where objects of its kind live.
    pub fn scope(&self) -> Scope {
        self.spec.map_or(Scope::Namespaced, |spec| spec.scope)
    }

    /// Says whether its kind lives beside all namespaces.
    pub fn is_cluster_scoped(&self) -> bool {
        self.scope() == Scope::Cluster
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.key.name
    }

    /// Returns the place of its name.
    pub fn name_place(&self) -> FieldPlace {
        let root = self.written();
        match root.get("metadata") {
            Some(meta) => meta.get("name").map_or(meta.missing("name"), |name| name.place()),
            None => root.missing("metadata"),
        }
    }

    /// Returns the operation that applying it means.
    pub fn operation(&self) -> Operation {
        if self.before.is_some() { Operation::Update } else { Operation::Create }
    }

    /// Finds a rule of the API server that holds in this version, by its name in the catalogue.
    pub fn server_rule(&self, id: &str) -> Option<&'static ValidationRule> {
        find_rule(self.schema?, id)
    }

    /// Says whether an update leaves the value at a place as it was, which the server forgives.
    pub fn is_ratcheted(&self, place: &FieldPlace) -> bool {
        match (&self.before, self.schema) {
            (Some(before), Some(schema)) => {
                let old = &before.object.meta().root;
                is_unchanged(&place.path.pointer, self.stored_tree(), old, schema)
            }
            _ => false,
        }
    }
}

fn find_rule(schema: &'static Schema, id: &str) -> Option<&'static ValidationRule> {
    let here = schema.rules.iter().find(|rule| &*rule.id == id);
    here.or_else(|| match &schema.ty {
        Type::Object(fields) => fields
            .iter()
            .filter(|field| &*field.name != "status")
            .find_map(|field| find_rule(&field.schema, id)),
        Type::Map(item) | Type::List(item) => find_rule(item, id),
        _ => None,
    })
}
