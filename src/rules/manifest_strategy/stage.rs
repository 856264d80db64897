//! The stages of a strategy, as its rules walk over them.

use crate::kube::selector::Selector;
use crate::manifest::Draft;
use crate::model::read::List;
use crate::model::selector::LabelSelector;
use crate::model::strategy::{Stage, Strategy, Task};

/// Returns the stages whose selector can be evaluated.
pub fn selectors(strategy: &Strategy) -> Vec<(&Stage, &LabelSelector, Selector<'_>)> {
    let evaluate = |stage| -> Option<_> {
        let stage: &Stage = stage;
        let selector = stage.selector.as_ref()?;
        Some((stage, selector, selector.plain().filter(Selector::is_valid)?))
    };
    strategy.stages.iter().filter_map(evaluate).collect()
}

/// Says whether an update leaves the tasks as they are, which the server forgives.
pub fn is_ratcheted(strategy: &Draft<'_, Strategy>, tasks: &List<Task>) -> bool {
    let site = tasks.site.as_ref();
    site.is_some_and(|site| strategy.manifest.is_ratcheted(&site.place()))
}
