//! FL0212 skipped-override.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Command, Risk, RunsOn, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::rule::Cx;
use serde_json::json;

declare_rule! {
    /// An override that runs skip, because it names its placement with scope Namespaced.
    ///
    /// ## Why it matters
    /// A run looks overrides up under the bare name of its placement, while an override that names a namespaced placement is
    /// kept under `namespace/name`. The two never meet: run and bindings are green, and the override is not applied.
    ///
    /// ## What to do
    /// Leave `spec.placement` out of the override, then create a new run.
    pub static SKIPPED_OVERRIDE = Rule {
        code: "FL0212",
        name: "skipped-override",
        severity: Severity::Warning,
        reads: &[Kind::Override, Kind::Run],
        check: skipped_override,
    }
}

fn skipped_override(cx: &mut Cx<'_>) {
    for item in cx.overrides() {
        let (Some(placement), Some(scope)) = (&item.placement, item.scope_hidden_from_runs())
        else {
            continue;
        };
        let runs = cx.runs_of(item.meta.namespace(), placement);
        let Some(run) = runs.into_iter().find(|run| run.is_initialized()) else { continue };
        let name = run.meta.name();
        let finding = SKIPPED_OVERRIDE
            .at(scope.span, "runs do not find it by this")
            .also(placement.span, "the placement that it is meant for")
            .also_at(run.placement.as_ref().map(|name| name.span), "rolled out without it")
            .message(format!(
                "{name} skips override {}, because it names placement {} with scope Namespaced.",
                item.meta.name(),
                &**placement,
            ))
            .why(
                "Runs look overrides up by the bare name of the placement. Run and bindings are \
                 green, but the override is not applied.",
            )
            .command(without_placement(item));
        let outlook = cx.outlook_of_run(run, Repair::Override);
        cx.report(finding.outlook(outlook));
    }
}

fn without_placement(item: &Override) -> Option<Command> {
    let patch = json!([{"op": "remove", "path": "/spec/placement"}]);
    let command = Command::kubectl(Risk::Reversible, RunsOn::Hub).words("patch");
    let effect = "removes spec.placement, so that the override counts for every placement";
    command.object(&item.meta.key).patch("--type=json", &patch).effect(effect).build()
}
