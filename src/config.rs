//! What the user asked for, apart from the input itself: by argument, or in a `fleetlens.toml`.

mod file;
mod pages;
mod pattern;
mod policy;
mod toml_table;

pub use file::{FileConfig, IGNORE_KEYS, KEYS, SCHEMA};
pub use pages::Pages;
pub use pattern::Pattern;
pub use policy::{Ignore, Level, Policy};

use jiff::Timestamp;

use crate::finding::Severity;

pub use crate::views::Focus;

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
