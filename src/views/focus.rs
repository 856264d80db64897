//! [`Focus`]: the part of the fleet that is asked about.

use crate::model::key::ObjectKey;
use crate::model::work::MEMBER_NAMESPACE;

/// Which part of the fleet is asked about; an absent part means all.
#[derive(Clone, Debug, Default)]
pub struct Focus {
    /// A run's name.
    pub run: Option<String>,
    /// A placement's name.
    pub placement: Option<String>,
    /// A cluster's name.
    pub cluster: Option<String>,
    /// A namespace.
    pub namespace: Option<String>,
}

impl Focus {
    /// Says whether everything is asked about.
    pub fn is_empty(&self) -> bool {
        let parts = [&self.run, &self.placement, &self.cluster, &self.namespace];
        parts.iter().all(|part| part.is_none())
    }

    /// Says whether an object lies in the namespace that is asked about, or is that namespace.
    pub fn is_in_namespace(&self, key: &ObjectKey) -> bool {
        self.namespace.as_deref().is_none_or(|name| {
            &*key.namespace == name || (&*key.kind == "Namespace" && &*key.name == name)
        })
    }

    /// Says whether an object belongs to the cluster that is asked about: it was seen there, stands for it on the hub,
    /// or lies in its namespace.
    pub fn is_on_cluster(&self, key: &ObjectKey) -> bool {
        self.cluster.as_deref().is_none_or(|name| {
            &*key.cluster == name
                || key.namespace.strip_prefix(MEMBER_NAMESPACE) == Some(name)
                || (key.kind.ends_with("MemberCluster") && &*key.name == name)
        })
    }
}
