//! FL1324 name-with-dot.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A placement with a dot in its name.
    ///
    /// ## Why it matters
    /// The API server takes the name, but the scheduler makes a DNS label of it, which may not hold dots: it
    /// fails without trying again, the placement stays unscheduled, and every run of it fails.
    ///
    /// ## What to do
    /// Choose a name without dots.
    pub static NAME_WITH_DOT = Rule {
        code: "FL1324",
        name: "name-with-dot",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        check: name_with_dot,
    }
}

fn name_with_dot(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>().filter(|it| it.has_dotted_name()) {
        let finding = NAME_WITH_DOT
            .at_field(&placement.manifest.name_place(), "has a dot")
            .message(format!("the scheduler cannot work with the name of {}", placement.show()))
            .why(
                "it makes a DNS label of the name, and a label has no dots; the placement \
                 stays unscheduled",
            );
        cx.report(finding);
    }
}
