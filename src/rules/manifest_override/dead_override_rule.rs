//! FL1501 dead-override-rule.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::rule::Cx;
use crate::syntax::edit::NewValue;

declare_rule! {
    /// An override rule that applies to no cluster.
    ///
    /// ## Why it matters
    /// Without `clusterSelector` a rule matches nothing; an empty list of terms matches everything.
    ///
    /// ## What to do
    /// Write `clusterSelector: {clusterSelectorTerms: []}` for all clusters.
    pub static DEAD_OVERRIDE_RULE = Rule {
        code: "FL1501",
        name: "dead-override-rule",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Override],
        check: dead_override_rule,
    }
}

fn dead_override_rule(cx: &mut Cx<'_>) {
    for item in cx.drafts::<Override>() {
        for rule in item.rules.iter().filter(|rule| rule.terms.is_none()) {
            let finding = DEAD_OVERRIDE_RULE
                .at_field(&rule.site.place(), "no clusterSelector")
                .message(format!("a rule of {} applies to no cluster", item.show()))
                .why(
                    "an absent selector matches nothing; `clusterSelectorTerms: []` matches \
                     every cluster",
                )
                .fix(
                    Safety::Consent,
                    item.manifest.insert(&rule.site.pointer(), "", "clusterSelector", every()),
                );
            cx.report(finding);
        }
    }
}

/// The selector that matches every cluster.
fn every() -> NewValue {
    NewValue::Under("clusterSelectorTerms", Box::new(NewValue::EmptyList))
}
