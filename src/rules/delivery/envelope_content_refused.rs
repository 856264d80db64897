//! FL0730 envelope-content-refused.

use crate::declare_rule;
use crate::facts::blocked_rollout::BlockedRollout;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::envelope::Envelope;
use crate::model::key::ObjectKey;
use crate::model::parsed_message::Phrase;
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

fn envelope_content_refused(cx: &mut Cx<'_>) {
    let mut groups: BTreeMap<_, Vec<(&BlockedRollout, Phrase<'_>)>> = BTreeMap::new();
    for stall in cx.blocked_rollouts() {
        let Some(phrase) = stall.find_refused_envelope() else { continue };
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
            .message(message(
                phrase,
                &entry,
                envelope,
                &format!("{placement} does not reach {members}"),
            ))
            .why(
                "The hub agent writes no Work for a cluster while one entry of an envelope is \
                  refused. It treats this as a user error and does not retry.",
            );
        if let Some(hint) = hint(phrase) {
            finding = finding.hint(hint);
        }
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

/// Says what is wrong with an entry, and what that holds up.
fn message(phrase: &Phrase<'_>, entry: &str, envelope: &str, so: &str) -> String {
    let object = phrase.get("object").unwrap_or_default();
    let what = if phrase.is(&[id::BINDING_WORKSYNC_FALSE_ENV_NSINCLUSTER]) {
        format!("holds {object}, a namespaced object, in a ClusterResourceEnvelope")
    } else if phrase.is(&[id::BINDING_WORKSYNC_FALSE_ENV_CLINNS]) {
        format!("holds {object}, an object without a namespace, in a ResourceEnvelope")
    } else if phrase.is(&[id::BINDING_WORKSYNC_FALSE_ENV_OTHERNS]) {
        format!("holds {object}, which is of another namespace than the envelope")
    } else {
        return full_stop(&format!(
            "The hub agent refuses entry {entry} of envelope {envelope}, so {so}: {}",
            clip_to(phrase.words(), 300)
        ));
    };
    format!("Entry {entry} of envelope {envelope} {what}. The hub agent refuses it, so {so}.")
}

/// Says where an object that is in the wrong envelope belongs.
fn hint(phrase: &Phrase<'_>) -> Option<String> {
    let object = phrase.get("object").filter(|object| !object.is_empty())?;
    let moved =
        [id::BINDING_WORKSYNC_FALSE_ENV_NSINCLUSTER, id::BINDING_WORKSYNC_FALSE_ENV_OTHERNS];
    if phrase.is(&moved) {
        let namespace = object.split_once('/').map(|(namespace, _)| namespace)?;
        return Some(format!("Move {object} into a ResourceEnvelope in namespace {namespace}."));
    }
    let alone = phrase.is(&[id::BINDING_WORKSYNC_FALSE_ENV_CLINNS]);
    let name = object.trim_start_matches('/');
    alone.then(|| format!("Move {name} into a ClusterResourceEnvelope."))
}

/// Finds the entry of an envelope by the envelope's printed name.
fn find_entry<'g>(cx: &Cx<'g>, envelope: &str, entry: &str) -> Option<(&'g ObjectKey, Span)> {
    let kinds = ["ResourceEnvelope", "ClusterResourceEnvelope"];
    let envelopes = kinds.iter().flat_map(|kind| cx.objects(Kind::Envelope, kind));
    let name = envelope.rsplit('/').next().unwrap_or(envelope);
    let mut own = envelopes.filter(|meta| meta.name() == name);
    own.find_map(|meta| {
        let mut entries = Envelope::entries_of(meta).into_iter();
        Some((&meta.key, entries.find(|it| &*it.key == entry)?.key_span))
    })
}
