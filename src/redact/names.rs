//! What things are called: names of objects, namespaces, clusters and stages, as the model knows them.

use std::collections::BTreeSet;

use super::mask::{is_public, sensitive};
use super::vocabulary::is_word;
use crate::bundle::Bundle;
use crate::graph::Graph;
use crate::kube::names::subdomain_trouble;
use crate::model::key::HUB;
use crate::model::log::Mention;
use crate::syntax::tree::Node;

/// Fields that hold a name.
const FIELDS: [&str; 13] = [
    "name",
    "namespace",
    "clusterName",
    "placementName",
    "stagedRolloutStrategyName",
    "stageName",
    "targetCluster",
    "nodeName",
    "serviceAccountName",
    "resourceName",
    "claimName",
    "secretName",
    "cluster",
];

/// Kinds whose names are made of other names.
const MADE: [&str; 14] = [
    "ClusterResourceBinding",
    "ResourceBinding",
    "Work",
    "AppliedWork",
    "ClusterResourceSnapshot",
    "ResourceSnapshot",
    "ClusterSchedulingPolicySnapshot",
    "SchedulingPolicySnapshot",
    "Event",
    "Lease",
    "ClusterResourceOverrideSnapshot",
    "ResourceOverrideSnapshot",
    "ClusterApprovalRequest",
    "ApprovalRequest",
];

/// Kinds whose names end with letters that the cluster made up.
const SUFFIXED: [(&str, usize); 2] = [("Pod", 2), ("ReplicaSet", 1)];

/// The prefix of the namespaces that belong to members.
const MEMBER: &str = "fleet-member-";

/// The names of a bundle, and what is masked in it by its form.
#[derive(Clone, Debug, Default)]
pub struct Names {
    names: BTreeSet<String>,
    masked: BTreeSet<String>,
}

impl FromIterator<String> for Names {
    fn from_iter<T: IntoIterator<Item = String>>(names: T) -> Self {
        Self { names: names.into_iter().collect(), masked: BTreeSet::new() }
    }
}

impl Names {
    /// Learns the names of a bundle.
    pub fn of(bundle: &Bundle, graph: &Graph) -> Self {
        let mut names = Self::default();
        let mut made = Vec::new();
        for key in graph.sightings.keys() {
            names.add(&key.cluster);
            names.add(&key.namespace);
            names.add_object(&key.kind, &key.name, &mut made);
        }
        for document in bundle.parsed.iter().flat_map(|parsed| &parsed.documents) {
            let head = &document.head;
            let kind = head.kind.as_deref().unwrap_or_default();
            head.namespace.iter().for_each(|namespace| names.add(namespace));
            head.name.iter().for_each(|name| names.add_object(kind, name, &mut made));
            if let Some(root) = &document.root {
                names.add_fields(root, kind, &mut made);
            }
        }
        for event in &graph.log_events {
            for Mention { object, .. } in &event.mentions {
                names.add(&object.cluster);
                names.add(&object.namespace);
                names.add_object(&object.kind, &object.name, &mut made);
            }
            for named in event.refs.iter().filter(|named| named.role.is_object()) {
                names.add(&named.namespace);
                made.push(named.name.to_string());
            }
        }
        // A name that is made of others is rewritten by its parts; one that is not is a name of its own.
        for name in made {
            let known = |base: &String| name.contains(base.as_str());
            if !names.names.iter().any(known) {
                names.add(&name);
            }
        }
        bundle.sources.iter().for_each(|source| names.mask(source.text()));
        names
    }

    /// Returns the names in order.
    pub fn iter(&self) -> impl Iterator<Item = &String> {
        self.names.iter()
    }

    /// Takes over the names that another bundle has.
    pub fn extend(&mut self, others: Self) {
        self.names.extend(others.names);
        self.masked.extend(others.masked);
    }

    /// Learns what is masked in a text, to know it again where it is written in another form.
    pub fn mask(&mut self, text: &str) {
        self.masked.extend(sensitive(text).map(str::to_owned));
    }

    /// Returns what is masked.
    pub(super) fn masked(&self) -> &BTreeSet<String> {
        &self.masked
    }

    fn add_object(&mut self, kind: &str, name: &str, made: &mut Vec<String>) {
        if MADE.contains(&kind) {
            made.push(name.to_owned());
            return;
        }
        let suffix = SUFFIXED.iter().find(|(suffixed, _)| *suffixed == kind);
        let parts = suffix.map_or(1, |(_, count)| count + 1);
        let stem = name.rsplitn(parts, '-').last().unwrap_or(name);
        self.add(stem);
    }

    fn add_fields(&mut self, node: &Node, kind: &str, made: &mut Vec<String>) {
        let own = node.get("kind").and_then(Node::as_str).unwrap_or(kind);
        for entry in node.entries() {
            match entry.node.as_str() {
                Some(text) if FIELDS.contains(&&*entry.key) => self.add_object(own, text, made),
                Some(_) => {}
                None => self.add_fields(
                    &entry.node,
                    if &*entry.key == "metadata" { own } else { "" },
                    made,
                ),
            }
        }
        node.items().iter().for_each(|item| self.add_fields(item, kind, made));
    }

    /// Adds a name, unless it is a word that everybody uses.
    pub fn add(&mut self, name: &str) {
        let name = name.strip_prefix(MEMBER).unwrap_or(name);
        let plain = name.bytes().all(|c| c.is_ascii_digit() || c == b'.');
        if name.len() >= 3
            && name != HUB
            && !plain
            && subdomain_trouble(name).is_none()
            && !is_word(name)
            && !is_public(name)
        {
            self.names.insert(name.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_everybody_uses_are_no_names() {
        let mut names = Names::default();
        for name in
            ["checkout", "deployment", "fleet.azure.com", "hub.docker.io", "fleet-member-eu1"]
        {
            names.add(name);
        }
        let names: Vec<&str> = names.names.iter().map(String::as_str).collect();
        assert_eq!(names, ["checkout", "eu1"]);
    }
}
