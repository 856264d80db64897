//! FL0764 probe-failing.

use crate::declare_rule;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::commands::look_at;
use crate::rules::consequence::{Repair, after_repair_of};
use crate::rules::member::pod_finding::{explain_unavailable, parse_message};
use crate::rules::sentence::{clip, full_stop, member_name};

declare_rule! {
    /// A container that runs but does not answer its probe, so its pod is never ready.
    ///
    /// ## Why it matters
    /// The workload was applied, the image was pulled and the container runs; only the probe fails. The pod
    /// counts as unavailable, and with a liveness probe the container is started again and again.
    ///
    /// ## What to do
    /// Look at what the container logs and whether port, path and delay of the probe fit it.
    pub static PROBE_FAILING = Rule {
        code: "FL0764",
        name: "probe-failing",
        severity: Severity::Error,
        reads: &[Kind::Pod],
        check: probe_failing,
    }
}

fn probe_failing(cx: &mut Cx<'_>) {
    for unavailable in cx.unavailable_workloads() {
        let events = unavailable.pod_events(&["Unhealthy"]);
        let Some(event) = events.last() else { continue };
        let Some(message) = &event.message else { continue };
        let said = parse_message(cx, message, event.reason.as_ref());
        let Some(phrase) = said.find(&[id::POD_PROBE]) else { continue };
        let finding = PROBE_FAILING
            .at(cx.span_of(&phrase), "reported by the kubelet")
            .message(full_stop(&format!(
                "The pods of {} on {} are not ready: {}",
                unavailable.key,
                member_name(&unavailable.key.cluster),
                clip(phrase.words())
            )))
            .why(
                "The container runs. The kubelet counts it as ready only when it answers its \
                  probe.",
            )
            .step(
                look_at(&unavailable.key.cluster)
                    .words("logs")
                    .name(&event.about.name)
                    .words("--all-containers --tail=50")
                    .namespace(&unavailable.key.namespace)
                    .build(),
                "shows what the container does while its probe fails",
            );
        let finding = after_repair_of(finding, cx, unavailable, Repair::Resource);
        cx.report(explain_unavailable(finding, unavailable));
    }
}
