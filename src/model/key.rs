//! [`ObjectKey`]: what makes two sightings the same object.

use std::fmt;

use crate::grammar::kind::Kind;

/// The cluster that KubeFleet's own objects live on.
pub const HUB: &str = "hub";

/// What stands for the name of an object whose text does not show it.
pub const UNNAMED: &str = "(unnamed)";

/// Identity of an object within a bundle; API versions do not count.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectKey {
    /// `hub`, a member cluster's name, or `""` when the bundle does not tell.
    pub cluster: Box<str>,
    /// The kind's name.
    pub kind: Box<str>,
    /// The namespace, `""` for cluster scope.
    pub namespace: Box<str>,
    /// The name.
    pub name: Box<str>,
}

impl ObjectKey {
    /// Makes the key of an object on the hub.
    pub fn on_hub(kind: &str, namespace: &str, name: &str) -> Self {
        Self {
            cluster: HUB.into(),
            kind: kind.into(),
            namespace: namespace.into(),
            name: name.into(),
        }
    }

    /// Makes the key of an object of a family by its namespace (`""` for cluster scope) and name.
    pub fn of(family: Kind, namespace: &str, name: &str) -> Self {
        Self::on_hub(family.in_namespace(namespace), namespace, name)
    }

    /// Returns `namespace/name`, or the bare name in cluster scope.
    pub fn path(&self) -> String {
        let name = if self.name.is_empty() { UNNAMED } else { &self.name };
        if self.namespace.is_empty() {
            name.to_owned()
        } else {
            format!("{}/{name}", self.namespace)
        }
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.path())
    }
}
