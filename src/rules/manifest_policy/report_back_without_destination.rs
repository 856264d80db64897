//! FL1323 report-back-without-destination.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
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
    for placement in cx.drafts::<Placement>() {
        let Some(back) = &placement.report_back else { continue };
        let Some(rule) = placement.manifest.server_rule("report-back-destination") else {
            continue;
        };
        let mirror = back.mode.as_deref() == Some("Mirror");
        if !mirror
            || back.site.absent("destination").is_none()
            || placement.manifest.is_ratcheted(&back.site.place())
        {
            continue;
        }
        let finding = REPORT_BACK_WITHOUT_DESTINATION
            .at_field(&back.site.place(), "no destination here")
            .message(format!("{} mirrors status without a destination", placement.show()))
            .why(&*rule.message);
        cx.report(finding);
    }
}
