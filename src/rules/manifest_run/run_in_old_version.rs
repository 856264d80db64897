//! FL1209 run-in-old-version.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::model::run::Run;
use crate::rule::Cx;

declare_rule! {
    /// A run in v1alpha1, which has no state.
    ///
    /// ## Why it matters
    /// The object is stored and read back as Initialize. Since v1alpha1 has no `state`, and its spec cannot
    /// change, the run never starts.
    ///
    /// ## What to do
    /// Use v1beta1 and write `state: Run`.
    pub static RUN_IN_OLD_VERSION = Rule {
        code: "FL1209",
        name: "run-in-old-version",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Run],
        check: run_in_old_version,
    }
}

fn run_in_old_version(cx: &mut Cx<'_>) {
    for run in cx.drafts::<Run>().filter(|run| &*run.manifest.version == "v1alpha1") {
        let Some(version) = run.meta.api_version() else { continue };
        let finding = RUN_IN_OLD_VERSION
            .at_field(&version.place(), "cannot carry a state")
            .message(format!("run {} never starts: v1alpha1 has no state", run.name()))
            .why("it is read back as Initialize; use v1beta1 and write `state: Run`")
            .fix(Safety::Consent, run.manifest.in_stored_version());
        cx.report(finding);
    }
}
