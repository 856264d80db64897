//! FL1211 forbidden-transition.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::Manifest;
use crate::rule::ManifestCx;

declare_rule! {
    /// A change of state that a run may not make.
    ///
    /// ## Why it matters
    /// A run goes from Initialize to Run, and between Run and Stop; it never goes back to Initialize. A removed
    /// `state` counts as Initialize.
    ///
    /// ## What to do
    /// Keep the state, or set one that is allowed from where the run is. To start over, make a new run.
    pub static FORBIDDEN_TRANSITION = Rule {
        code: "FL1211",
        name: "forbidden-transition",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Run],
        manifest: forbidden_transition,
    }
}

fn forbidden_transition(cx: &mut ManifestCx<'_>) {
    for manifest in cx.of(Kind::Run) {
        let Some(before) = manifest.before() else { continue };
        let path = ["spec", "state"];
        let (Some(old), Some(new)) = (before.at(&path), manifest.stored().at(&path)) else {
            continue;
        };
        let id = match (old.str(), new.str()) {
            (Some("Initialize"), Some("Stop")) => "run-state-initialize-stop",
            (Some("Run"), Some("Initialize")) => "run-state-run-initialize",
            (Some("Stop"), Some("Initialize")) => "run-state-stop-initialize",
            _ => continue,
        };
        let Some(rule) = manifest.server_rule(id) else { continue };
        let label = if Manifest::is_default(&new) {
            "without `state` it is Initialize"
        } else {
            "not from where it is"
        };
        let finding = FORBIDDEN_TRANSITION
            .on(&new.place(), label)
            .also(old.place().span, "was this")
            .message(format!(
                "run {} may not go from {} to {}",
                manifest.name(),
                old.str().unwrap_or_default(),
                new.str().unwrap_or_default()
            ))
            .help(&*rule.message);
        cx.report(finding);
    }
}
