//! FL1008 unknown-field.

use std::collections::BTreeMap;

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::kube::spelling::slips;
use crate::manifest::FaultKind;
use crate::rule::Cx;
use crate::rules::input::many::Many;
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
    let mut many: BTreeMap<Span, Many> = BTreeMap::new();
    for (manifest, fault) in cx.faults() {
        let FaultKind::UnknownField { key, meant, known } = &fault.kind else { continue };
        many.entry(manifest.span).or_default().add(|| {
            let around =
                fault.place.path.field.rsplit_once('.').map_or("the object", |(path, _)| path);
            let help = match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None if known.is_empty() => "there are no keys here".to_owned(),
                None => format!("the keys here are {}", known.join(", ")),
            };
            let pointer = &fault.place.path.pointer;
            let near = meant
                .as_deref()
                .filter(|meant| meant.eq_ignore_ascii_case(key) || slips(key, meant) == 1);
            UNKNOWN_FIELD
                .on(&fault.place, "no such key")
                .message(format!("`{key}` is not a key of {around} in {}", manifest.key.kind))
                .hint(help)
                .fix(Safety::Consent, near.and_then(|near| manifest.renamed(pointer, near)))
        });
    }
    let findings = many.into_values().flat_map(Many::into_findings);
    findings.for_each(|finding| cx.report(finding));
}
