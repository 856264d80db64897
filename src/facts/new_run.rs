//! The manifest of a run that replaces another one, filled from it, and what it would take from others.

use std::fmt::Write as _;

use crate::finding::{Command, NewObject, Risk, RunsOn, Step};
use crate::grammar::kind::{Kind, find_kind};
use crate::graph::{Graph, Listing};
use crate::kube::names::subdomain_trouble;
use crate::model::run::Run;
use crate::model::snapshot::is_snapshot_index;

/// Served by every release that has runs.
const OLDEST_VERSION: &str = "v1beta1";
/// The API server refuses longer names of runs.
const LONGEST_NAME: usize = 63;

/// Which version the new run is to roll out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version<'r> {
    /// The one that the old run asked for; without an index that is what stands on the hub.
    AsBefore,
    /// What stands on the hub then.
    Fresh,
    /// This snapshot.
    Pinned(&'r str),
}

/// Whether a new run is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Nothing is rolled out without it.
    Needed,
    /// Another run has taken over; it is created only if somebody still wants the old version.
    IfWanted,
}

/// Returns the steps that lead to a new run: look who is active, where that is not known, and create it.
pub fn steps(graph: &Graph, old: &Run, version: Version<'_>, wish: Wish) -> Vec<Step> {
    let Some(object) = new_run(graph, old, version, wish) else { return Vec::new() };
    let look = (!knows_rivals(graph, old)).then(|| look_for_rivals(old)).flatten();
    look.map(Step::Run).into_iter().chain([Step::Create(object)]).collect()
}

/// Returns the runs of the same placement that write bindings, other than the old one.
pub fn rivals<'g>(graph: &'g Graph, old: &Run) -> Vec<&'g Run> {
    let placement = old.placement.as_deref().unwrap_or_default();
    let runs = graph.runs_of(old.meta.namespace(), placement);
    runs.into_iter().filter(|run| run.is_active() && run.meta.key != old.meta.key).collect()
}

/// Says whether the bundle shows every run that could be in the way.
fn knows_rivals(graph: &Graph, old: &Run) -> bool {
    let kind = Kind::Run.in_namespace(old.meta.namespace());
    graph.listing(kind, old.meta.namespace()) == Listing::All
}

fn look_for_rivals(old: &Run) -> Option<Command> {
    let kind = Kind::Run.in_namespace(old.meta.namespace());
    let command = Command::kubectl(Risk::ReadOnly, RunsOn::Hub).words("get").resource(kind);
    let effect = format!("shows whether another run of {} is active", old.show_placement());
    command.namespace(old.meta.namespace()).effect(effect).build()
}

fn new_run(graph: &Graph, old: &Run, version: Version<'_>, wish: Wish) -> Option<NewObject> {
    let allowed = |name: &&str| subdomain_trouble(name).is_none();
    let placement = old.placement.as_deref().filter(allowed)?;
    let strategy = old.strategy.as_deref().filter(allowed)?;
    let name = free_name(graph, old)?;
    let index = match version {
        Version::AsBefore => old.index.as_deref(),
        Version::Fresh => None,
        Version::Pinned(index) => Some(index),
    };
    let index = index.filter(|index| is_snapshot_index(index));
    let kind = Kind::Run.in_namespace(old.meta.namespace());
    let mut manifest = format!("apiVersion: {}\nkind: {kind}\nmetadata:\n", api_version(old)?);
    let _ = writeln!(manifest, "  name: {name}");
    if !old.meta.is_cluster_scoped() {
        let namespace = Some(old.meta.namespace()).filter(allowed)?;
        let _ = writeln!(manifest, "  namespace: {namespace}");
    }
    let _ = writeln!(manifest, "spec:\n  placementName: {placement}");
    if let Some(index) = index {
        let _ = writeln!(manifest, "  resourceSnapshotIndex: \"{index}\"");
    }
    let _ = writeln!(manifest, "  stagedRolloutStrategyName: {strategy}\n  state: Run");
    let object = NewObject::new(&name, manifest, effect(graph, old, index, wish))?;
    Some(NewObject { on_wish: wish == Wish::IfWanted, ..object })
}

/// Returns the version of the API that the old run was read in, else the one that every release serves.
fn api_version(old: &Run) -> Option<String> {
    let spec = find_kind(Kind::Run.in_namespace(old.meta.namespace()))?;
    let known = old.meta.api_version().map(|version| version.value.to_string());
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
fn free_name(graph: &Graph, old: &Run) -> Option<String> {
    let name = Some(&*old.meta.key.name).filter(|name| subdomain_trouble(name).is_none())?;
    let numbered = name.rsplit_once("-r").and_then(|(stem, number)| {
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        Some((stem, number.parse::<u32>().ok().filter(|_| digits)?))
    });
    let (stem, last) = numbered.unwrap_or((name, 1));
    let taken = |name: &String| graph.runs.find_named(old.meta.namespace(), name).is_some();
    (last.saturating_add(1)..).take(1000).map(|number| named(stem, number)).find(|it| !taken(it))
}

fn named(stem: &str, number: u32) -> String {
    let end = format!("-r{number}");
    let stem = stem.get(..LONGEST_NAME.saturating_sub(end.len())).unwrap_or(stem);
    format!("{}{end}", stem.trim_end_matches(['-', '.']))
}

/// Says what the new run does, and what it would disturb.
fn effect(graph: &Graph, old: &Run, index: Option<&str>, wish: Wish) -> String {
    let frozen = old.frozen_stages.as_ref().and_then(|stages| stages.iter().next());
    let strategy = graph.find_strategy(old).and_then(|strategy| strategy.stages.iter().next());
    let stage = frozen.or(strategy).map(|stage| stage.name()).filter(|name| !name.is_empty());
    let stage = stage.map(|stage| format!(", stage {stage} first")).unwrap_or_default();
    let what = match index {
        Some(index) => format!("snapshot {index}"),
        None => "the resources as they are on the hub then".to_owned(),
    };
    let what = match wish {
        Wish::Needed => format!("Create a new run. It rolls out {what}{stage}."),
        Wish::IfWanted => format!(
            "Only if its version is still wanted: create a new run. It rolls out {what}{stage}."
        ),
    };
    format!("{what} {}", disturbance(graph, old))
}

/// Says from which run the new one would take clusters; "nothing" only where the bundle shows that.
fn disturbance(graph: &Graph, old: &Run) -> String {
    let placement = old.show_placement();
    let names: Vec<&str> = rivals(graph, old).iter().map(|run| run.meta.name()).collect();
    let alive = old.is_active().then_some(old.meta.name());
    match (names.as_slice(), alive) {
        ([], Some(old)) => {
            format!("It takes the clusters that {old} has not finished; {old} fails.")
        }
        ([], None) if knows_rivals(graph, old) => {
            format!("It pre-empts nothing: {placement} has no other active run in this bundle.")
        }
        ([], None) => format!("Do so only if {placement} has no other active run."),
        ([one], _) => format!("Do so after {one} has ended, or it takes clusters from {one}."),
        (some, _) => {
            let names = some.join(" and ");
            format!("Do so after {names} have ended, or it takes clusters from them.")
        }
    }
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
