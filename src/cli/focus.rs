//! The part of the fleet that a command is asked about.

use clap::Args;

use crate::config::Focus;

/// Arguments of every command that can look at a part of the fleet.
#[derive(Debug, Args)]
pub(super) struct FocusArgs {
    /// Only this run, and what belongs to it.
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
    /// Only this placement, and what was created for it.
    #[arg(long, value_name = "NAME")]
    placement: Option<String>,
    /// Only what concerns this cluster.
    #[arg(long, value_name = "NAME")]
    cluster: Option<String>,
    /// Only what is in this namespace.
    #[arg(short, long, value_name = "NAME")]
    namespace: Option<String>,
}

impl FocusArgs {
    /// Returns what is asked about.
    pub(super) fn focus(&self) -> Focus {
        Focus {
            run: self.run.clone(),
            placement: self.placement.clone(),
            cluster: self.cluster.clone(),
            namespace: self.namespace.clone(),
        }
    }
}
