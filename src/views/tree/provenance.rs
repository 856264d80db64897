//! Provenance: what put an object on a member, and what would change it.
//!
//! The way up is: object, cluster, Work, binding, snapshot, placement, run. Nothing is concluded from
//! names alone; a step that the bundle does not hold says so.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use smol_str::SmolStr;

use super::build::{
    PlacementOnCluster, TreeBuilder, binding_branch, carried, manifest_branch, placement_of,
    work_branch,
};
use super::weak_evidence;
use super::{FleetTree, NodeKind, NodeProgress, NodeState, TreeNode, state};
use crate::grammar::kind::Kind;
use crate::grammar::kind::{find_kind, find_resource};
use crate::graph::{Graph, HasMeta};
use crate::model::apply::ApplyStrategy;
use crate::model::key::{HUB, ObjectKey};
use crate::model::placement::ResourceId;
use crate::model::snapshot::is_latest;
use crate::model::work::Work;
use crate::views::{Focus, RunLine};

/// The annotation of a Work that names the snapshot it was made from.
const PARENT_SNAPSHOT: &str = "kubernetes-fleet.io/parent-resource-snapshot-name";

/// How far owners are followed: from a pod to what owns its ReplicaSet, and no circle.
const OWNERS: usize = 4;

/// An object that is asked about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectQuery {
    kind: String,
    namespace: Option<String>,
    name: String,
}

impl FromStr for ObjectQuery {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split('/').collect();
        let (kind, namespace, name) = match parts.as_slice() {
            [kind, name] => (*kind, None, *name),
            [kind, namespace, name] => (*kind, Some((*namespace).to_owned()), *name),
            _ => return Err("KIND/NAME or KIND/NAMESPACE/NAME is expected".to_owned()),
        };
        if kind.is_empty() || name.is_empty() {
            return Err("the kind or the name is empty".to_owned());
        }
        let spec = find_kind(kind).or_else(|| find_resource(&kind.to_lowercase()));
        let kind = spec.map_or(kind, |spec| spec.name).to_owned();
        Ok(Self { kind, namespace, name: name.to_owned() })
    }
}

impl ObjectQuery {
    /// Returns the key of the object on the hub, in the namespace that was asked for, else in `namespace`.
    pub(super) fn key_in(&self, namespace: &str) -> ObjectKey {
        let namespace = self.namespace.as_deref().unwrap_or(namespace);
        ObjectKey::on_hub(&self.kind, namespace, &self.name)
    }

    /// Says whether an object is asked about.
    pub(super) fn is(&self, key: &ObjectKey) -> bool {
        self.name == *key.name
            && self.kind.eq_ignore_ascii_case(&key.kind)
            && self.namespace.as_ref().is_none_or(|namespace| **namespace == *key.namespace)
    }
}

/// Returns, for each object that the question names, the way by which it came to each member.
pub fn provenance(graph: &Graph, wanted: &ObjectQuery) -> FleetTree {
    let focus = Focus::default();
    let asking = Asking { builder: TreeBuilder::new(graph, &focus), graph };
    let mut forest = asking.answer(wanted);
    let mut asked = BTreeSet::from([wanted.clone()]);
    for _ in 0..OWNERS {
        if !forest.roots.is_empty() {
            break;
        }
        asked = asked.iter().flat_map(|wanted| owners(graph, wanted)).collect();
        for owner in &asked {
            let found = asking.answer(owner);
            forest.roots.extend(found.roots);
            forest.notes.extend(found.notes);
        }
    }
    if forest.roots.is_empty() {
        forest.notes.push(format!(
            "nothing in the bundle tells what put {} {} on a member: no Work carries \
                 it, no placement selects it",
            wanted.kind, wanted.name,
        ));
    }
    forest
}

/// Returns the owners on members of the objects that the question names.
fn owners(graph: &Graph, wanted: &ObjectQuery) -> Vec<ObjectQuery> {
    let keys = graph.sightings.iter().filter(|(key, _)| &*key.cluster != HUB && wanted.is(key));
    let metas = keys.filter_map(|(_, sightings)| Some(&sightings.first()?.meta));
    let owners = metas.flat_map(|meta| {
        meta.owners.iter().map(|owner| ObjectQuery {
            kind: owner.kind.to_string(),
            namespace: Some(meta.namespace().to_owned()),
            name: owner.name.to_string(),
        })
    });
    owners.collect()
}

/// What an object is called on every member.
type Name = (SmolStr, SmolStr, SmolStr);

struct Asking<'g> {
    builder: TreeBuilder<'g>,
    graph: &'g Graph,
}

impl Asking<'_> {
    fn answer(&self, wanted: &ObjectQuery) -> FleetTree {
        let mut roots: BTreeMap<Name, Vec<TreeNode>> = BTreeMap::new();
        let mut notes = Vec::new();
        let mut sent: BTreeSet<(Name, ObjectKey)> = BTreeSet::new();
        for work in &self.graph.works {
            for (key, state) in carried(work).into_iter().filter(|(key, _)| wanted.is(key)) {
                let name = name_of(&key);
                if let Some(placement) = work.placement() {
                    notes.extend(self.advice(&key, &placement, Some(work)));
                    sent.insert((name.clone(), placement));
                }
                let way = self.way(work).into_iter().collect();
                let on = TreeNode {
                    name: format!("on {}", member(work)),
                    ..manifest_branch(&key, state).with(way)
                };
                roots.entry(name).or_default().push(on);
            }
        }
        for placement in &self.graph.placements {
            let selected = placement.selected.iter().map(selected_key).filter(|key| wanted.is(key));
            for key in selected.collect::<BTreeSet<_>>() {
                if !sent.contains(&(name_of(&key), placement.key().clone())) {
                    notes.extend(self.advice(&key, placement.key(), None));
                    let mut branch = self.builder.placement(placement.key());
                    branch.state = branch.state.and("selects it; no Work in the bundle carries it");
                    roots.entry(name_of(&key)).or_default().push(branch);
                }
            }
        }
        for (name, branch) in self.applied(wanted) {
            roots.entry(name).or_default().push(branch);
        }
        for (key, placement) in weak_evidence::selecting(self.graph, wanted) {
            let told = sent.iter().any(|(name, by)| {
                by == placement.key()
                    && name.0.eq_ignore_ascii_case(&key.kind)
                    && name.2 == key.name
            });
            if !told && !placement.selected.iter().map(selected_key).any(|key| wanted.is(&key)) {
                notes.extend(self.advice(&key, placement.key(), None));
                let mut branch = self.builder.placement(placement.key());
                branch.state =
                    branch.state.and("its selectors take it; nothing in the bundle shows it sent");
                roots.entry(name_of(&key)).or_default().push(branch);
            }
        }
        let roots = roots.into_iter().map(|((kind, namespace, name), children)| {
            let key = ObjectKey::on_hub(&kind, &namespace, &name);
            TreeNode::named(NodeKind::Manifest, key.to_string(), NodeState::default())
                .with(children)
        });
        let mut told = BTreeSet::new();
        notes.retain(|note: &String| told.insert(note.clone()));
        FleetTree { roots: roots.collect(), elsewhere: Vec::new(), notes }
    }

    /// Returns what AppliedWorks tell of objects that no Work in the bundle carries.
    fn applied(&self, wanted: &ObjectQuery) -> Vec<(Name, TreeNode)> {
        let mut found = Vec::new();
        for (key, applied) in weak_evidence::applied(self.graph, wanted) {
            let namespace = applied.work_namespace.as_deref().unwrap_or_default();
            let work = self.graph.works.find_named(namespace, applied.meta.name());
            if work.is_some_and(|work| carried(work).iter().any(|(own, _)| wanted.is(own))) {
                continue;
            }
            let above = work.and_then(|work| self.way(work)).unwrap_or_else(|| {
                let name = format!("Work {namespace}/{}", applied.meta.name());
                TreeNode::named(
                    NodeKind::Work,
                    name,
                    NodeState::new("not in the bundle", NodeProgress::Unknown, None),
                )
            });
            let state = NodeState::new("applied it", NodeProgress::Done, applied.meta.created);
            let owner = TreeNode::of_object(NodeKind::Work, applied.key(), state).with(vec![above]);
            let on = manifest_branch(&key, NodeState::default()).with(vec![owner]);
            found.push((name_of(&key), TreeNode { name: format!("on {}", on_of(&key)), ..on }));
        }
        found
    }

    /// Returns the way from a Work up to the run, as one branch.
    fn way(&self, work: &Work) -> Option<TreeNode> {
        let mut steps = vec![work_branch(work)];
        if let Some(placement) = work.placement() {
            let slot = (placement, work.cluster().into());
            let bindings = self.builder.bindings.get(&slot).into_iter().flatten();
            let named = |name: &str| work.binding().is_none_or(|binding| binding == name);
            let binding = bindings.copied().find(|binding| named(binding.meta.name()));
            steps.extend(binding.map(binding_branch));
            let snapshot = work.meta.annotation(PARENT_SNAPSHOT).map(|text| &*text.value);
            let snapshot = snapshot.or_else(|| binding?.snapshot.as_deref());
            steps.extend(snapshot.map(|name| self.snapshot(&slot.0, name)));
            steps.push(self.builder.placement(&slot.0));
            steps.extend(self.run(&slot));
        }
        let nest =
            |below: Option<TreeNode>, step: TreeNode| Some(step.with(below.into_iter().collect()));
        steps.into_iter().rev().fold(None, nest)
    }

    fn snapshot(&self, placement: &ObjectKey, name: &str) -> TreeNode {
        let kind = Kind::ResourceSnapshot.in_namespace(&placement.namespace);
        let key = ObjectKey::on_hub(kind, &placement.namespace, name);
        let all = self.graph.snapshots_of(&placement.namespace, &placement.name);
        let latest = all.iter().find(|snapshot| is_latest(&snapshot.meta) && snapshot.is_master());
        let found = self.graph.resource_snapshots.find(&key);
        let created = found.and_then(|found| found.meta.created);
        let state = match latest {
            Some(latest) if latest.key() == &key => {
                NodeState::new("the latest", NodeProgress::Done, created)
            }
            Some(latest) => {
                let words = format!("not the latest, which is {}", latest.meta.name());
                NodeState::new(words, NodeProgress::Waiting, created)
            }
            None if found.is_some() => {
                NodeState::new("in the bundle", NodeProgress::Unknown, created)
            }
            None => NodeState::new("not in the bundle", NodeProgress::Unknown, None),
        };
        TreeNode::of_object(NodeKind::Snapshot, &key, state)
    }

    /// Returns the run that started the cluster last, if any did.
    fn run(&self, slot: &PlacementOnCluster) -> Option<TreeNode> {
        let key = self.builder.holder(slot)?;
        let run = self.graph.runs.find(key)?;
        let (stage, cluster) = run.find_cluster(&slot.1)?;
        cluster.started()?;
        let words =
            format!("cluster {} in stage {}", state::of_cluster(cluster).words, stage.name());
        let topic = crate::finding::Topic::Run(key.clone());
        Some(
            TreeNode::of_object(NodeKind::Run, key, state::of_run(&RunLine::of(run)).and(&words))
                .about([topic]),
        )
    }

    /// Says what would change an object that a placement puts on members.
    fn advice(
        &self,
        object: &ObjectKey,
        placement: &ObjectKey,
        work: Option<&Work>,
    ) -> Vec<String> {
        let found = self.graph.placements.find(placement);
        let envelope = work.and_then(Work::envelope);
        let on_hub = match envelope {
            Some(envelope) => format!("change {object} inside the envelope {}", &**envelope),
            None => format!("change {object} on the hub"),
        };
        let mut runs = self.graph.runs.iter();
        let has_run = runs.any(|run| placement_of(run).as_ref() == Some(placement));
        let external = found.map(|found| found.is_external()).or(has_run.then_some(true));
        let mut lines = vec![match external {
            Some(true) => format!(
                "{on_hub}, then start a new run of {placement}: a run keeps the snapshot \
                     that it was initialized with"
            ),
            Some(false) => {
                format!("{on_hub}: {placement} makes a new snapshot and rolls it out by itself")
            }
            None => format!(
                "{on_hub}; {placement} is not in the bundle, so nothing tells what rolls it out"
            ),
        }];
        let Some(work) = work else { return lines };
        let slot = (placement.clone(), work.cluster().into());
        for binding in self.builder.bindings.get(&slot).into_iter().flatten() {
            let cluster_wide = binding.cluster_overrides.iter().map(|name| name.to_string());
            let namespaced = binding
                .overrides
                .iter()
                .map(|(namespace, name)| format!("{}/{}", &**namespace, &**name));
            let names: Vec<String> = cluster_wide.chain(namespaced).collect();
            if !names.is_empty() {
                lines.push(format!(
                    "on {} overrides may change it on the way: {}",
                    member(work),
                    names.join(", ")
                ));
            }
        }
        lines.push(edit_on_member(work.apply.as_ref()));
        lines
    }
}

fn edit_on_member(apply: Option<&ApplyStrategy>) -> String {
    let kind = apply.and_then(|apply| apply.kind.as_deref());
    let when = apply.and_then(|apply| apply.when_to_apply.as_deref());
    match (kind, when) {
        (Some("ReportDiff"), _) => "nothing is applied: the strategy is ReportDiff",
        (_, Some("IfNotDrifted")) => {
            "an edit on the member is drift: whenToApply IfNotDrifted refuses to \
                 apply the object until the edit is undone or the hub's manifest changes"
        }
        _ => {
            "an edit on the member does not last in fields that the hub sets: \
             whenToApply is Always, and the agent looks again within 15 minutes"
        }
    }
    .to_owned()
}

fn on_of(key: &ObjectKey) -> &str {
    if key.cluster.is_empty() { "a member that is not told" } else { &key.cluster }
}

fn member(work: &Work) -> &str {
    if work.cluster().is_empty() { "a member that is not told" } else { work.cluster() }
}

fn name_of(key: &ObjectKey) -> Name {
    (key.kind.clone(), key.namespace.clone(), key.name.clone())
}

fn selected_key(id: &ResourceId) -> ObjectKey {
    let text =
        |text: &Option<crate::model::read::Text>| text.as_deref().unwrap_or_default().to_owned();
    ObjectKey::on_hub(&text(&id.kind), &text(&id.namespace), &text(&id.name))
}
