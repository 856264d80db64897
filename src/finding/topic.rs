//! [`Topic`]: how findings of different rules find each other.
//!
//! A symptom says what it is *about*; a cause says what it *explains*. The engine joins the two, so
//! no rule has to know another. From symptom to cause the topics run: run, run on a cluster,
//! placement on a cluster, work, manifest on a cluster, member.

use smol_str::SmolStr;

use crate::grammar::kind::Kind;
use crate::model::approval::Side;
use crate::model::key::ObjectKey;
use crate::model::run::Run;
use crate::source::Span;

/// A matter that one finding can be about and another can explain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// That a run failed, or does not get on, as a whole.
    Run(ObjectKey),
    /// That a run waits at a gate.
    Gate(ObjectKey, SmolStr, Side),
    /// That a run does not finish a cluster.
    RunCluster(ObjectKey, SmolStr),
    /// That a placement as a whole is not as wanted (scheduling, selection, rollout).
    Placement(ObjectKey),
    /// That a placement's rollout is held back by its budget.
    Rollout(ObjectKey),
    /// That the clusters of a placement run different versions.
    Versions(ObjectKey),
    /// That a placement is not done on a cluster.
    PlacementCluster(ObjectKey, SmolStr),
    /// That a Work is not applied or not available.
    Work(ObjectKey),
    /// That an object on a cluster is not as wanted; the key's cluster is the member.
    Object(ObjectKey),
    /// What a message says; the place of the whole message. A finding explains it by telling what its words mean.
    Message(Span),
    /// That runs of a placement take clusters from each other.
    Takeover(ObjectKey),
    /// That a member cluster does not answer.
    Member(SmolStr),
    /// That the controllers on the hub do not work.
    HubAgent,
}

impl Topic {
    /// Returns the object that the topic is of; a member, the hub agent and a message are none.
    pub fn object(&self) -> Option<&ObjectKey> {
        match self {
            Self::Run(key)
            | Self::Gate(key, ..)
            | Self::RunCluster(key, _)
            | Self::Placement(key)
            | Self::Rollout(key)
            | Self::Versions(key)
            | Self::PlacementCluster(key, _)
            | Self::Takeover(key)
            | Self::Work(key)
            | Self::Object(key) => Some(key),
            Self::Member(_) | Self::HubAgent | Self::Message(_) => None,
        }
    }

    /// Returns the topic of a run's placement on a cluster.
    pub(crate) fn placement_cluster(run: &Run, placement: &str, cluster: &str) -> Self {
        Self::PlacementCluster(
            ObjectKey::of(Kind::Placement, run.meta.namespace(), placement),
            cluster.into(),
        )
    }

    /// Returns the topic of the versions of a run's placement.
    pub(crate) fn versions_of(run: &Run) -> Self {
        Self::Versions(ObjectKey::of(
            Kind::Placement,
            run.meta.namespace(),
            run.placement.as_deref().unwrap_or_default(),
        ))
    }

    /// Returns the topic of clusters that the runs of a run's placement take from each other.
    pub(crate) fn takeover_of(run: &Run) -> Self {
        Self::Takeover(ObjectKey::of(
            Kind::Placement,
            run.meta.namespace(),
            run.placement.as_deref().unwrap_or_default(),
        ))
    }

    /// Returns the topic of a run's placement.
    pub(crate) fn placement_of(run: &Run, placement: &str) -> Self {
        Self::Placement(ObjectKey::of(Kind::Placement, run.meta.namespace(), placement))
    }
}
