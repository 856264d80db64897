//! FL1316 left-external.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// A placement that leaves the External strategy.
    ///
    /// ## Why it matters
    /// Once updates are driven by runs there is no way back: the API server refuses another strategy type, also
    /// where the line was only removed.
    ///
    /// ## What to do
    /// Keep `type: External`, or make a new placement.
    pub static LEFT_EXTERNAL = Rule {
        code: "FL1316",
        name: "left-external",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Placement],
        check: left_external,
    }
}

fn left_external(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Placement) {
        let Some(before) = manifest.before() else { continue };
        let root = manifest.stored();
        let path = ["spec", "strategy", "type"];
        let Some(old) = before.at(&path).filter(|old| old.str() == Some("External")) else {
            continue;
        };
        let message =
            format!("{} {} leaves the External strategy", manifest.key.kind, manifest.name());
        match (root.at(&path), manifest.server_rule("strategy-external-left"), root.get("spec")) {
            (Some(new), Some(rule), _) if new.str() != Some("External") => {
                let finding = LEFT_EXTERNAL
                    .on(&new.place(), "no longer External")
                    .also(old.place().span, "was External")
                    .message(message)
                    .why(&*rule.message);
                cx.report(finding);
            }
            (None, _, Some(spec)) => {
                let finding = LEFT_EXTERNAL
                    .on(&spec.missing("strategy"), "strategy is gone")
                    .also(old.place().span, "was External")
                    .layer(Layer::Advice)
                    .severity(Severity::Warning)
                    .message(message)
                    .why("nobody refuses it when the whole block is gone, and the placement rolls itself out from then on");
                cx.report(finding);
            }
            _ => {}
        }
    }
}
