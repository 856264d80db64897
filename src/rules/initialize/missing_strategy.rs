//! FL0103 missing-strategy.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::chain::behind;
use crate::rules::failure::{Claim, causes};

declare_rule! {
    /// A run whose strategy does not exist.
    ///
    /// ## Why it matters
    /// The strategy is read once, when the run is initialized, in the run's own scope. Without it the run fails for
    /// good. (Deleting or editing it later changes nothing for a run that is initialized: it keeps a copy.)
    ///
    /// ## What to do
    /// Create the strategy in the run's scope, then make a new run.
    pub static MISSING_STRATEGY = Rule {
        code: "FL0103",
        name: "missing-strategy",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Strategy],
        check: missing_strategy,
    }
}

/// The strategy does not exist.
const NO_STRATEGY: Claim = &[id::ERR_STRATEGY_NOT_FOUND, id::ERR_STRATEGY_NOT_FOUND_CSUR];

fn missing_strategy(cx: &mut Cx<'_>) {
    for cause in causes(cx, NO_STRATEGY) {
        let run = cause.run;
        let name = run.strategy.as_deref().unwrap_or_default();
        let wanted = Kind::Strategy.in_namespace(run.meta.namespace());
        let place = run.strategy.as_ref().map_or(cause.span, |strategy| strategy.span);
        let mut help = format!(
            "the run looks for a {wanted} of that name in its own scope, once, when it is initialized"
        );
        let mut finding = MISSING_STRATEGY
            .at(place, "no such strategy in the run's scope")
            .also(cause.span, "what the run says")
            .message(format!(
                "{} failed: its strategy{} did not exist",
                run.meta.name(),
                behind(name)
            ))
            .recover(Recoverability::RunIsDead);
        let other = cx.strategies().iter().find(|strategy| {
            strategy.meta.name() == name && strategy.meta.namespace() != run.meta.namespace()
        });
        if let Some(other) = other {
            help = format!(
                "there is a {} of that name, but a {} looks for a {wanted} only",
                other.meta.key, run.meta.key.kind
            );
            finding = finding.also(other.meta.name_span, "this one is of another scope");
        } else if let Some(since) = cx.find_strategy(run) {
            finding = finding.also(since.meta.name_span, "made since, too late for this run");
        }
        let finding = cause.settle(cx, finding.why(help));
        cx.report(finding);
    }
}
