//! FL1008 unknown-field.

use std::collections::BTreeMap;

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::kube::spelling::edit_distance;
use crate::manifest::{FaultKind, Manifest};
use crate::rule::Cx;
use crate::rules::input::capped_findings::CappedFindings;
use crate::source::Span;

declare_rule! {
    /// A key that the kind does not have.
    ///
    /// ## Why it matters
    /// kubectl refuses it by default. Appliers that only warn drop it silently, and then the object does
    /// something else than its author wrote.
    ///
    /// ## What to do
    /// Write the key as the finding proposes, move it to where it belongs, or delete it.
    pub static UNKNOWN_FIELD = Rule {
        code: "FL1008",
        name: "unknown-field",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: unknown_field,
    }
}

fn unknown_field(cx: &mut Cx<'_>) {
    // Of one object, so that a file full of them is told in a page.
    let mut many: BTreeMap<Span, CappedFindings> = BTreeMap::new();
    for (manifest, fault) in cx.faults() {
        let FaultKind::UnknownField { key, meant, known } = &fault.kind else { continue };
        many.entry(manifest.span).or_default().add(|| {
            let (label, help) = match meant {
                Some(meant) => {
                    let asked = format!("did you mean `{meant}`?");
                    (asked.clone(), asked)
                }
                None if known.is_empty() => ("no such key".into(), "there are no keys here".into()),
                None => ("no such key".into(), format!("the keys here are {}", known.join(", "))),
            };
            let pointer = &fault.place.path.pointer;
            let near = meant
                .as_deref()
                .filter(|meant| meant.eq_ignore_ascii_case(key) || edit_distance(key, meant) == 1);
            UNKNOWN_FIELD
                .at_field(&fault.place, label)
                .message(lacking(manifest, &fault.place.path.field, key))
                .why("The API server refuses unknown keys unless it is told to ignore them.")
                .hint(help)
                .fix(Safety::Safe, near.and_then(|near| manifest.renamed(pointer, near)))
        });
    }
    let findings = many.into_values().flat_map(CappedFindings::into_findings);
    findings.for_each(|finding| cx.report(finding));
}

/// Says what lacks the key: a stage by its name, else the object and the field around.
fn lacking(manifest: &Manifest, field: &str, key: &str) -> String {
    let around = field.strip_suffix(key).and_then(|around| around.strip_suffix('.'));
    let around = around.unwrap_or_default();
    let stage = around.strip_prefix("spec.stages[").and_then(|rest| rest.strip_suffix(']'));
    let (kind, name) = (&manifest.key.kind, manifest.name());
    match stage.filter(|stage| !stage.contains(['[', '.'])) {
        Some(stage) => format!("Stage {stage} has no key `{key}`."),
        None if around.is_empty() => format!("{kind} {name} has no key `{key}`."),
        None => format!("{around} of {kind} {name} has no key `{key}`."),
    }
}
