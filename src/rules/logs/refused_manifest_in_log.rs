//! FL0903 refused-manifest-in-log.

use crate::declare_rule;
use crate::facts::after_repair::on_member;
use crate::finding::Topic;
use crate::finding::{Command, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{HoleRole, LogLines, MessageContext, id, line};
use crate::model::key::ObjectKey;
use crate::model::log::{LogEvent, LogRef};
use crate::rule::Cx;
use crate::rules::commands::{look_at, show_command};
use crate::rules::logs::reconcile_pass::OVER_WORK;
use crate::rules::sentence::full_stop;

declare_rule! {
    /// An object that the member agent could not put on its cluster, by its log.
    ///
    /// ## Why it matters
    /// The member agent tries again and again; the API server of the member refuses each time, and its words say why. Or
    /// the agent holds back by itself: an object that was there before has another owner or other values, or has drifted.
    ///
    /// ## What to do
    /// Follow the error: it names the object and who refused it. What the agent no longer complains of in its last pass over
    /// the Work is over and is not told.
    pub static REFUSED_MANIFEST_IN_LOG = Rule {
        code: "FL0903",
        name: "refused-manifest-in-log",
        severity: Severity::Error,
        reads: &[],
        check: refused_manifest_in_log,
    }
}

fn refused_manifest_in_log(cx: &mut Cx<'_>) {
    let mut told: Vec<(usize, &LogRef, String)> = Vec::new();
    for event in cx.log_events().iter().rev().filter(|event| is_refusal(event)) {
        let Some(work) = event.find(HoleRole::Work) else { continue };
        let Some(cluster) = work.namespace.strip_prefix("fleet-member-") else { continue };
        let key = ObjectKey::on_hub("Work", &work.namespace, &work.name);
        let (words, span, label) = match &event.error {
            Some((error, span)) => (&**error, *span, "refused on the member"),
            None => (&*event.message, event.span, "not applied on the member"),
        };
        let object = event.find(HoleRole::Object).map(shown);
        // Each object is told by its last line; one that could not be read has no name, but an error of its own.
        let which = object.clone().unwrap_or_else(|| words.to_owned());
        let same = |(log, known, what): &(usize, &LogRef, String)| {
            *log == event.log
                && known.name == work.name
                && known.namespace == work.namespace
                && *what == which
        };
        if told.iter().any(same) {
            continue;
        }
        told.push((event.log, work, which));
        // The Work itself, where the bundle holds it, tells more than the log.
        if cx.has_object(&key) || OVER_WORK.follows(cx, event, work) {
            continue;
        }
        let object = object.unwrap_or_else(|| "a manifest".to_owned());
        let mut finding = REFUSED_MANIFEST_IN_LOG
            .at(span, label)
            .for_object(key.clone())
            .also_log(work.span, "the Work", Some(key.clone()))
            .message(format!(
                "The member agent of {cluster} cannot apply {object} of Work {}: {}",
                work.name,
                full_stop(unwrapped(words))
            ))
            .why("The member agent tries again by itself. The error names what has to be repaired.")
            .then(on_member(&format!("Work {}", work.name), cluster))
            .recover(Recoverability::ResumesAfterRepair)
            .command(show_refuser(cx, cluster, words).or_else(|| show_command(&key)))
            .explains(Topic::Work(key))
            .explains(Topic::Member(cluster.into()));
        if let Some(placement) = placement_of(&work.name) {
            finding = finding.explains(Topic::PlacementCluster(placement, cluster.into()));
        }
        cx.report(finding);
    }
}

/// Returns the command that shows who refused, if the words name it.
fn show_refuser<'g>(cx: &Cx<'g>, cluster: &str, words: &'g str) -> Option<Command> {
    let recognised = cx.recognise(words, MessageContext::default());
    let named = recognised.parts.iter().find_map(|part| {
        let template = part.template?;
        let hole = match template.id {
            id::K8S_VAP => "policy",
            id::K8S_WEBHOOK => "webhook",
            _ => return None,
        };
        let found = part.refs.iter().find(|found| found.name == hole)?;
        Some((hole, words.get(found.range.clone())?.trim()))
    });
    let (hole, name) = named?;
    if hole == "policy" {
        let look = look_at(cluster).words("get validatingadmissionpolicies").name(name);
        let effect = format!("shows what policy {name} demands");
        return look.words("-o yaml").effect(effect).build();
    }
    let kinds = "get validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml";
    let effect = format!("shows which objects webhook {name} is asked about");
    look_at(cluster).words(kinds).effect(effect).build()
}

/// Takes off what the member agent puts before the words of an API server, which say it all.
fn unwrapped(words: &str) -> &str {
    const BEFORE: &str = "error returned by the API server: ";
    words.find(BEFORE).and_then(|at| words.get(at + BEFORE.len()..)).unwrap_or(words)
}

/// Says whether a line tells that a manifest was not applied.
pub fn is_refusal(event: &LogEvent) -> bool {
    const REFUSALS: [LogLines; 5] = [
        line::WORKAPPLIER_FAILED_APPLY_MANIFEST,
        line::WORKAPPLIER_FAILED_DECODE_MANIFEST,
        line::WORKAPPLIER_FAILED_TAKE_OVER_PRE_EXISTING_OBJECT,
        line::WORKAPPLIER_CANNOT_TAKE_OVER_OBJECT_AS_CONFIGURATION,
        line::WORKAPPLIER_CANNOT_APPLY_MANIFEST_DRIFTS_FOUND_BETWEEN,
    ];
    REFUSALS.iter().any(|lines| event.is(*lines))
}

fn shown(object: &LogRef) -> String {
    if object.namespace.is_empty() {
        object.name.to_string()
    } else {
        format!("{}/{}", object.namespace, object.name)
    }
}

/// Returns the placement of a Work, by the rule of its name: `[namespace.]placement-work[-…]`.
fn placement_of(work: &str) -> Option<ObjectKey> {
    let (name, _) = work.rsplit_once("-work")?;
    let (namespace, name) = name.split_once('.').unwrap_or(("", name));
    Some(ObjectKey::of(Kind::Placement, namespace, name))
}
