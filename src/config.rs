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
}
