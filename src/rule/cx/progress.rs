//! What a rule may ask about how far runs and placements are: gates, clusters waited for, heartbeats.

use super::Cx;
use crate::facts::gate::{self, Gate};
use crate::facts::heartbeat::{self, MemberHeartbeat};
use crate::facts::pending_placement::{self, PendingPlacement};
use crate::facts::timer::Timer;
use crate::facts::unhealthy_condition::{self, UnhealthyCondition};
use crate::facts::waiting_cluster::{self, WaitingCluster};
use crate::model::approval::ApprovalRequest;
use crate::model::meta::Meta;
use crate::source::Span;

impl<'g> Cx<'g> {
    /// Returns the gates that hold runs; a run that has ended or is stopped waits for nobody.
    pub fn open_gates(&self) -> &'g [Gate<'g>] {
        self.fact(gate::READS).open_gates()
    }

    /// Finds the request that opens a gate.
    pub fn find_request_at(&self, gate: &Gate<'_>) -> Option<&'g ApprovalRequest> {
        self.find_request(gate.run, &gate.request_name())
    }

    /// Returns the timed waits of all runs.
    pub fn timers(&self) -> &'g [Timer<'g>] {
        self.fact(gate::READS).timers()
    }

    /// Returns the clusters that runs wait for; a run that has ended waits for none.
    pub fn waiting_clusters(&self) -> &'g [WaitingCluster<'g>] {
        self.fact(waiting_cluster::READS).waiting_clusters()
    }

    /// Returns the pulse of every member that the bundle knows by either of its objects.
    pub fn pulses(&self) -> &'g [MemberHeartbeat<'g>] {
        self.fact(heartbeat::READS).pulses()
    }

    /// Returns every condition that a controller calls wrong, the deepest first.
    pub fn unhealthy_conditions(&self) -> Vec<UnhealthyCondition<'g>> {
        unhealthy_condition::find_unhealthy_conditions(
            self.fact(unhealthy_condition::READS).graph(),
        )
    }

    /// Returns the rows of placements and bindings that show nothing of a rollout, while no run is under way.
    pub fn empty_rows(&self) -> Vec<&'g Meta> {
        unhealthy_condition::find_empty_rows(self.fact(unhealthy_condition::READS).graph())
    }

    /// Returns the rows of namespaces that are being terminated, with the place of that word.
    pub fn terminating_rows(&self) -> Vec<(&'g Meta, Span)> {
        unhealthy_condition::find_terminating_rows(
            self.fact(unhealthy_condition::TERMINATING).graph(),
        )
    }

    /// Returns the placements whose scheduling is pending.
    pub fn pending_placements(&self) -> &'g [PendingPlacement<'g>] {
        self.fact(pending_placement::READS).pending_placements()
    }
}
