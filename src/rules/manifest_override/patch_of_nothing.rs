//! FL1506 patch-of-nothing.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::kube::field_path::steps;
use crate::manifest::{Manifest, OtherObject};
use crate::model::overrides::{Override, Patch};
use crate::model::placement::ResourceSelector;
use crate::rule::Cx;
use crate::source::Span;
use crate::syntax::tree::{Node, Value};

declare_rule! {
    /// A patch of something that its object does not have.
    ///
    /// ## Why it matters
    /// A JSON patch adds a key only to a map that is there, and replaces or removes only what is there. One
    /// that does not apply fails the placement on every cluster that the rule selects.
    ///
    /// ## What to do
    /// Give the object an empty map there, or add the map itself in a patch before.
    pub static PATCH_OF_NOTHING = Rule {
        code: "FL1506",
        name: "patch-of-nothing",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Override],
        check: patch_of_nothing,
    }
}

fn patch_of_nothing(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    for item in cx.drafts::<Override>() {
        let manifest = item.manifest;
        for selector in &item.selectors {
            let objects: Vec<&OtherObject> =
                repository.foreign.iter().filter(|object| is(object, manifest, selector)).collect();
            // Where kustomize has its hand in it, what is applied may hold more than any one file.
            let Some(first) = objects.first().filter(|_| !objects.iter().any(|one| one.layered))
            else {
                continue;
            };
            let all: Vec<&Patch> = item.patches().collect();
            for (index, patch) in all.iter().enumerate() {
                let (Some(path), Some(op)) = (&patch.path, patch.op.as_deref()) else {
                    continue;
                };
                let parts = parts_of(path).unwrap_or_default();
                let lacks: Vec<String> =
                    objects.iter().filter_map(|object| lacking(object, &parts, op)).collect();
                let (Some(lack), true) = (lacks.first(), lacks.len() == objects.len()) else {
                    continue;
                };
                if all.iter().take(index).any(|earlier| makes(earlier, lack)) {
                    continue;
                }
                let finding = PATCH_OF_NOTHING
                    .at_field(&path.place(), "does not apply")
                    .also_at(place_in(first, lack), format!("no `{lack}` in here"))
                    .message(format!(
                        "a patch of {} does not apply: {} has no `{lack}`",
                        item.show(),
                        first.key
                    ))
                    .why("it fails on every cluster that the rule selects");
                // Tools that apply a repository may put labels and annotations of their own there.
                let finding = match lack.as_str() {
                    "/metadata/labels" | "/metadata/annotations" => {
                        finding.severity(Severity::Warning)
                    }
                    _ => finding,
                };
                cx.report(finding);
            }
        }
    }
}

fn is(object: &OtherObject, manifest: &Manifest, selector: &ResourceSelector) -> bool {
    let (group, version) = object.api_version.rsplit_once('/').unwrap_or(("", &object.api_version));
    selector.group.as_deref() == Some(group)
        && selector.version.as_deref() == Some(version)
        && selector.kind.as_deref() == Some(&object.key.kind)
        && selector.name.as_deref() == Some(&object.key.name)
        && object.key.namespace == manifest.key.namespace
        // A patch of a namespace goes to everything in it.
        && &*object.key.kind != "Namespace"
}

fn parts_of(path: &str) -> Option<Vec<String>> {
    path.starts_with('/').then(|| steps(path).collect())
}

/// Returns the path of what a patch needs and an object surely lacks.
fn lacking(object: &OtherObject, parts: &[String], op: &str) -> Option<String> {
    let mut node = &object.root;
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
                    return is_left_alone(object, holder, index).then_some(path);
                }
            },
            _ => return None,
        }
    }
    None
}

/// Says whether nobody but its author writes the map under a key.
fn is_left_alone(object: &OtherObject, key: &str, depth: usize) -> bool {
    let workload =
        object.api_version.starts_with("apps/") || object.api_version.starts_with("batch/");
    match key {
        "labels" | "nodeSelector" | "matchLabels" => true,
        // Controllers note their revisions there.
        "annotations" => !(workload && depth <= 2),
        // The server moves what is under stringData.
        "data" | "binaryData" => {
            &*object.api_version == "v1" && object.root.get("stringData").is_none()
        }
        _ => false,
    }
}

/// Says whether an earlier patch may have made what is lacking.
fn makes(earlier: &Patch, lack: &str) -> bool {
    let path = earlier.path.as_deref().unwrap_or_default();
    earlier.op.as_deref() != Some("remove")
        && lack.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the place of the deepest thing around what is lacking.
fn place_in(object: &OtherObject, lack: &str) -> Option<Span> {
    // A line of a secret is not for a report.
    if &*object.key.kind == "Secret" {
        return None;
    }
    let mut node: &Node = &object.root;
    let mut span = object.root.entry("kind").map_or(object.span, |entry| entry.node.span);
    for part in parts_of(lack).unwrap_or_default() {
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
