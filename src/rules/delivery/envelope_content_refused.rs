//! FL0730 envelope-content-refused.

use crate::declare_rule;
use crate::facts::blocked_rollout::BlockedRollout;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::key::ObjectKey;
use crate::model::said::Phrase;
use crate::rule::Cx;
use crate::rules::commands::{edit_command, hub_agent_log};
use crate::rules::consequence::{Repair, after_repair, explain_stall};
use crate::rules::sentence::{clip_to, full_stop, join_names, member_name};
use crate::source::Span;
use std::collections::BTreeMap;

declare_rule! {
    /// An envelope that holds an object which does not belong in it.
    ///
    /// ## Why it matters
    /// A ResourceEnvelope may hold objects of its own namespace only, a ClusterResourceEnvelope cluster-scoped
    /// ones only. The hub then writes no Work for the cluster at all, and does not try again by itself: a
    /// corrected envelope is taken up with the next rollout only.
    ///
    /// ## What to do
    /// Move the named entry to an envelope where it belongs, or correct it. With a staged update, create a new
    /// run afterwards.
    pub static ENVELOPE_CONTENT_REFUSED = Rule {
        code: "FL0730",
        name: "envelope-content-refused",
        severity: Severity::Error,
        reads: &[Kind::Binding, Kind::Envelope],
        check: envelope_content_refused,
    }
}

const IDS: [MessageId; 6] = [
    id::BINDING_WORKSYNC_FALSE_ENV_NSINCLUSTER,
    id::BINDING_WORKSYNC_FALSE_ENV_CLINNS,
    id::BINDING_WORKSYNC_FALSE_ENV_OTHERNS,
    id::BINDING_WORKSYNC_FALSE_ENV_PARSE,
    id::OLD_B_CMPARSE,
    id::OLD_B_CMNS,
];

fn envelope_content_refused(cx: &mut Cx<'_>) {
    let mut groups: BTreeMap<_, Vec<(&BlockedRollout, Phrase<'_>)>> = BTreeMap::new();
    for stall in cx.blocked_rollouts() {
        let Some(phrase) = stall.find(&IDS) else { continue };
        let entry = (phrase.get("key"), phrase.get("envelope"));
        groups.entry((&stall.placement, entry)).or_default().push((stall, phrase));
    }
    for ((placement, (key, envelope)), group) in groups {
        let Some((_, phrase)) = group.first() else { continue };
        let members = join_names(group.iter().map(|(stall, _)| member_name(&stall.cluster)));
        let entry = key.unwrap_or("an entry").trim_matches('`').to_owned();
        let envelope = envelope.unwrap_or_default();
        let mut finding = ENVELOPE_CONTENT_REFUSED
            .at(cx.span_of_part(phrase, "key"), "the entry that is refused")
            .message(full_stop(&format!(
                "The hub agent refuses entry {entry} of envelope {envelope}, so {placement} does \
                 not reach {members}: {}",
                clip_to(phrase.words(), 300)
            )))
            .why(
                "The hub agent writes no Work for a cluster while one entry of an envelope is \
                  refused. It treats this as a user error and does not retry.",
            );
        finding = match find_entry(cx, envelope, &entry) {
            Some((key, span)) => finding
                .also(span, "the entry")
                .step(edit_command(key), format!("opens the envelope to correct entry {entry}")),
            None => finding.step(
                hub_agent_log(),
                format!("shows what the hub agent says about envelope {envelope}"),
            ),
        };
        let clusters: Vec<&str> = group.iter().map(|(stall, _)| &*stall.cluster).collect();
        finding = after_repair(finding, cx, Some(placement), &clusters, Repair::Resource);
        for (stall, phrase) in group.iter().skip(1).take(3) {
            finding = finding.also(
                cx.span_of_part(phrase, "key"),
                format!("also for {}", member_name(&stall.cluster)),
            );
        }
        for (stall, _) in &group {
            finding = explain_stall(finding, stall);
        }
        cx.report(finding);
    }
}

/// Finds the entry of an envelope by the envelope's printed name.
fn find_entry<'g>(cx: &Cx<'g>, envelope: &str, entry: &str) -> Option<(&'g ObjectKey, Span)> {
    let kinds = ["ResourceEnvelope", "ClusterResourceEnvelope"];
    let envelopes = kinds.iter().flat_map(|kind| cx.objects(Kind::Envelope, kind));
    let name = envelope.rsplit('/').next().unwrap_or(envelope);
    let mut own = envelopes.filter(|meta| meta.name() == name);
    own.find_map(|meta| Some((&meta.key, meta.root.get("data")?.entry(entry)?.key_span)))
}
