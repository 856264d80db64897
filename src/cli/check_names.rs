//! Checks names that the user gave: an unknown one ends the command, with the names that exist.

use std::collections::BTreeSet;

use crate::config::Focus;
use crate::error::Error;
use crate::grammar::message::HoleRole;
use crate::graph::Graph;
use crate::model::key::HUB;
use crate::report::explain::did_you_mean;
use crate::rules;

/// More names are counted.
const NAMED: usize = 8;

/// Checks that what is asked about is in the bundle.
pub(super) fn check_focus(graph: &Graph, focus: &Focus) -> Result<(), Error> {
    let asked = [
        ("run", &focus.run, runs as fn(&Graph) -> BTreeSet<String>),
        ("placement", &focus.placement, placements),
        ("cluster", &focus.cluster, clusters),
        ("namespace", &focus.namespace, namespaces),
    ];
    for (noun, wanted, there) in asked {
        let Some(wanted) = wanted else { continue };
        let there = there(graph);
        if !there.contains(wanted) {
            return Err(Error::Usage(absent(noun, wanted, &there)));
        }
    }
    Ok(())
}

/// Checks that every rule that the user names is one.
pub(super) fn check_rules(named: &[String]) -> Result<(), Error> {
    for name in named {
        let known = rules::ALL.iter().any(|rule| rule.is_named(std::slice::from_ref(name)));
        if !known {
            return Err(Error::Usage(format!(
                "there is no rule {name:?}{}; fleetlens rules lists all",
                did_you_mean(name, rules::ALL.iter().flat_map(|rule| [rule.code, rule.name]))
            )));
        }
    }
    Ok(())
}

fn absent(noun: &str, wanted: &str, there: &BTreeSet<String>) -> String {
    let near = did_you_mean(wanted, there.iter().map(String::as_str));
    let names: Vec<&str> = there.iter().map(String::as_str).take(NAMED).collect();
    let list = match there.len() {
        0 => format!("; it names no {noun} at all"),
        all if all > NAMED => format!("; there are {} and {} more", names.join(", "), all - NAMED),
        _ => format!("; there is {}", names.join(", ")),
    };
    let list =
        if near.is_empty() { list } else { format!(" T{}", list.get(3..).unwrap_or_default()) };
    crate::report::clean(&format!("there is no {noun} {wanted:?} in the bundle{near}{list}"))
}

fn logged(graph: &Graph, role: HoleRole) -> impl Iterator<Item = String> + '_ {
    graph.log_events.iter().filter_map(move |event| event.named(role)).map(str::to_owned)
}

fn runs(graph: &Graph) -> BTreeSet<String> {
    let held = graph.runs.iter().map(|run| run.meta.name().to_owned());
    held.chain(logged(graph, HoleRole::Run)).filter(|name| !name.is_empty()).collect()
}

fn placements(graph: &Graph) -> BTreeSet<String> {
    let held = graph.placements.iter().chain(&graph.implied);
    let held = held.map(|placement| placement.meta.name().to_owned());
    let of_runs = graph.runs.iter().filter_map(|run| run.placement.as_deref());
    let all = held.chain(of_runs.map(str::to_owned)).chain(logged(graph, HoleRole::Placement));
    all.filter(|name| !name.is_empty()).collect()
}

fn clusters(graph: &Graph) -> BTreeSet<String> {
    let members = graph.members.iter().map(|member| member.meta.name().to_owned());
    let internal = graph.internal_members.iter();
    let internal = internal.map(|member| member.meta.name().to_owned());
    let bound = graph.bindings.iter().filter_map(|binding| binding.cluster.as_deref());
    let seen = graph.sightings.keys().map(|key| key.cluster.to_string());
    let stages = graph.runs.iter().flat_map(|run| run.all_stages());
    let updated = stages.flat_map(|stage| &stage.clusters).map(|it| it.name.to_string());
    let placed = graph.placements.iter().flat_map(|placement| &placement.clusters);
    let placed = placed.map(|cluster| cluster.name().to_owned());
    let all = members.chain(internal).chain(bound.map(str::to_owned)).chain(seen).chain(updated);
    let all = all.chain(placed).chain(logged(graph, HoleRole::Cluster));
    all.filter(|name| !name.is_empty() && name != HUB).collect()
}

fn namespaces(graph: &Graph) -> BTreeSet<String> {
    let lived_in = graph.sightings.keys().map(|key| key.namespace.to_string());
    let spaces = graph.sightings.keys().filter(|key| &*key.kind == "Namespace");
    let spaces = spaces.map(|key| key.name.to_string());
    let refs = graph.log_events.iter().flat_map(|event| &event.refs);
    let refs = refs.map(|found| found.namespace.to_string());
    lived_in.chain(spaces).chain(refs).filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{absent, check_rules, did_you_mean};

    #[test]
    fn a_name_that_is_not_there_is_answered_with_what_is() {
        let there = ["remit-1-5-0", "remit-1-5-1"].map(str::to_owned).into();
        assert_eq!(
            absent("run", "remit-15-0", &there),
            "there is no run \"remit-15-0\" in the bundle; did you mean remit-1-5-0? There is remit-1-5-0, remit-1-5-1"
        );
        let none = std::collections::BTreeSet::new();
        assert_eq!(
            absent("run", "x", &none),
            "there is no run \"x\" in the bundle; it names no run at all"
        );
        assert_eq!(did_you_mean("zzz", ["web"].into_iter()), "");
    }

    #[test]
    fn a_rule_is_named_by_code_beginning_or_name() {
        let names = ["FL0501", "FL05", "stale-approval"].map(str::to_owned);
        assert!(check_rules(&names).is_ok());
        let wrong = check_rules(&["stale-aproval".to_owned()]);
        let wrong = wrong.map_err(|error| error.to_string());
        assert!(wrong.is_err_and(|text| text.contains("did you mean stale-approval?")));
    }
}
