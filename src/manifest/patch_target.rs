//! JSON patches against objects of a repository: whether a patch finds what it needs.
//!
//! Owns the comparison of a patch's path with an object as written, and the knowledge of which maps nobody
//! but the author of an object fills in.

use super::OtherObject;
use crate::kube::field_path::steps;
use crate::source::Span;
use crate::syntax::tree::Value;

impl OtherObject {
    /// Returns the path of what a patch needs and the object surely lacks.
    pub fn lacks_for_patch(&self, path: &str, op: &str) -> Option<String> {
        let parts = parts_of(path);
        let mut node = &self.root;
        let mut path = String::new();
        for (index, part) in parts.iter().enumerate() {
            let last = index + 1 == parts.len();
            path = format!("{path}/{part}");
            match &node.value {
                Value::List(items) => {
                    let number: Option<usize> = part.parse().ok();
                    let fits = match number {
                        Some(number) if last && op == "add" => number <= items.len(),
                        Some(number) => number < items.len(),
                        None => last && part == "-",
                    };
                    if !fits {
                        return Some(path);
                    }
                    node = items.get(number?)?;
                }
                Value::Map(_) => match node.get(part) {
                    Some(next) => node = next,
                    None if last && op == "add" => return None,
                    // The server and its controllers fill in other fields, but none of these.
                    None => {
                        let holder = if last { parts.get(index.checked_sub(1)?)? } else { part };
                        return self.is_left_alone(holder, index).then_some(path);
                    }
                },
                _ => return None,
            }
        }
        None
    }

    /// Says whether nobody but its author writes the map under a key.
    fn is_left_alone(&self, key: &str, depth: usize) -> bool {
        let workload =
            self.api_version.starts_with("apps/") || self.api_version.starts_with("batch/");
        match key {
            "labels" | "nodeSelector" | "matchLabels" => true,
            // Controllers note their revisions there.
            "annotations" => !(workload && depth <= 2),
            // The server moves what is under stringData.
            "data" | "binaryData" => {
                &*self.api_version == "v1" && self.root.get("stringData").is_none()
            }
            _ => false,
        }
    }

    /// Returns the place of the deepest thing around a path that the object lacks.
    pub fn span_around(&self, path: &str) -> Option<Span> {
        // A line of a secret is not for a report.
        if &*self.key.kind == "Secret" {
            return None;
        }
        let mut node = &self.root;
        let mut span = self.root.entry("kind").map_or(self.span, |entry| entry.node.span);
        for part in parts_of(path) {
            let next = match &node.value {
                Value::List(items) => part.parse::<usize>().ok().and_then(|index| items.get(index)),
                _ => {
                    if let Some(entry) = node.entry(&part) {
                        span = entry.key_span;
                    }
                    node.get(&part)
                }
            };
            let Some(next) = next else { break };
            node = next;
        }
        Some(span)
    }
}

/// Returns the steps of a path, none of one that is not a JSON pointer.
fn parts_of(path: &str) -> Vec<String> {
    if path.starts_with('/') { steps(path).collect() } else { Vec::new() }
}
