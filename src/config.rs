//! What the user asked for, apart from the input itself: by argument, or in a `fleetlens.toml`.

mod file;
mod pattern;
mod policy;
mod table;

pub use file::{FileConfig, IGNORE_KEYS, KEYS, SCHEMA};
pub use pattern::Pattern;
pub use policy::{Ignore, Level, Policy};

use jiff::Timestamp;

use crate::finding::Severity;
use crate::model::key::ObjectKey;
use crate::model::work::MEMBER_NAMESPACE;

/// How a bundle is to be judged.
#[derive(Clone, Debug)]
pub struct Config {
    /// The moment of capture, if the user gives it.
    pub now: Option<Timestamp>,
    /// Rules to run, by code, code prefix or name; empty means all.
    pub select: Vec<String>,
    /// Rules whose findings are dropped and counted.
    pub ignore: Vec<String>,
    /// Findings below this severity are not shown.
    pub min_severity: Severity,
    /// Which part of the fleet is asked about.
    pub focus: Focus,
    /// Levels of rules and what is ignored, by the user's configuration.
    pub policy: Policy,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            now: None,
            select: Vec::new(),
            ignore: Vec::new(),
            min_severity: Severity::Note,
            focus: Focus::default(),
            policy: Policy::default(),
        }
    }
}

impl Config {
    /// Says whether a part was asked for, so that what is not told may still be there.
    pub fn is_narrow(&self) -> bool {
        let rules = self.select.is_empty() && self.ignore.is_empty();
        !rules || self.min_severity > Severity::Note || !self.focus.is_empty()
    }
}

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
