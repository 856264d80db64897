//! Whether the hub agent lived at capture: then a run that it did not look at was captured earlier.

use jiff::SignedDuration;

use crate::finding::{Certainty, Finding, Severity};
use crate::rule::Cx;

/// Heartbeats come every 15 seconds unless set otherwise; hub-agent copies them to the MemberClusters.
const FRESH: SignedDuration = SignedDuration::from_mins(2);

/// Says whether hub-agent copied a heartbeat right before the capture.
fn hub_lives(cx: &Cx<'_>) -> bool {
    let beats = cx.members().iter().filter_map(|member| member.heartbeat());
    let mut ages = beats.filter_map(|beat| cx.clock().since(beat.value));
    ages.any(|age| age.least < FRESH)
}

/// Lowers a finding that the controller does not look, where hub-agent is seen at work.
///
/// Files of a bundle are collected one after the other, and some are of another day: a run that looks
/// forgotten beside a living hub-agent was more probably captured earlier.
pub fn lower_if_agent_alive(cx: &Cx<'_>, finding: Finding) -> Finding {
    if hub_lives(cx) {
        finding.severity(Severity::Note).certainty(Certainty::Possible)
    } else {
        finding
    }
}
