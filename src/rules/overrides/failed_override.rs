//! FL0630 failed-override.

use crate::declare_rule;
use crate::facts::broken_override::{BrokenOverride, LABEL};
use crate::finding::{Finding, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::hub_agent_log;
use crate::rules::overrides::override_finding::{
    after_repair, clusters, finding_for_override, name,
};
use crate::rules::sentence::{clip, full_stop};

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
        reads: &[Kind::Binding],
        check: failed_override,
    }
}

fn failed_override(cx: &mut Cx<'_>) {
    for breakage in cx.broken_overrides() {
        if breakage.is_cascade() || breakage.core.is(&LABEL) {
            continue;
        }
        let finding = if breakage.is_known() {
            describe(cx, breakage)
        } else {
            describe_unknown(cx, breakage)
        };
        cx.report(finding);
    }
}

fn describe(cx: &Cx<'_>, breakage: &BrokenOverride<'_>) -> Finding {
    let (name, clusters) = (name(breakage), clusters(breakage));
    let object = breakage.object.unwrap_or("the object");
    let op = breakage.patch.and_then(|patch| patch.op.as_deref());
    let words = clip(breakage.core.words());
    let message = match (breakage.path, op) {
        (Some(path), Some(op @ ("replace" | "remove"))) => {
            format!("{name} {op}s {path}, which {object} does not have. It fails for {clusters}.")
        }
        (Some(path), Some("add")) => {
            format!("{name} adds {path}, and {object} lacks its parent. It fails for {clusters}.")
        }
        (Some(_), _) => full_stop(&format!("{name} fails on {object} for {clusters}: {words}")),
        (None, _) => full_stop(&format!("{name} fails on {object} for {clusters}: {words}")),
    };
    let place = breakage.patch_place().map(|span| (span, "the object does not have this path"));
    let finding = finding_for_override(breakage, cx, &FAILED_OVERRIDE, place).message(message).why(
        "A replace or remove needs the path to exist, an add its parent. If one patch fails, \
         nothing of the placement reaches the cluster.",
    );
    after_repair(finding, cx, breakage)
}

/// Tells of a condition that blames an override without naming one.
fn describe_unknown(cx: &Cx<'_>, breakage: &BrokenOverride<'_>) -> Finding {
    let stall = breakage.stalls.first();
    let placement = stall.map(|stall| stall.placement.to_string()).unwrap_or_default();
    let name = stall.map(|stall| &*stall.placement.name).unwrap_or_default();
    finding_for_override(breakage, cx, &FAILED_OVERRIDE, None)
        .message(full_stop(&format!(
            "{placement} is not overridden on {}: {}",
            clusters(breakage),
            clip(breakage.core.words())
        )))
        .why(
            "The message names no override. The condition also turns False when a resource \
              snapshot is incomplete, or a Work cannot be listed or written.",
        )
        .then(format!("{name} continues by itself after the repair."))
        .recover(Recoverability::ResumesAfterRepair)
        .step(hub_agent_log(), "shows which step of the hub agent fails")
}
