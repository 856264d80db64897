//! FL0730 envelope-content-refused.

use crate::declare_rule;
use crate::facts::blocked_rollout::BlockedRollout;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::key::ObjectKey;
use crate::model::said::Phrase;
use crate::rule::Cx;
use crate::rules::chain::{clip_to, explain_stall, join_names, member_name};
use crate::rules::commands::edit_command;
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
        reads: &[Kind::Binding, Kind::Placement, Kind::Envelope],
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
        let Some((first, phrase)) = group.first() else { continue };
        let members = join_names(group.iter().map(|(stall, _)| member_name(&stall.cluster)));
        let entry = key.unwrap_or("an entry").trim_matches('`').to_owned();
        let envelope = envelope.unwrap_or_default();
        let external = cx.find_placement_by(placement).is_some_and(|known| known.is_external());
        let (then, recovery) = if external {
            ("; it reaches the clusters with a new run only", Recoverability::WaitsForPerson)
        } else {
            (" on the hub, and the rollout goes on with it", Recoverability::ResumesAfterRepair)
        };
        let mut finding = ENVELOPE_CONTENT_REFUSED
            .at(cx.span_of_part(phrase, "key"), "this entry is refused")
            .message(format!(
                "entry {entry} of envelope {envelope} keeps {placement} from {members}: {}",
                clip_to(phrase.words(), 300)
            ))
            .why(format!("the hub writes no Work for these clusters and does not try again by itself: correct the envelope{then}"))
            .recover(recovery);
        if let Some((key, span)) = find_entry(cx, envelope, &entry) {
            finding = finding.also(span, "it stands here").command(edit_command(key));
        }
        for witness in first.witnesses.iter().skip(1).take(1) {
            finding = finding.also(witness.span, "repeated here");
        }
        for (stall, phrase) in group.iter().skip(1).take(3) {
            finding = finding.also(
                cx.span_of_part(phrase, "key"),
                format!("{} too", member_name(&stall.cluster)),
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
