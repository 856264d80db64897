//! The settings of a check: configuration file and baseline, overridden by arguments.

use std::path::{Path, PathBuf};

use super::files::Files;
use super::{CheckArgs, Switch};
use crate::check::{Baseline, CheckExtent};
use crate::cli::config::{parse_steering, read_steering};
use crate::config::FileConfig;
use crate::error::Error;
use crate::finding::Severity;
use crate::manifest::Webhooks;

/// What steers a check.
pub(super) struct CheckConfig {
    /// What the configuration says; nothing if there is none.
    pub(super) config: FileConfig,
    /// Findings that are known.
    pub(super) baseline: Option<Baseline>,
    /// The folder of the configuration, which its paths start from.
    folder: Option<PathBuf>,
}

impl CheckConfig {
    /// Reads what there is, and tells `files` what to leave out.
    pub(super) fn read(
        args: &CheckArgs,
        root: Option<&Path>,
        files: &mut Files,
    ) -> Result<Self, Error> {
        let mut steering = Self { config: FileConfig::default(), baseline: None, folder: None };
        if let Some(path) = args.config.find(&args.whereabouts(), root) {
            let id = files.add_config(|sources| read_steering(&path, sources))?;
            steering.config = parse_steering(&path, id, &mut files.sources, FileConfig::parse)?;
            let whole = path.canonicalize().ok();
            steering.folder = whole.and_then(|path| path.parent().map(Path::to_owned));
            files.exclude(steering.folder.as_deref(), &steering.config.exclude);
        }
        let known = steering.config.baseline.as_ref().map(|path| steering.within(path));
        let known = args.baseline.clone().or(known).filter(|_| args.write_baseline.is_none());
        if let Some(path) = known {
            let id = files.add_config(|sources| read_steering(&path, sources))?;
            steering.baseline =
                Some(parse_steering(&path, id, &mut files.sources, Baseline::parse)?);
        }
        Ok(steering)
    }

    fn within(&self, path: &str) -> PathBuf {
        self.folder.as_deref().unwrap_or(Path::new(".")).join(path)
    }

    /// Returns the dumps of member clusters.
    pub(super) fn members(&self, args: &CheckArgs) -> Vec<PathBuf> {
        match args.members.as_slice() {
            [] => self.config.members.iter().map(|path| self.within(path)).collect(),
            given => given.to_vec(),
        }
    }

    /// Returns the folder to look things up in, if the user gave one.
    pub(super) fn context(&self, args: &CheckArgs) -> Option<PathBuf> {
        let ours = || self.config.context.as_ref().map(|path| self.within(path));
        args.context.clone().or_else(ours)
    }

    /// Returns whether the hub has its webhooks.
    pub(super) fn webhooks(&self, args: &CheckArgs) -> Webhooks {
        match args.webhooks {
            Some(Switch::On) => Webhooks::On,
            Some(Switch::Off) => Webhooks::Off,
            None => self.config.webhooks.unwrap_or_default(),
        }
    }

    /// Returns the severity that fails the check.
    pub(super) fn fail_on(&self, args: &CheckArgs) -> Severity {
        args.fail_on.map(Severity::from).or(self.config.fail_on).unwrap_or(Severity::Error)
    }

    /// Tells whether everything that configuration and baseline may speak of is judged.
    pub(super) fn extent(&self, args: &CheckArgs, root: Option<&Path>) -> CheckExtent {
        let base = self.folder.as_deref().or(root);
        let holds_all = |path: &String| {
            let path = Path::new(path).canonicalize().ok().filter(|path| path.is_dir());
            path.is_some_and(|path| base.is_none_or(|base| base.starts_with(&path)))
        };
        if args.paths.iter().any(holds_all) { CheckExtent::Whole } else { CheckExtent::Part }
    }
}
