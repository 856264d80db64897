//! Builds the tree from the graph.
//!
//! Several runs of a placement name the same clusters; what stands below a cluster is shown once, at
//! the run that started it last, because that run wrote the binding as the bundle shows it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use smol_str::SmolStr;

use super::{FleetTree, NodeKind, NodeProgress, NodeState, TreeNode, state};
use crate::finding::Topic;
use crate::grammar::kind::Kind;
use crate::graph::{Graph, HasMeta};
use crate::model::approval::Side;
use crate::model::binding::Binding;
use crate::model::key::ObjectKey;
use crate::model::read::Text;
use crate::model::run::{ClusterStatus, Run, StageStatus, TaskStatus};
use crate::model::work::Work;
use crate::views::{Focus, RunLine};

/// A placement on a cluster.
pub(super) type PlacementOnCluster = (ObjectKey, SmolStr);

/// Returns the tree of everything, or of what the focus names.
pub fn tree(graph: &Graph, focus: &Focus) -> FleetTree {
    let builder = TreeBuilder::new(graph, focus);
    let runs = graph.runs.iter();
    let mut roots: Vec<TreeNode> = runs
        .filter(|run| {
            builder.keeps(run.key(), focus.run.as_ref())
                && focus
                    .placement
                    .as_deref()
                    .is_none_or(|name| run.placement.as_deref() == Some(name))
        })
        .map(|run| builder.run(run))
        .collect();
    if focus.run.is_none() {
        let placements = builder.placements_without_run();
        let kept = placements.iter().filter(|key| builder.keeps(key, focus.placement.as_ref()));
        roots.extend(kept.map(|key| builder.placement_with_clusters(key)));
    }
    if focus.is_empty() {
        roots.extend(builder.unlabelled());
    }
    FleetTree { roots, ..FleetTree::default() }
}

/// The joins that building needs, each made once.
pub(super) struct TreeBuilder<'g> {
    pub(super) graph: &'g Graph,
    focus: &'g Focus,
    pub(super) bindings: BTreeMap<PlacementOnCluster, Vec<&'g Binding>>,
    works: BTreeMap<PlacementOnCluster, Vec<&'g Work>>,
    holders: BTreeMap<PlacementOnCluster, Holder<'g>>,
}

/// A run that names a cluster: the greatest is the one that started it last.
type Holder<'g> = (Option<Timestamp>, Option<Timestamp>, &'g ObjectKey);

impl<'g> TreeBuilder<'g> {
    pub(super) fn new(graph: &'g Graph, focus: &'g Focus) -> Self {
        let mut bindings: BTreeMap<PlacementOnCluster, Vec<&Binding>> = BTreeMap::new();
        let mut works: BTreeMap<PlacementOnCluster, Vec<&Work>> = BTreeMap::new();
        let mut holders: BTreeMap<PlacementOnCluster, Holder<'g>> = BTreeMap::new();
        for binding in &graph.bindings {
            if let Some(placement) = binding.placement_key() {
                bindings.entry((placement, binding.cluster().into())).or_default().push(binding);
            }
        }
        for work in &graph.works {
            if let Some(placement) = work.placement() {
                works.entry((placement, work.cluster().into())).or_default().push(work);
            }
        }
        for run in &graph.runs {
            let Some(placement) = placement_of(run) else { continue };
            for cluster in run.all_stages().flat_map(|stage| &stage.clusters) {
                let started = cluster.started().and_then(|started| started.since);
                let time =
                    |time: Option<crate::source::Spanned<Timestamp>>| time.map(|time| time.value);
                let holder = (time(started), time(run.meta.created), run.key());
                let slot = (placement.clone(), cluster.name.value.clone());
                let known = holders.entry(slot).or_insert(holder);
                *known = holder.max(*known);
            }
        }
        Self { graph, focus, bindings, works, holders }
    }

    /// Returns the run that started a cluster last, or that will be the first to do so.
    pub(super) fn holder(&self, slot: &PlacementOnCluster) -> Option<&'g ObjectKey> {
        self.holders.get(slot).map(|(_, _, run)| *run)
    }

    fn keeps(&self, key: &ObjectKey, name: Option<&String>) -> bool {
        name.is_none_or(|name| *key.name == **name) && self.focus.is_in_namespace(key)
    }

    fn keeps_cluster(&self, name: &str) -> bool {
        self.focus.cluster.as_deref().is_none_or(|cluster| cluster == name)
    }

    fn run(&self, run: &Run) -> TreeNode {
        let key = run.key();
        let mut children: Vec<TreeNode> =
            placement_of(run).iter().map(|placement| self.placement(placement)).collect();
        // A deletion stage without clusters has nothing to do.
        let deletion = run.deletion_stage.iter().filter(|stage| !stage.clusters.is_empty());
        let stages = run.stages.iter().chain(deletion);
        children.extend(stages.map(|stage| self.stage(run, stage)));
        let strategy =
            self.graph.find_strategy(run).map(|found| Topic::Object(found.key().clone()));
        TreeNode::of_object(NodeKind::Run, key, state::of_run(&RunLine::of(run)))
            .about(strategy.into_iter().chain([Topic::Run(key.clone())]))
            .with(children)
    }

    fn stage(&self, run: &Run, stage: &StageStatus) -> TreeNode {
        let gate = |side: Side| {
            let topic = Topic::Gate(run.key().clone(), stage.name().into(), side);
            let tasks = stage.tasks(side).iter();
            tasks.map(move |task| self.gate(run, task, side).about([topic.clone()]))
        };
        let clusters = stage.clusters.iter().filter(|cluster| self.keeps_cluster(&cluster.name));
        let mut children: Vec<TreeNode> = gate(Side::Before).collect();
        children.extend(clusters.map(|cluster| self.run_cluster(run, cluster)));
        children.extend(gate(Side::After));
        let gates = [Side::Before, Side::After];
        let topic = |side| Topic::Gate(run.key().clone(), stage.name().into(), side);
        TreeNode::named(NodeKind::Stage, format!("stage {}", stage.name()), state::of_stage(stage))
            .about(gates.map(topic))
            .with(children)
    }

    fn gate(&self, run: &Run, task: &TaskStatus, side: Side) -> TreeNode {
        let kind = task.kind.as_deref().unwrap_or("task");
        let name = format!("{} the stage: {kind}", side.word());
        let state = state::of_task(task);
        let Some(request) = task.request.as_deref().filter(|name| !name.is_empty()) else {
            return TreeNode::named(NodeKind::Gate, name, state);
        };
        let namespace = run.meta.namespace();
        let kind = Kind::ApprovalRequest.in_namespace(namespace);
        let key = ObjectKey::on_hub(kind, namespace, request);
        TreeNode {
            name: format!("{name} {request}"),
            ..TreeNode::of_object(NodeKind::Gate, &key, state)
        }
    }

    fn run_cluster(&self, run: &Run, cluster: &ClusterStatus) -> TreeNode {
        let state = state::of_cluster(cluster);
        let own = Topic::RunCluster(run.key().clone(), cluster.name.value.clone());
        let Some(placement) = placement_of(run) else {
            return cluster_branch(&cluster.name, state).about([own]);
        };
        let slot = (placement, cluster.name.value.clone());
        match self.holder(&slot).filter(|holder| *holder != run.key()) {
            Some(holder) => {
                let state = state.and(&format!("held by {holder}"));
                TreeNode::named(NodeKind::Cluster, format!("cluster {}", &*cluster.name), state)
                    .about([own])
            }
            None => self.cluster(slot, state).about([own]),
        }
    }

    fn cluster(&self, slot: PlacementOnCluster, state: NodeState) -> TreeNode {
        let below = self.below(&slot);
        cluster_branch(&slot.1, state).with(below).about([Topic::PlacementCluster(slot.0, slot.1)])
    }

    /// Returns the placements that no run of the bundle names, also those that only their parts show.
    fn placements_without_run(&self) -> BTreeSet<ObjectKey> {
        let seen = self.graph.placements.iter().map(HasMeta::key);
        let slots = self.bindings.keys().chain(self.works.keys()).map(|(placement, _)| placement);
        let with_run: BTreeSet<ObjectKey> =
            self.graph.runs.iter().filter_map(placement_of).collect();
        seen.chain(slots).filter(|key| !with_run.contains(key)).cloned().collect()
    }

    /// Returns the node of a placement alone.
    pub(super) fn placement(&self, key: &ObjectKey) -> TreeNode {
        let found = self.graph.placements.find(key);
        let state = found.map(state::of_placement);
        let state = state
            .unwrap_or_else(|| NodeState::new("not in the bundle", NodeProgress::Unknown, None));
        let (namespace, name) = (&*key.namespace, &*key.name);
        let policies = self.graph.policies_of(namespace, name).into_iter().map(HasMeta::key);
        let snapshots = self.graph.snapshots_of(namespace, name).into_iter().map(HasMeta::key);
        let copies = policies.chain(snapshots).cloned().map(Topic::Object);
        let whole =
            [Topic::Placement, Topic::Rollout, Topic::Versions].map(|topic| topic(key.clone()));
        TreeNode::of_object(NodeKind::Placement, key, state).about(whole).about(copies)
    }

    fn placement_with_clusters(&self, key: &ObjectKey) -> TreeNode {
        let placed = self.graph.placements.find(key).map(|found| found.clusters.as_slice());
        let placed: BTreeMap<&str, _> =
            placed.unwrap_or_default().iter().map(|cluster| (cluster.name(), cluster)).collect();
        let first = (key.clone(), SmolStr::default());
        let bound = self.bindings.range(first.clone()..).map(|(slot, _)| slot);
        let bound = bound.take_while(|slot| slot.0 == *key);
        let sent =
            self.works.range(first..).map(|(slot, _)| slot).take_while(|slot| slot.0 == *key);
        let mut names: BTreeSet<&str> = placed.keys().copied().collect();
        names.extend(bound.chain(sent).map(|slot| &*slot.1));
        let clusters =
            names.into_iter().filter(|name| !name.is_empty() && self.keeps_cluster(name));
        let clusters = clusters.map(|name| {
            let state = placed.get(name).map(|cluster| state::of_placed(cluster));
            self.cluster((key.clone(), name.into()), state.unwrap_or_default())
        });
        self.placement(key).with(clusters.collect())
    }

    /// Returns the bindings of a slot with their Works, then the Works that belong to none of them.
    fn below(&self, slot: &PlacementOnCluster) -> Vec<TreeNode> {
        let mut works = self.works.get(slot).cloned().unwrap_or_default();
        let mut branches = Vec::new();
        for binding in self.bindings.get(slot).into_iter().flatten() {
            let name = binding.meta.name();
            let (own, rest): (Vec<_>, Vec<_>) = works
                .into_iter()
                .partition(|work| work.binding().is_none_or(|found| found == name));
            works = rest;
            branches.push(
                binding_branch(binding).with(own.into_iter().map(|work| self.work(work)).collect()),
            );
        }
        branches.extend(works.into_iter().map(|work| self.work(work)));
        branches
    }

    /// Returns the bindings and Works whose labels were not captured, so that nothing tells their placement.
    fn unlabelled(&self) -> Vec<TreeNode> {
        let bindings = self.graph.bindings.iter();
        let bindings = bindings.filter(|binding| binding.placement().is_none()).map(binding_branch);
        let works = self.graph.works.iter().filter(|work| work.placement().is_none());
        bindings.chain(works.map(|work| self.work(work))).collect()
    }

    fn work(&self, work: &Work) -> TreeNode {
        let carried = carried(work).into_iter().map(|(key, state)| self.manifest(&key, state));
        work_branch(work).with(carried.collect())
    }

    fn manifest(&self, key: &ObjectKey, state: NodeState) -> TreeNode {
        let is_identified = |pod: &ObjectKey| pod.cluster == key.cluster;
        let pods = self.graph.pods_below(key).into_iter().map(|pod| {
            let state = state::of_pod(pod);
            let state = if is_identified(pod.key()) {
                state
            } else {
                state.and("of a member that is not told")
            };
            TreeNode::of_object(NodeKind::Pod, pod.key(), state)
        });
        manifest_branch(key, state).with(pods.collect())
    }
}

/// Returns what a Work carries, each with what the agent reports of it.
pub(super) fn carried(work: &Work) -> Vec<(ObjectKey, NodeState)> {
    let key = |kind: &Option<Text>, namespace: &Option<Text>, name: &Option<Text>| {
        let text = |text: &Option<Text>| text.as_deref().unwrap_or_default().into();
        let (kind, namespace, name) = (text(kind), text(namespace), text(name));
        ObjectKey { cluster: work.cluster().into(), kind, namespace, name }
    };
    let reported = work.reports.iter().map(|report| {
        let id = &report.resource;
        (key(&id.kind, &id.namespace, &id.name), state::of_report(&report.conditions))
    });
    let reported: Vec<(ObjectKey, NodeState)> = reported.collect();
    let known: BTreeSet<ObjectKey> = reported.iter().map(|(key, _)| key.clone()).collect();
    let silent = work.manifests.iter().map(|found| key(&found.kind, &found.namespace, &found.name));
    let silent = silent.filter(|key| !known.contains(key)).map(|key| (key, state::of_report(&[])));
    let silent: Vec<_> = silent.collect();
    reported.into_iter().chain(silent).collect()
}

/// Returns the key of the placement that a run names.
pub(super) fn placement_of(run: &Run) -> Option<ObjectKey> {
    Some(ObjectKey::of(Kind::Placement, run.meta.namespace(), run.placement.as_deref()?))
}

pub(super) fn cluster_branch(name: &str, state: NodeState) -> TreeNode {
    let member = ObjectKey::on_hub("MemberCluster", "", name);
    TreeNode::named(NodeKind::Cluster, format!("cluster {name}"), state)
        .about([Topic::Member(name.into()), Topic::Object(member)])
}

pub(super) fn binding_branch(binding: &Binding) -> TreeNode {
    let topic =
        binding.placement_key().map(|key| Topic::PlacementCluster(key, binding.cluster().into()));
    TreeNode::of_object(NodeKind::Binding, binding.key(), state::of_binding(binding)).about(topic)
}

pub(super) fn work_branch(work: &Work) -> TreeNode {
    TreeNode::of_object(NodeKind::Work, work.key(), state::of_work(work))
        .about([Topic::Work(work.key().clone())])
}

pub(super) fn manifest_branch(key: &ObjectKey, state: NodeState) -> TreeNode {
    let unplaced = ObjectKey { cluster: "".into(), ..key.clone() };
    TreeNode::of_object(NodeKind::Manifest, key, state).about([Topic::Object(unplaced)])
}
