//! FL0764 probe-failing.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::chain::{clip, member_name};
use crate::rules::commands::look_at;
use crate::rules::member::patient::{explain_unavailable, pod_events, take_apart};

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
        let events = pod_events(unavailable, &["Unhealthy"]);
        let Some(event) = events.last() else { continue };
        let Some(message) = &event.message else { continue };
        let said = take_apart(cx, message, event.reason.as_ref());
        let Some(phrase) = said.find(&[id::POD_PROBE]) else { continue };
        let finding = PROBE_FAILING
            .at(cx.span_of(&phrase), "the kubelet says")
            .message(format!(
                "the pods of {} on {} are not ready: {}",
                unavailable.key,
                member_name(&unavailable.key.cluster),
                clip(phrase.words())
            ))
            .why("the container runs, but the kubelet does not count it as ready until its probe is answered")
            .recover(Recoverability::ResumesAfterRepair)
            .command(
                look_at(&unavailable.key.cluster)
                    .words("logs")
                    .name(&event.about.name)
                    .namespace(&unavailable.key.namespace)
                    .build(),
            );
        cx.report(explain_unavailable(finding, unavailable));
    }
}
