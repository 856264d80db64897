//! Placements that got fewer clusters than their policy wants, and why each other cluster was refused.
//!
//! A PickN or PickFixed policy is then unfulfilled, a PickAll policy counts as scheduled whatever it
//! finds. Each reason has a rule of its own, which starts from here.

use std::collections::BTreeSet;

use super::messages::Messages;
use crate::behaviour::rollout::max_unavailable;
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageContext, MessageId, id};
use crate::graph::{Graph, Listing};
use crate::model::cluster::MemberCluster;
use crate::model::condition::Condition;
use crate::model::key::ObjectKey;
use crate::model::parsed_message::{ParsedMessage, Phrase};
use crate::model::placement::{Placement, PlacementPolicy};
use crate::model::read::Text;
use crate::model::run::Run;
use crate::model::snapshot::PolicySnapshot;
use crate::source::Span;
use crate::syntax::Syntax;

/// Placements, the scheduler's decisions, and what names the members and runs concerned.
pub const READS: &[Kind] = &[Kind::Placement, Kind::PolicySnapshot, Kind::MemberCluster, Kind::Run];

/// How far the scheduler fell short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortageKind {
    /// The policy asks for clusters that it did not get.
    Unfulfilled,
    /// PickAll found no cluster.
    Empty,
    /// PickAll left some clusters out.
    Partial,
}

/// A placement that does not have all clusters.
#[derive(Debug)]
pub struct Shortage<'g> {
    /// The placement.
    pub placement: &'g Placement,
    /// Its latest policy snapshot, where the decisions stand.
    pub snapshot: Option<&'g PolicySnapshot>,
    /// What the scheduler says in the end.
    pub scheduled: &'g Condition,
    /// How far it fell short.
    pub grade: ShortageKind,
    /// The clusters that were picked.
    pub picked: Vec<&'g str>,
    /// How many the scheduler found: by its own words, else as many as are shown.
    pub found: Option<i64>,
    /// The clusters that were not.
    pub refused: Vec<RefusedCluster<'g>>,
    /// Whether a run of the placement has failed.
    pub ended_run: bool,
}

/// A cluster that was not picked.
#[derive(Debug)]
pub struct RefusedCluster<'g> {
    /// Its name; a placement's status alone does not tell it.
    pub cluster: Option<&'g Text>,
    /// The only member that can be meant, where no name is told.
    left: Option<&'g str>,
    /// Why, in the scheduler's words.
    pub said: ParsedMessage,
}

impl RefusedCluster<'_> {
    /// Returns the cluster's name: of the decision, else the one that the words name.
    pub fn name(&self) -> Option<&str> {
        let named =
            [id::DECISION_FIXED_NOTFOUND, id::DECISION_FIXED_INELIGIBLE, id::DECISION_NOTSCORED];
        let told = || self.said.find(&named).and_then(|phrase| phrase.get("cluster"));
        self.cluster.map(|cluster| &**cluster).or_else(told).or(self.left)
    }

    /// Returns where the reason stands.
    pub fn span(&self) -> Span {
        self.said.text.span
    }
}

/// Returns every shortage of the bundle, in placement order.
pub(super) fn find_shortages<'g>(graph: &'g Graph, messages: &Messages<'g>) -> Vec<Shortage<'g>> {
    let known = graph.placements.iter().chain(&graph.implied);
    let living = known.filter(|placement| placement.meta.deleting.is_none());
    living.filter_map(|placement| find_shortage(graph, messages, placement)).collect()
}

fn find_shortage<'g>(
    graph: &'g Graph,
    messages: &Messages<'g>,
    placement: &'g Placement,
) -> Option<Shortage<'g>> {
    let key = &placement.meta.key;
    let snapshot = graph.find_latest_policy(&key.namespace, &key.name);
    // A piece of the status may show nothing but the entry of a cluster that was refused.
    let slots = || placement.clusters.iter().filter(|cluster| cluster.name().is_empty());
    let refusal = || slots().find_map(|slot| slot.condition("Scheduled").filter(|c| c.is_false()));
    let piece = || refusal().filter(|_| placement.meta.partial);
    let scheduled = placement.condition("Scheduled").or_else(piece)?;
    let decisions = snapshot.map(|snapshot| snapshot.decisions.as_slice()).unwrap_or_default();
    let is = |selected: bool| {
        decisions.iter().filter(move |decision| {
            decision.selected.is_some_and(|verdict| verdict.value == selected)
        })
    };
    let picked: Vec<&str> = if decisions.is_empty() {
        placement.clusters.iter().map(|cluster| cluster.name()).filter(|n| !n.is_empty()).collect()
    } else {
        is(true).map(|decision| &*decision.cluster).collect()
    };
    let refused: Vec<RefusedCluster<'g>> = if decisions.is_empty() {
        let failed = slots().filter_map(|slot| slot.condition("Scheduled"));
        let failed = failed.filter(|condition| condition.is_false());
        let read = |c: &'g Condition| {
            Some(RefusedCluster {
                cluster: None,
                left: None,
                said: messages.of_condition(c, &key.kind)?,
            })
        };
        let refused = failed.filter_map(read).collect();
        name_refused(graph, refused, &picked)
    } else {
        let read = |decision: &'g crate::model::snapshot::Decision| {
            let said = messages.said(decision.reason.as_ref()?, MessageContext::default());
            Some(RefusedCluster { cluster: Some(&decision.cluster), left: None, said })
        };
        is(false).filter_map(read).collect()
    };
    let policy = known_policy(placement, snapshot);
    let pick_all = policy.is_none_or(|policy| policy.kind() == "PickAll");
    let said = messages.of_condition(scheduled, &key.kind);
    let counted = |id: MessageId| {
        let phrase = said.as_ref().and_then(|said| said.find(&[id]));
        phrase.and_then(|phrase| phrase.get("count")?.parse::<i64>().ok())
    };
    let none = counted(id::POLICY_SCHEDULED_TRUE) == Some(0);
    let piece = placement.meta.partial && picked.is_empty();
    let shown = i64::try_from(picked.len()).ok().filter(|_| !piece);
    let found = counted(id::POLICY_SCHEDULED_FALSE).or(shown);
    let grade = match scheduled.reason() {
        "InvalidResourceSelectors" => return None,
        _ if scheduled.is_false() => ShortageKind::Unfulfilled,
        _ if !scheduled.is_true() || !pick_all => return None,
        _ if none => ShortageKind::Empty,
        _ if refused.is_empty() => return None,
        // A piece of the decisions speaks for itself.
        _ if policy.is_none() && !key.name.is_empty() => return None,
        _ => ShortageKind::Partial,
    };
    let runs = graph.runs_of(&key.namespace, &key.name);
    let ended_run = runs.iter().any(|run| Run::failure(run).is_some());
    Some(Shortage { placement, snapshot, scheduled, grade, picked, found, refused, ended_run })
}

/// Names the clusters of refusals that a placement's status tells without a name.
///
/// Only members that were not picked come into question; where as many are left as refusals of one
/// wording, they are meant.
fn name_refused<'g>(
    graph: &'g Graph,
    mut refused: Vec<RefusedCluster<'g>>,
    picked: &[&str],
) -> Vec<RefusedCluster<'g>> {
    if refused.is_empty() {
        return refused;
    }
    let whole = graph.listing("MemberCluster", "") == Listing::All;
    let picked: BTreeSet<&str> = picked.iter().copied().collect();
    let left = graph.members.iter().filter(|member| !picked.contains(member.meta.name()));
    let left: Vec<&MemberCluster> = left.filter(|_| whole).collect();
    let same = refused.windows(2).all(|pair| match pair {
        [one, other] => *one.said.text.value == *other.said.text.value,
        _ => true,
    });
    if left.len() == refused.len() && same {
        for (refused, member) in refused.iter_mut().zip(left) {
            refused.left = Some(member.meta.name());
        }
    }
    refused
}

/// Returns the policy of a placement, or of its snapshot where the placement is not shown whole.
fn known_policy<'g>(
    placement: &'g Placement,
    snapshot: Option<&'g PolicySnapshot>,
) -> Option<&'g PlacementPolicy> {
    // A row tells at most the type of the policy.
    let is_row = placement.meta.syntax == Syntax::Table;
    if !placement.meta.partial || (placement.policy.span.is_some() && !is_row) {
        return Some(&placement.policy);
    }
    snapshot.filter(|snapshot| !snapshot.meta.partial).map(|snapshot| &snapshot.policy)
}

impl<'g> Shortage<'g> {
    /// Says whether the policy is known: the placement's own, or that of its snapshot.
    pub fn knows_policy(&self) -> bool {
        known_policy(self.placement, self.snapshot).is_some()
    }

    /// Returns the placement's key.
    pub fn key(&self) -> &'g ObjectKey {
        &self.placement.meta.key
    }

    /// Returns the policy that the scheduler judged: the placement's own, unless it was edited since.
    pub fn policy(&self) -> &'g PlacementPolicy {
        let edited = self.placement.meta.generation() != Some(self.scheduled.generation());
        match self.snapshot {
            Some(snapshot) if edited && snapshot.policy.span.is_some() => &snapshot.policy,
            _ => known_policy(self.placement, self.snapshot).unwrap_or(&self.placement.policy),
        }
    }

    /// Returns how many clusters the policy asks for; PickAll asks for no number.
    pub fn wanted(&self) -> Option<i64> {
        let policy = known_policy(self.placement, self.snapshot)?;
        match policy.kind() {
            "PickN" => {
                let told = self.snapshot.and_then(PolicySnapshot::wanted_clusters);
                let count = policy.count.map(|count| count.value);
                count.or_else(|| told?.parse().ok())
            }
            "PickFixed" => i64::try_from(self.policy().clusters.len()).ok(),
            _ => None,
        }
    }

    /// Returns the refusals with one of these reasons.
    pub fn refused_for<'s>(
        &'s self,
        ids: &[MessageId],
    ) -> Vec<(&'s RefusedCluster<'g>, Phrase<'s>)> {
        let found = |refused: &'s RefusedCluster<'g>| Some((refused, refused.said.find(ids)?));
        self.refused.iter().filter_map(found).collect()
    }

    /// Returns where the scheduler refuses a member that the policy wants.
    pub fn refuses(&self, member: &str) -> Option<Span> {
        let mut refused = self.refused.iter().filter(|_| self.grade == ShortageKind::Unfulfilled);
        refused.find(|refused| refused.name() == Some(member)).map(RefusedCluster::span)
    }

    /// Says whether the clusters that are missing use up the budget of the rolling update.
    ///
    /// The target counts them, so none of the others may be taken away.
    pub fn starves_rollout(&self) -> bool {
        let Some(wanted) = self.wanted().filter(|_| !self.placement.is_external()) else {
            return false;
        };
        let ready = i64::try_from(self.picked.len()).unwrap_or(i64::MAX);
        self.grade == ShortageKind::Unfulfilled
            && ready <= wanted - max_unavailable(self.placement.max_unavailable.as_deref(), wanted)
    }
}
