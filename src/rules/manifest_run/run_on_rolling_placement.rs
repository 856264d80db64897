//! FL1203 run-on-rolling-placement.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::{FileRole, Manifest};
use crate::model::run::Run;
use crate::rule::Cx;
use crate::syntax::edit::{NewValue, TextEdit};

declare_rule! {
    /// A run on a placement that rolls itself out.
    ///
    /// ## Why it matters
    /// Runs work only on placements with `strategy.type: External`; the default is RollingUpdate. The run fails
    /// once and for ever.
    ///
    /// ## What to do
    /// Set `type: External` in the placement, and make a new run.
    pub static RUN_ON_ROLLING_PLACEMENT = Rule {
        code: "FL1203",
        name: "run-on-rolling-placement",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Run, Kind::Placement],
        check: run_on_rolling_placement,
    }
}

fn run_on_rolling_placement(cx: &mut Cx<'_>) {
    for run in cx.drafts::<Run>() {
        let Some(placement) = cx.repository().placement_of(run) else { continue };
        let Some(name) = run.placement.as_ref().filter(|_| placement.manifest.schema.is_some())
        else {
            continue;
        };
        if placement.is_external() {
            continue;
        }
        let word = placement.strategy.as_deref().unwrap_or("RollingUpdate");
        let finding = RUN_ON_ROLLING_PLACEMENT
            .at_field(&name.place(), format!("its strategy is {word}"))
            .also(placement.manifest.name_place().span, "this placement")
            .message(format!(
                "run {} works on placement {}, which rolls itself out",
                run.name(),
                placement.name()
            ))
            .why("the run fails at initialization: the placement needs strategy type External")
            .fix(Safety::Consent, to_external(placement.manifest));
        cx.report(finding);
    }
}

/// Sets the strategy of a placement to External, if its file is among those that are judged.
fn to_external(placement: &Manifest) -> Option<TextEdit> {
    let external = || "External".to_owned();
    let root = placement.written();
    match (root.at(&["spec", "strategy"]), root.at(&["spec", "strategy", "type"])) {
        _ if placement.role != FileRole::Judged => None,
        (_, Some(kind)) => placement.replace(&kind.pointer(), external()),
        (Some(strategy), None) => {
            placement.insert(&strategy.pointer(), "", "type", NewValue::Text(external()))
        }
        (None, None) => {
            let value = NewValue::Under("type", Box::new(NewValue::Text(external())));
            placement.insert("/spec", "", "strategy", value)
        }
    }
}
