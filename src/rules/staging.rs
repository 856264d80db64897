//! Which cluster belongs to which stage, as the controller computes it.

use crate::model::cluster::MemberCluster;
use crate::model::run::Run;
use crate::model::strategy::Stage;
use crate::rule::Cx;

/// Returns the stages by which a run is judged: its frozen copy, or the strategy while there is none.
pub fn stages_to_read<'g>(cx: &Cx<'g>, run: &'g Run) -> Vec<&'g Stage> {
    let strategy = cx.find_strategy(run);
    match &run.frozen_stages {
        Some(stages) if !stages.is_empty() => stages.iter().collect(),
        _ => strategy.map(|strategy| strategy.stages.iter().collect()).unwrap_or_default(),
    }
}

/// Returns the stages that select a member cluster; an absent selector selects none, an empty one all.
pub fn stages_of<'g>(stages: &[&'g Stage], member: &MemberCluster) -> Vec<&'g Stage> {
    let selects = |stage: &&&Stage| {
        stage.selector.as_ref().is_some_and(|selector| selector.matches(&member.meta.labels))
    };
    stages.iter().filter(selects).copied().collect()
}
