//! FL0630 failed-override.

use crate::declare_rule;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::chain::clip;
use crate::rules::overriding::breakage::{Breakage, LABEL, breakages};

declare_rule! {
    /// An override whose patch does not fit the object.
    ///
    /// ## Why it matters
    /// A JSON patch is applied exactly: `replace` and `remove` need the path to be there, `add` needs its parent. If one
    /// patch fails on a cluster, nothing of the placement reaches that cluster, and the controller does not try again
    /// until the binding changes.
    ///
    /// ## What to do
    /// Correct the path in the override (add the parent first, or drop the patch). With RollingUpdate the new override
    /// is taken up by itself; with External a new run is needed.
    pub static FAILED_OVERRIDE = Rule {
        code: "FL0630",
        name: "failed-override",
        severity: Severity::Error,
        reads: &[Kind::Binding, Kind::Placement, Kind::Override, Kind::OverrideSnapshot],
        check: failed_override,
    }
}

fn failed_override(cx: &mut Cx<'_>) {
    for breakage in breakages(cx) {
        if breakage.is_cascade() || breakage.core.is(&LABEL) {
            continue;
        }
        if !breakage.is_known() {
            cx.report(describe_unknown(cx, &breakage));
            continue;
        }
        let name = breakage.name();
        let object = breakage.object.map(|object| format!(" on {object}")).unwrap_or_default();
        let what = match breakage.path {
            Some(path) => {
                let op = breakage.patch.and_then(|patch| patch.op.as_deref()).unwrap_or("patch");
                format!("its {op} of {path} does not fit: {}", clip(breakage.core.words()))
            }
            None => clip(breakage.core.words()),
        };
        let then = breakage.and_then(cx);
        let place = breakage.patch_place().map(|span| (span, "this path is not in the object"));
        let finding = breakage
            .tell(cx, &FAILED_OVERRIDE, place)
            .message(format!("{name} fails{object} for {}: {what}", breakage.clusters()))
            .why(format!("replace and remove need the path to be there, add needs its parent; when one patch fails nothing of the placement reaches the cluster{then}"));
        cx.report(finding.command(breakage.edit()));
    }
}

/// Tells of a condition that blames an override without naming one.
fn describe_unknown(cx: &Cx<'_>, breakage: &Breakage<'_>) -> Finding {
    let placement = breakage.stalls.first().map(|stall| stall.placement.to_string());
    breakage
        .tell(cx, &FAILED_OVERRIDE, None)
        .message(format!(
            "{} is not overridden on {}: {}",
            placement.unwrap_or_default(),
            breakage.clusters(),
            clip(breakage.core.words())
        ))
        .why("the words name no override: the condition also turns False when resource snapshots are not whole or Works cannot be listed or changed; of an error about an enveloped object only the end is left")
}
