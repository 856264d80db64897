//! Sanitizes the texts of diagrams: names of runs, stages and clusters, and the words of chains.

use super::{Sanitize, name, text};
use crate::engine::diagram::{
    Board, BoardCluster, BoardStage, CauseList, CauseRow, Diagram, GateCard, Lane, Lanes,
    SelectedCluster, SelectorRow, SelectorTable,
};
use crate::source::Sources;

impl Sanitize for Diagram {
    fn sanitize(&mut self, sources: &Sources) {
        match self {
            Self::Lanes(Lanes { placement, runs, lanes, .. }) => {
                runs.iter_mut().chain([placement]).for_each(name);
                lanes.iter_mut().for_each(|Lane { cluster, bars: _ }| name(cluster));
            }
            Self::Board(Board { run, stages, chains }) => {
                name(run);
                for BoardStage { name: stage, clusters, .. } in stages {
                    name(stage);
                    clusters.iter_mut().for_each(|BoardCluster { name: it, .. }| name(it));
                }
                chains.iter_mut().flatten().for_each(|words| text(words, sources));
            }
            Self::Gate(GateCard { run, stage, request, approved, stages, .. }) => {
                [run, stage, request].into_iter().chain(approved).for_each(name);
                for (stage, clusters, _) in stages {
                    clusters.iter_mut().chain([stage]).for_each(name);
                }
            }
            Self::Causes(CauseList { rows, more: _ }) => {
                for CauseRow { number: _, text: words, holds, more: _ } in rows {
                    text(words, sources);
                    holds.iter_mut().for_each(|(it, _)| name(it));
                }
            }
            Self::Selectors(SelectorTable { strategy, rows, unplaced }) => {
                unplaced.iter_mut().chain([strategy]).for_each(name);
                for SelectorRow { stage, selects, clusters } in rows {
                    [stage, selects].into_iter().for_each(name);
                    clusters.iter_mut().for_each(|SelectedCluster { name: it, .. }| name(it));
                }
            }
        }
    }
}
