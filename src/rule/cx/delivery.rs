//! What a rule may ask about delivery: Works, what failed, and the objects on the members.

use super::Cx;
use crate::facts::blocked_rollout::{self, BlockedRollout};
use crate::facts::container_log::{ContainerName, LogEnd};
use crate::facts::difference::{self, ResourceDifference};
use crate::facts::failure::{self, Failure};
use crate::facts::refusal::{self, Refusal};
use crate::facts::unavailable_workload::{self, UnavailableWorkload};
use crate::grammar::kind::Kind;
use crate::graph::Graph;
use crate::model::applied_work::AppliedWork;
use crate::model::cluster::InternalMember;
use crate::model::cluster_node::ClusterNode;
use crate::model::event::Event;
use crate::model::key::{HUB, ObjectKey};
use crate::model::meta::Meta;
use crate::model::parsed_message::Phrase;
use crate::model::quota::Quota;
use crate::model::service::Service;
use crate::model::work::Work;
use crate::model::workload::Workload;
use crate::source::Span;

impl<'g> Cx<'g> {
    fn read_all(&self, kinds: &[Kind]) -> &'g Graph {
        kinds.iter().for_each(|kind| {
            self.read(*kind);
        });
        self.graph
    }

    /// Returns the place of a phrase.
    pub fn span_of(&self, phrase: &Phrase<'_>) -> Span {
        self.within(phrase.text, phrase.range())
    }

    /// Returns the place of something that a phrase names, else of the phrase.
    pub fn span_of_part(&self, phrase: &Phrase<'_>, name: &str) -> Span {
        self.within(phrase.text, phrase.range_of(name).unwrap_or_else(|| phrase.range()))
    }

    /// Returns every resource that a placement could not get done on a cluster.
    pub fn failures(&self) -> &'g [Failure] {
        self.fact(failure::READS).failures()
    }

    /// Says whether an object that could not be got done came in an envelope, on whatever member.
    pub fn is_enveloped(&self, object: &ObjectKey) -> bool {
        self.fact(failure::READS).is_enveloped(object)
    }

    /// Returns the placements that are not done on a cluster, and the step at which they stopped.
    pub fn blocked_rollouts(&self) -> &'g [BlockedRollout] {
        self.fact(blocked_rollout::READS).blocked_rollouts()
    }

    /// Returns the differences between hub and member that stop nothing.
    pub fn differences(&self) -> &'g [ResourceDifference] {
        self.fact(difference::READS).differences()
    }

    /// Returns everything that members refused.
    pub fn refusals(&self) -> &'g [Refusal] {
        self.fact(refusal::READS).refusals()
    }

    /// Returns the workloads that are not available on members, with what stands below them.
    pub fn unavailable_workloads(&self) -> &'g [UnavailableWorkload<'g>] {
        self.fact(unavailable_workload::READS).unavailable_workloads()
    }

    /// Finds what a container of a workload wrote near its end, in a log that was sent.
    pub fn find_log_end(&self, name: &ContainerName<'_>) -> Option<LogEnd> {
        self.facts.find_log_end(name)
    }

    /// Returns all Works.
    pub fn works(&self) -> &'g [Work] {
        self.read(Kind::Work).works.as_slice()
    }

    /// Returns the Works of a member.
    pub fn works_of(&self, cluster: &str) -> impl Iterator<Item = &'g Work> + use<'g> {
        self.read(Kind::Work).works_of(cluster)
    }

    /// Returns all AppliedWorks.
    pub fn applied_works(&self) -> &'g [AppliedWork] {
        self.read(Kind::AppliedWork).applied_works.as_slice()
    }

    /// Finds the hub's side of a member's agent, by the member's name.
    pub fn find_internal_member(&self, name: &str) -> Option<&'g InternalMember> {
        self.read(Kind::InternalMemberCluster).find_internal_member(name)
    }

    /// Returns the nodes of a member.
    pub fn nodes_of(&self, cluster: &str) -> Vec<ClusterNode<'g>> {
        let nodes = self.objects(Kind::Node, "Node").into_iter();
        nodes.filter(|meta| &*meta.key.cluster == cluster).map(ClusterNode::read).collect()
    }

    /// Returns all services.
    pub fn services(&self) -> &'g [Service] {
        self.read(Kind::Service).services.as_slice()
    }

    /// Finds a Deployment, StatefulSet or DaemonSet on its member.
    pub fn find_workload(&self, key: &ObjectKey) -> Option<&'g Workload> {
        let kinds = [Kind::Deployment, Kind::StatefulSet, Kind::DaemonSet];
        self.read_all(&kinds).workloads.find_here(key)
    }

    /// Returns all jobs.
    pub fn jobs(&self) -> Vec<&'g Workload> {
        let workloads = self.read(Kind::Job).workloads.iter();
        workloads.filter(|workload| &*workload.meta.key.kind == "Job").collect()
    }

    /// Finds a quota on its member.
    pub fn find_quota(&self, cluster: &str, namespace: &str, name: &str) -> Option<&'g Quota> {
        let key = ObjectKey {
            cluster: cluster.into(),
            kind: "ResourceQuota".into(),
            namespace: namespace.into(),
            name: name.into(),
        };
        self.read(Kind::ResourceQuota).quotas.find_here(&key)
    }

    /// Finds an object of a kind without a type of its own, on its member.
    pub fn find_object(&self, family: Kind, key: &ObjectKey) -> Option<&'g Meta> {
        self.read(family).others.find_here(key).map(AsRef::as_ref)
    }

    /// Returns the objects of a kind without a type of its own.
    pub fn objects(&self, family: Kind, kind: &str) -> Vec<&'g Meta> {
        let others = self.read(family).others.iter();
        others.filter(|meta| &*meta.key.kind == kind).map(AsRef::as_ref).collect()
    }

    /// Returns the objects on members that have no type of their own: namespaces, configuration and the like.
    pub fn plain_objects(&self) -> Vec<&'g Meta> {
        let kinds = [Kind::Namespace, Kind::ConfigMap, Kind::Secret, Kind::Other];
        let others = self.read_all(&kinds).others.iter();
        others.filter(|meta| &*meta.key.cluster != HUB).map(AsRef::as_ref).collect()
    }

    /// Returns the events about the pods of a Job, also of pods that the bundle does not hold.
    pub fn events_of_pods(&self, job: &ObjectKey) -> Vec<&'g Event> {
        self.read(Kind::Event).events_of_pods(job, &[])
    }

    /// Returns the events about an object.
    pub fn events_of(&self, key: &ObjectKey) -> Vec<&'g Event> {
        self.read(Kind::Event).events_of(key)
    }
}
