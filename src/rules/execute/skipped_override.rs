//! FL0212 skipped-override.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// An override that runs skip, because it names its placement with scope Namespaced.
    ///
    /// ## Why it matters
    /// A run looks overrides up under the bare name of its placement, while an override that names a namespaced placement is
    /// kept under `namespace/name`. The two never meet: run and bindings are green, and the override is not applied.
    ///
    /// ## What to do
    /// Leave `spec.placement` out of the override, then make a new run.
    pub static SKIPPED_OVERRIDE = Rule {
        code: "FL0212",
        name: "skipped-override",
        severity: Severity::Warning,
        reads: &[Kind::Override, Kind::Run],
        check: skipped_override,
    }
}

fn skipped_override(cx: &mut Cx<'_>) {
    for item in
        cx.overrides().iter().filter(|item| item.placement_scope.as_deref() == Some("Namespaced"))
    {
        let (Some(placement), Some(scope)) = (&item.placement, &item.placement_scope) else {
            continue;
        };
        let runs = cx.runs_of(item.meta.namespace(), placement);
        let Some(run) = runs.into_iter().find(|run| run.is_initialized()) else { continue };
        cx.report(
            SKIPPED_OVERRIDE
                .at(scope.span, "runs do not find it by this")
                .also(placement.span, "the placement it is meant for")
                .also_at(run.placement.as_ref().map(|name| name.span), "rolled out without it")
                .message(format!(
                    "override {} is skipped by run {}: it names placement {} with scope Namespaced, and runs look overrides up by the bare name",
                    item.meta.name(),
                    run.meta.name(),
                    &**placement,
                ))
                .why("run and bindings are green, and the override is not applied; leave spec.placement out of it")
                .recover(Recoverability::NeedsPatch),
        );
    }
}
