//! FL1506 patch-of-nothing.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::{Manifest, OtherObject};
use crate::model::overrides::{Override, Patch};
use crate::model::placement::ResourceSelector;
use crate::rule::Cx;

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
                let lacks: Vec<String> =
                    objects.iter().filter_map(|object| object.lacks_for_patch(path, op)).collect();
                let (Some(lack), true) = (lacks.first(), lacks.len() == objects.len()) else {
                    continue;
                };
                if all.iter().take(index).any(|earlier| makes(earlier, lack)) {
                    continue;
                }
                let finding = PATCH_OF_NOTHING
                    .at_field(&path.place(), "does not apply")
                    .also_at(first.span_around(lack), format!("no `{lack}` in here"))
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

/// Says whether an earlier patch may have made what is lacking.
fn makes(earlier: &Patch, lack: &str) -> bool {
    let path = earlier.path.as_deref().unwrap_or_default();
    earlier.op.as_deref() != Some("remove")
        && lack.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
