//! Whose events these are, where the object above them was not pasted.
//!
//! The reporter tells the kind, and some of its sentences name the object: the scheduler says which pod it assigned,
//! the kubelet in which pod a container fails, a controller which pods it makes.
//! Invariant: a name is taken from a sentence as it stands, or not at all.

use smol_str::SmolStr;

use super::tree::DescribeTree;
use crate::source::Span;
use crate::syntax::tree::{Fidelity, Node, Value};

/// The object that some events speak of.
pub(super) struct EventOwner {
    /// Its kind.
    pub(super) kind: &'static str,
    name: Option<Told>,
}

/// A name in a sentence.
struct Told {
    namespace: Option<SmolStr>,
    name: SmolStr,
    span: Span,
}

/// Who reports on which kind.
const REPORTERS: [(&str, &str); 8] = [
    ("kubelet", "Pod"),
    ("default-scheduler", "Pod"),
    ("deployment-controller", "Deployment"),
    ("replicaset-controller", "ReplicaSet"),
    ("statefulset-controller", "StatefulSet"),
    ("daemonset-controller", "DaemonSet"),
    ("daemon-set", "DaemonSet"),
    ("job-controller", "Job"),
];

impl EventOwner {
    /// Tells the object of a list of events; `None` if its kind stays open.
    pub(super) fn of(events: &Node) -> Option<Self> {
        let text =
            |event: &Node, key: &str| event.get(key).and_then(Node::as_str).map(str::to_owned);
        let from = events.items().iter().find_map(|event| text(event, "from"))?;
        let (_, kind) = REPORTERS.iter().find(|(reporter, _)| from.starts_with(reporter))?;
        let name = events.items().iter().find_map(|event| {
            let message = event.get("message")?;
            let (namespace, name) = named_in(kind, message.as_str()?)?;
            Some(Told {
                namespace: namespace.map(SmolStr::from),
                name: name.into(),
                span: message.span,
            })
        });
        Some(Self { kind, name })
    }

    /// Puts the name where an object has it.
    pub(super) fn put(self, tree: &mut DescribeTree) {
        let Some(Told { namespace, name, span }) = self.name else { return };
        let node = |text: SmolStr| {
            Some(Node::new(span, Value::String(text)).with_fidelity(Fidelity::Inferred))
        };
        tree.put(&["metadata", "name"], span.start(), node(name));
        tree.put(&["metadata", "namespace"], span.start(), namespace.and_then(node));
    }
}

/// Returns namespace and name of the object that a sentence names.
fn named_in<'t>(kind: &str, message: &'t str) -> Option<(Option<&'t str>, &'t str)> {
    let between = |before: &str, after: &[char]| {
        let (_, rest) = message.split_once(before)?;
        rest.split(after).next().filter(|name| !name.is_empty())
    };
    match kind {
        "Pod" => {
            if let Some(name) = between("Successfully assigned ", &[' ']) {
                let (namespace, name) = name.split_once('/')?;
                return Some((Some(namespace), name));
            }
            let (name, namespace) = between(" in pod ", &['(', ' '])?.split_once('_')?;
            Some((Some(namespace), name))
        }
        "ReplicaSet" => {
            let pod = between("Created pod: ", &[' ']).or_else(|| between("pods \"", &['"']))?;
            Some((None, pod.rsplit_once('-')?.0))
        }
        "Deployment" => {
            let set = between("replica set ", &[' '])?;
            Some((None, set.rsplit_once('-')?.0))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_name_their_object() {
        let cases = [
            (
                "Pod",
                "Successfully assigned shop/web-1-a to node-1",
                Some((Some("shop"), "web-1-a")),
            ),
            (
                "Pod",
                "Back-off restarting failed container web in pod web-1-a_shop(71d-x)",
                Some((Some("shop"), "web-1-a")),
            ),
            ("Pod", "Error: secret \"a\" not found", None),
            ("ReplicaSet", "Created pod: web-1-a", Some((None, "web-1"))),
            ("Deployment", "Scaled up replica set web-1 from 0 to 2", Some((None, "web"))),
        ];
        for (kind, message, want) in cases {
            assert_eq!(named_in(kind, message), want, "{message}");
        }
    }
}
