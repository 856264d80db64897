//! Who rolls a placement out: runs, or its own rolling update.

use super::Placement;

impl Placement {
    /// Says whether runs roll it out.
    pub fn is_external(&self) -> bool {
        match self.strategy.as_deref() {
            Some(strategy) => strategy == "External",
            // A piece of the status tells it, too.
            None => self
                .condition("RolloutStarted")
                .is_some_and(|started| started.reason() == "RolloutControlledByExternalController"),
        }
    }

    /// Says whether runs roll it out, where what was sent tells: a row or a piece of the status need not.
    pub fn known_external(&self) -> Option<bool> {
        if self.strategy.is_some() || self.is_external() {
            return Some(self.is_external());
        }
        let started = self.clusters.iter().flat_map(|cluster| &cluster.conditions);
        let mut started = started.filter(|it| &*it.kind == "RolloutStarted" && it.is_true());
        // A run adds its name to what the rolling update says, too.
        let told = started.find_map(|it| match it.message() {
            message if message.ends_with("started the rollout process") => Some(false),
            message if message.to_ascii_lowercase().contains("updaterun:") => Some(true),
            _ => None,
        });
        let whole = !self.meta.partial && !self.selectors.is_empty();
        told.or(whole.then_some(false))
    }
}
