//! The kinds: names, groups, versions, short names, scope, table columns, fields.
//!
//! Owns the lookup of a kind by any name that people and kubectl give it. Fields and columns stand
//! in `grammar/kinds/*.yaml` and are read kind by kind, on first use.
//! Invariant: a lookup by name parses none of them.

mod column;
mod data;
mod family;
mod index;
mod nearest;
mod resolve;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

pub use column::{CellForm, Column, ColumnStep, parse_steps};
pub use family::Kind;
pub use nearest::nearest_kind;

use crate::grammar::schema::Schema;

/// The group of placements, runs and all that the hub makes of them.
pub const PLACEMENT_GROUP: &str = "placement.kubernetes-fleet.io";
/// The group of member clusters.
pub const CLUSTER_GROUP: &str = "cluster.kubernetes-fleet.io";
/// Groups of releases before v0.1, which no hub serves any more.
pub const FORMER_GROUPS: &[&str] = &["fleet.azure.com", "multicluster.x-k8s.io"];

/// Where objects of a kind live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Beside all namespaces.
    Cluster,
    /// In a namespace.
    Namespaced,
}

/// Who writes objects of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// People: such a manifest belongs in a repository.
    User,
    /// Controllers: such a manifest in a repository is a copy from a cluster.
    Agent,
}

/// What is known about one kind.
#[derive(Debug)]
pub struct KindSpec {
    /// The kind, as written in manifests.
    pub name: &'static str,
    /// Its family.
    pub family: Kind,
    /// Its API group; empty for the core group.
    pub group: &'static str,
    /// The served versions, the one that kubectl gets by default first.
    pub versions: &'static [&'static str],
    /// The version that is stored.
    pub storage: &'static str,
    /// Where its objects live.
    pub scope: Scope,
    /// The plural resource name.
    pub plural: &'static str,
    /// The singular resource name.
    pub singular: &'static str,
    /// Short names, those of old releases included.
    pub short: &'static [&'static str],
    /// Who writes such objects.
    pub author: Author,
    /// Whether status is written apart from the rest, so that applying a file drops it.
    pub status_subresource: bool,
    file: &'static index::DataFile,
    union: OnceLock<Box<resolve::KindShape>>,
    by_version: [OnceLock<Box<resolve::KindShape>>; MAX_VERSIONS],
}

/// No kind has been served in more versions at a time.
const MAX_VERSIONS: usize = 3;

impl KindSpec {
    /// Returns the shape of its objects, with the fields of all versions together.
    ///
    /// # Panics
    /// Panics if the embedded data is broken, which the tests of this module exclude.
    pub fn schema(&'static self) -> &'static Schema {
        &self.union.get_or_init(|| self.load(None)).schema
    }

    /// Returns the shape that one served version has, or `None` for a version that is not served.
    pub fn schema_in(&'static self, version: &str) -> Option<&'static Schema> {
        let (served, shape) =
            self.versions.iter().zip(&self.by_version).find(|(v, _)| **v == version)?;
        Some(&shape.get_or_init(|| self.load(Some(served))).schema)
    }

    /// Returns the columns of `kubectl get`, those of `-o wide` included, in printed order.
    pub fn columns(&'static self) -> &'static [Column] {
        &self.union.get_or_init(|| self.load(None)).columns
    }

    /// Returns the kind of a list of such objects.
    pub fn list_kind(&self) -> String {
        format!("{}List", self.name)
    }

    /// Returns the `apiVersion` of a version: `group/version`, or the bare version in the core group.
    pub fn api_version(&self, version: &str) -> String {
        if self.group.is_empty() { version.to_owned() } else { format!("{}/{version}", self.group) }
    }

    /// Says whether the kind is one of KubeFleet's own.
    pub fn is_fleet(&self) -> bool {
        self.group == PLACEMENT_GROUP || self.group == CLUSTER_GROUP
    }

    fn load(&self, version: Option<&str>) -> Box<resolve::KindShape> {
        let shape = resolve::load_shape(self.file, self.name, version);
        Box::new(shape.unwrap_or_else(|error| panic!("embedded data: {error}")))
    }

    fn answers_to(&self, name: &str) -> bool {
        self.plural.eq_ignore_ascii_case(name)
            || self.singular.eq_ignore_ascii_case(name)
            || self.short.iter().any(|short| short.eq_ignore_ascii_case(name))
    }
}

/// Returns all kinds, KubeFleet's first.
pub fn all_kinds() -> &'static [KindSpec] {
    index::kinds()
}

/// Finds a kind by its exact name, whatever its group.
pub fn find_kind(name: &str) -> Option<&'static KindSpec> {
    all_kinds().iter().find(|spec| spec.name == name)
}

/// Finds a kind by its exact name, unless its `apiVersion` says that it is one of another project: Karmada, too, has
/// a Work and a ResourceBinding.
pub fn find_own_kind(api_version: Option<&str>, name: &str) -> Option<&'static KindSpec> {
    let group =
        api_version.and_then(|version| version.split_once('/')).map_or("", |(group, _)| group);
    let spec = find_kind(name)?;
    // Earlier names of KubeFleet's own groups are read like the present ones.
    let ours = group.is_empty()
        || group == spec.group
        || OLD_GROUPS.iter().any(|old| group.ends_with(old));
    (ours || !spec.is_fleet()).then_some(spec)
}

/// How the names of groups end that KubeFleet's kinds have had.
const OLD_GROUPS: [&str; 3] = ["kubernetes-fleet.io", "azure.com", "x-k8s.io"];

/// Finds a kind by its exact name in the group of an `apiVersion`, whether the version is served or not.
pub fn find_kind_in(api_version: &str, name: &str) -> Option<&'static KindSpec> {
    let group = api_version.split_once('/').map_or("", |(group, _)| group);
    all_kinds().iter().find(|spec| spec.name == name && spec.group == group)
}

/// Finds a kind by what a kubectl command calls it.
///
/// Takes plurals, singulars, kinds and short names in any case, alone or with `.group` or
/// `.version.group` behind; a group may be cut after any of its parts. A bare `rs` is a ReplicaSet,
/// as for kubectl, which asks the built-in kinds first.
pub fn find_resource(name: &str) -> Option<&'static KindSpec> {
    let (name, rest) = name.split_once('.').map_or((name, None), |(name, rest)| (name, Some(rest)));
    let named = |spec: &&KindSpec| spec.answers_to(name);
    match rest {
        Some(rest) => all_kinds().iter().filter(named).find(|spec| in_group(spec, rest)),
        None => {
            let builtin = |spec: &&KindSpec| named(spec) && !spec.group.contains("fleet");
            all_kinds().iter().find(builtin).or_else(|| all_kinds().iter().find(named))
        }
    }
}

/// Says whether `rest` is the kind's group, or a version of it and the group.
fn in_group(spec: &KindSpec, rest: &str) -> bool {
    let begins_group = |part: &str| {
        spec.group.strip_prefix(part).is_some_and(|tail| tail.is_empty() || tail.starts_with('.'))
    };
    begins_group(rest)
        || rest
            .split_once('.')
            .is_some_and(|(version, group)| spec.versions.contains(&version) && begins_group(group))
}
