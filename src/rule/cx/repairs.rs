//! What a rule may ask about repairs: what happens after one, which run took a cluster, which run replaces another.

use smol_str::SmolStr;

use super::Cx;
use crate::facts::after_repair::{self, Repair};
use crate::facts::binding_history::{self, History};
use crate::facts::new_run::{NewRunVersion, Order};
use crate::finding::{Outlook, Step};
use crate::model::binding::Binding;
use crate::model::key::ObjectKey;
use crate::model::placement::Placement;
use crate::model::run::Run;

impl<'g> Cx<'g> {
    /// Says what becomes of a run once its cause is repaired.
    pub fn outlook_of_run(&self, run: &Run, repair: Repair) -> Outlook {
        self.fact(after_repair::READS).outlook_of_run(run, repair)
    }

    /// Says what becomes of a placement on some clusters once its cause is repaired, with or without runs.
    pub fn outlook(&self, placement: &ObjectKey, clusters: &[&str], repair: Repair) -> Outlook {
        self.fact(after_repair::READS).outlook(placement, clusters, repair)
    }

    /// Says what becomes of a run once its cause is repaired, where a new run is to roll out a version of its own.
    pub fn outlook_at(&self, run: &Run, repair: Repair, version: NewRunVersion<'_>) -> Outlook {
        self.fact(after_repair::READS).outlook_at(run, repair, version)
    }

    /// Returns the steps to a new run that replaces another one.
    pub fn new_run(&self, run: &Run, order: &Order<'_>) -> Vec<Step> {
        self.fact(after_repair::READS).new_run(run, order)
    }

    /// Returns the steps to a run of a placement, filled from what the bundle shows of its runs or strategies.
    pub fn run_for(&self, placement: &Placement, order: &Order<'_>) -> Vec<Step> {
        self.fact(after_repair::READS).run_for(placement, order)
    }

    /// Returns the run that wrote a binding last, by the binding's own words.
    pub fn find_writer(&self, binding: &'g Binding) -> Option<SmolStr> {
        binding_history::find_writer(self.facts.messages(), binding)
    }

    /// Returns who wrote which binding when, with which snapshot.
    pub fn history(&self) -> &'g History<'g> {
        self.fact(binding_history::READS).history()
    }
}
