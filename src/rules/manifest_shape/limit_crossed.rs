//! FL1012 limit-crossed.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::manifest::FaultKind;
use crate::manifest::Limit;
use crate::rule::Cx;

declare_rule! {
    /// A number, text or list beyond its limit.
    ///
    /// ## Why it matters
    /// The API server refuses the object. Lengths count characters, not bytes.
    ///
    /// ## What to do
    /// Stay within the limit that the finding names.
    pub static LIMIT_CROSSED = Rule {
        code: "FL1012",
        name: "limit-crossed",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: limit_crossed,
    }
}

fn limit_crossed(cx: &mut Cx<'_>) {
    for (_, fault) in cx.faults() {
        let FaultKind::Limit(limit, bound, found) = &fault.kind else { continue };
        let (has, most) = match limit {
            Limit::FewItems => (format!("has {found} entries"), format!("at least {bound}")),
            Limit::ManyItems => (format!("has {found} entries"), format!("at most {bound}")),
            Limit::ShortText => (format!("has {found} characters"), format!("at least {bound}")),
            Limit::LongText => (format!("has {found} characters"), format!("at most {bound}")),
            Limit::SmallNumber => (format!("is {found}"), format!("at least {bound}")),
            Limit::GreatNumber => (format!("is {found}"), format!("at most {bound}")),
        };
        let finding = LIMIT_CROSSED
            .at_field(&fault.place, format!("{most} allowed"))
            .message(format!("{} {has}, {most} allowed", fault.place.path.field))
            .why("the schema of the kind sets this limit");
        cx.report(finding);
    }
}
