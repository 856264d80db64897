//! FL1323 report-back-without-destination.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// Status reported back without saying where to.
    ///
    /// ## Why it matters
    /// With `type: Mirror` a destination is required.
    ///
    /// ## What to do
    /// Add `destination`.
    pub static REPORT_BACK_WITHOUT_DESTINATION = Rule {
        code: "FL1323",
        name: "report-back-without-destination",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Placement],
        check: report_back_without_destination,
    }
}

fn report_back_without_destination(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Placement) {
        let Some(back) = manifest.stored().at(&["spec", "strategy", "reportBackStrategy"]) else {
            continue;
        };
        let Some(rule) = manifest.server_rule("report-back-destination") else { continue };
        let mirror = back.text("type") == Some("Mirror");
        if !mirror || back.get("destination").is_some() || manifest.is_ratcheted(&back.place()) {
            continue;
        }
        let finding = REPORT_BACK_WITHOUT_DESTINATION
            .on(&back.place(), "no destination here")
            .message(format!(
                "{} {} mirrors status without a destination",
                manifest.key.kind,
                manifest.name()
            ))
            .why(&*rule.message);
        cx.report(finding);
    }
}
