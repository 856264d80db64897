//! FL1021 duplicate-object.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::manifest::{FileRole, Surroundings};
use crate::rule::Cx;

declare_rule! {
    /// An object that is defined twice.
    ///
    /// ## Why it matters
    /// `kubectl create` refuses the second one; `kubectl apply` lets the later file win, and which is later
    /// depends on the order of the files.
    ///
    /// ## What to do
    /// Keep one of them.
    pub static DUPLICATE_OBJECT = Rule {
        code: "FL1021",
        name: "duplicate-object",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: duplicate_object,
    }
}

fn duplicate_object(cx: &mut Cx<'_>) {
    for manifest in
        cx.judged().filter(|manifest| !manifest.name().is_empty() && manifest.schema.is_some())
    {
        let Some(twin) = cx.repository().find_twin(manifest) else { continue };
        // Of two judged ones the later is the one too many.
        if twin.role == FileRole::Judged && twin.span > manifest.span {
            continue;
        }
        // Files of one folder may be alternatives.
        let stored = cx.repository().setting.surroundings == Surroundings::Stored;
        let same_file = manifest.span.source == twin.span.source;
        let severity = if stored || same_file { Severity::Error } else { Severity::Note };
        let finding = DUPLICATE_OBJECT
            .at_field(&manifest.name_place(), "defined here")
            .severity(severity)
            .also(twin.name_place().span, "and here")
            .message(format!("{} {} is defined twice", manifest.key.kind, manifest.key.path()))
            .why(
                "the second is refused when it is created, or replaces the first when it \
                 is applied",
            );
        cx.report(finding);
    }
}
