//! The manifest of a run that replaces another one, filled from it, and what it would take from others.

use std::fmt::Write as _;

use crate::finding::{Command, NewObject, Risk, RunsOn, Step};
use crate::grammar::kind::{Kind, find_kind};
use crate::graph::{Graph, Listing};
use crate::kube::names::subdomain_trouble;
use crate::model::placement::Placement;
use crate::model::run::Run;
use crate::model::snapshot::is_snapshot_index;
use crate::model::strategy::Stage;

/// Served by every release that has runs.
const OLDEST_VERSION: &str = "v1beta1";
/// The API server refuses longer names of runs.
const LONGEST_NAME: usize = 63;

/// Which version the new run is to roll out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewRunVersion<'r> {
    /// The one that the old run asked for; without an index that is what stands on the hub.
    AsBefore,
    /// What stands on the hub then.
    Fresh,
    /// This snapshot.
    Pinned(&'r str),
}

/// What a new run is to be.
#[derive(Clone, Debug)]
pub struct Order<'r> {
    /// What it rolls out.
    pub version: NewRunVersion<'r>,
    /// Its strategy, where that is not the one of the run that it is made from.
    pub strategy: Option<&'r str>,
    /// When to create it, as a sentence without its full stop.
    pub when: String,
}

impl<'r> Order<'r> {
    /// Orders a run that is needed now.
    pub fn now(version: NewRunVersion<'r>) -> Self {
        Self { version, strategy: None, when: "Create a new run".to_owned() }
    }

    /// Orders a run that would fail, or change nothing, unless something is done before.
    pub fn after(version: NewRunVersion<'r>, what: &str) -> Self {
        Self { version, strategy: None, when: format!("After {what}, create a new run") }
    }

    /// Orders a run for a version that another run has replaced.
    pub fn if_wanted(version: NewRunVersion<'r>) -> Self {
        let when = "Only if its version is still wanted, create a new run".to_owned();
        Self { version, strategy: None, when }
    }
}

/// What a manifest is filled from.
struct Blueprint<'g> {
    namespace: &'g str,
    placement: &'g str,
    strategy: &'g str,
    index: Option<&'g str>,
    api_version: String,
    name: String,
    /// The run that it is made from, if there is one.
    old: Option<&'g Run>,
}

/// Returns the steps that lead to a new run: look who is active, where that is not known, and create it.
pub fn steps(graph: &Graph, old: &Run, order: &Order<'_>) -> Vec<Step> {
    blueprint(graph, old, order).map(|it| it.steps(graph, &order.when)).unwrap_or_default()
}

/// Returns the steps that lead to a run of a placement, filled from its newest run, else from the only strategy there is.
///
/// A run that ended well is the better example: what ended badly may have ended so by what it was made of.
pub fn steps_for(graph: &Graph, placement: &Placement, order: &Order<'_>) -> Vec<Step> {
    let key = &placement.meta.key;
    let runs = graph.runs_of(&key.namespace, &key.name);
    let created =
        |run: &&&Run| (run.has_succeeded(), run.meta.created.map(|created| created.value));
    if let Some(model) = runs.iter().max_by_key(created) {
        return steps(graph, model, order);
    }
    first(graph, placement, order).map(|it| it.steps(graph, &order.when)).unwrap_or_default()
}

/// Returns the runs of the same placement that write bindings, other than the old one.
pub fn rivals<'g>(graph: &'g Graph, old: &Run) -> Vec<&'g Run> {
    let placement = old.placement.as_deref().unwrap_or_default();
    active_runs(graph, old.meta.namespace(), placement, Some(old))
}

fn active_runs<'g>(
    graph: &'g Graph,
    namespace: &str,
    placement: &str,
    except: Option<&Run>,
) -> Vec<&'g Run> {
    let except = except.map(|run| &run.meta.key);
    let runs = graph.runs_of(namespace, placement);
    runs.into_iter().filter(|run| run.is_active() && Some(&run.meta.key) != except).collect()
}

fn is_allowed(name: &&str) -> bool {
    subdomain_trouble(name).is_none()
}

/// Takes a run as the pattern of a new one.
fn blueprint<'g>(graph: &Graph, old: &'g Run, order: &Order<'g>) -> Option<Blueprint<'g>> {
    let index = match order.version {
        NewRunVersion::AsBefore => old.index.as_deref(),
        NewRunVersion::Fresh => None,
        NewRunVersion::Pinned(index) => Some(index),
    };
    let known = old.meta.api_version().map(|version| version.value.to_string());
    Some(Blueprint {
        namespace: old.meta.namespace(),
        placement: old.placement.as_deref().filter(is_allowed)?,
        strategy: order.strategy.or(old.strategy.as_deref()).filter(is_allowed)?,
        index: index.filter(|index| is_snapshot_index(index)),
        api_version: api_version(old.meta.namespace(), known)?,
        name: free_name(graph, old.meta.namespace(), old.meta.name())?,
        old: Some(old),
    })
}

/// Makes the first run of a placement, if the bundle shows one strategy that it can use.
fn first<'g>(
    graph: &'g Graph,
    placement: &'g Placement,
    order: &Order<'g>,
) -> Option<Blueprint<'g>> {
    let key = &placement.meta.key;
    let namespace = &*key.namespace;
    let mut usable = graph.strategies.iter().filter(|strategy| {
        strategy.meta.namespace() == namespace && strategy.meta.deleting.is_none()
    });
    let (only, others) = (usable.next()?, usable.count());
    let index = match order.version {
        NewRunVersion::AsBefore | NewRunVersion::Fresh => None,
        NewRunVersion::Pinned(index) => Some(index),
    };
    if others > 0 || placement.is_namespaced() == namespace.is_empty() {
        return None;
    }
    Some(Blueprint {
        namespace,
        placement: Some(&*key.name).filter(is_allowed)?,
        strategy: Some(only.meta.name()).filter(is_allowed)?,
        index: index.filter(|index| is_snapshot_index(index)),
        api_version: api_version(namespace, None)?,
        // The first of its placement is `-r1`.
        name: free_name(graph, namespace, &format!("{}-r0", key.name))?,
        old: None,
    })
}

impl Blueprint<'_> {
    fn steps(&self, graph: &Graph, when: &str) -> Vec<Step> {
        let Some(object) = self.object(graph, when) else { return Vec::new() };
        let look = (!self.knows_rivals(graph)).then(|| self.look_for_rivals()).flatten();
        look.map(Step::Run).into_iter().chain([Step::Create(Box::new(object))]).collect()
    }

    fn kind(&self) -> &'static str {
        Kind::Run.in_namespace(self.namespace)
    }

    /// Says whether the bundle shows every run that could be in the way.
    fn knows_rivals(&self, graph: &Graph) -> bool {
        graph.listing(self.kind(), self.namespace) == Listing::All
    }

    fn look_for_rivals(&self) -> Option<Command> {
        let command = Command::kubectl(Risk::ReadOnly, RunsOn::Hub).words("get");
        let effect = format!("shows whether another run of placement {} is active", self.placement);
        command.resource(self.kind()).namespace(self.namespace).effect(effect).build()
    }

    fn object(&self, graph: &Graph, when: &str) -> Option<NewObject> {
        let Self { api_version, name, placement, strategy, .. } = self;
        let mut manifest = format!("apiVersion: {api_version}\nkind: {}\nmetadata:\n", self.kind());
        let _ = writeln!(manifest, "  name: {name}");
        if !self.namespace.is_empty() {
            let namespace = Some(self.namespace).filter(is_allowed)?;
            let _ = writeln!(manifest, "  namespace: {namespace}");
        }
        let _ = writeln!(manifest, "spec:\n  placementName: {placement}");
        if let Some(index) = self.index {
            let _ = writeln!(manifest, "  resourceSnapshotIndex: \"{index}\"");
        }
        let _ = writeln!(manifest, "  stagedRolloutStrategyName: {strategy}\n  state: Run");
        NewObject::new(name, manifest, self.effect(graph, when))
    }

    /// Says what the new run does, and what it would disturb.
    fn effect(&self, graph: &Graph, when: &str) -> String {
        let frozen = self.old.filter(|old| old.strategy.as_deref() == Some(self.strategy));
        let frozen = frozen.and_then(|old| old.frozen_stages.as_ref()?.iter().next());
        let strategy = graph.strategies.find_named(self.namespace, self.strategy);
        let stage = frozen.or_else(|| strategy?.stages.iter().next()).map(Stage::name);
        let stage = stage.filter(|name| !name.is_empty());
        let stage = stage.map(|stage| format!(", stage {stage} first")).unwrap_or_default();
        let what = match self.index {
            Some(index) => format!("snapshot {index}"),
            None => "the resources as they are on the hub then".to_owned(),
        };
        format!("{when}. It rolls out {what}{stage}. {}", self.disturbance(graph))
    }

    /// Says from which run the new one would take clusters; "nothing" only where the bundle shows that.
    fn disturbance(&self, graph: &Graph) -> String {
        let placement = self.placement;
        let rivals = active_runs(graph, self.namespace, placement, self.old);
        let names: Vec<&str> = rivals.iter().map(|run| run.meta.name()).collect();
        let alive = self.old.filter(|old| old.is_active()).map(|old| old.meta.name());
        match (names.as_slice(), alive) {
            ([], Some(old)) => {
                format!("It takes the clusters that {old} has not finished; {old} fails.")
            }
            ([], None) if self.knows_rivals(graph) => format!(
                "It pre-empts nothing: placement {placement} has no other active run in this \
                 bundle."
            ),
            ([], None) => format!("Do so only if placement {placement} has no other active run."),
            ([one], _) => format!("Do so after {one} has ended, or it takes clusters from {one}."),
            (some, _) => {
                let names = some.join(" and ");
                format!("Do so after {names} have ended, or it takes clusters from them.")
            }
        }
    }
}

/// Returns the version of the API that the old run was read in, else the one that every release serves.
fn api_version(namespace: &str, known: Option<String>) -> Option<String> {
    let spec = find_kind(Kind::Run.in_namespace(namespace))?;
    let served = |version: &String| {
        let parts = version.rsplit_once('/');
        parts.is_some_and(|(group, version)| {
            spec.api_version(version) == format!("{group}/{version}")
                && version.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
    };
    Some(known.filter(served).unwrap_or_else(|| spec.api_version(OLDEST_VERSION)))
}

/// Returns `<old>-r2`, or the next name that no run of the bundle has.
fn free_name(graph: &Graph, namespace: &str, old: &str) -> Option<String> {
    let name = Some(old).filter(is_allowed)?;
    let numbered = name.rsplit_once("-r").and_then(|(stem, number)| {
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        Some((stem, number.parse::<u32>().ok().filter(|_| digits)?))
    });
    let (stem, last) = numbered.unwrap_or((name, 1));
    let taken = |name: &String| graph.runs.find_named(namespace, name).is_some();
    (last.saturating_add(1)..).take(1000).map(|number| named(stem, number)).find(|it| !taken(it))
}

fn named(stem: &str, number: u32) -> String {
    let end = format!("-r{number}");
    let stem = stem.get(..LONGEST_NAME.saturating_sub(end.len())).unwrap_or(stem);
    format!("{}{end}", stem.trim_end_matches(['-', '.']))
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn a_new_name_fits_where_the_old_one_did() {
        assert_eq!(named("orders-7-0-0", 2), "orders-7-0-0-r2");
        let long = named(&"a".repeat(80), 12);
        assert_eq!(long.len(), 63);
        assert!(long.ends_with("a-r12"));
        assert_eq!(named(&format!("{}-b", "a".repeat(59)), 2), format!("{}-r2", "a".repeat(59)));
    }
}
