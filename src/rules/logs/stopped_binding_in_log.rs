//! FL0904 stopped-binding-in-log.

use std::collections::{BTreeMap, BTreeSet};

use crate::declare_rule;
use crate::finding::Topic;
use crate::finding::{Command, Recoverability, Severity};
use crate::grammar::message::{HoleRole, MessageContext, Recognised, line, recognise};
use crate::model::key::ObjectKey;
use crate::model::log::{LogEvent, LogRef};
use crate::rule::Cx;
use crate::rules::commands::{edit_for, show_command};
use crate::rules::logs::binding_takeovers::is_same;
use crate::rules::logs::reconcile_pass::OVER_BINDING;
use crate::rules::sentence::{as_sentence, join_names};
use crate::source::Span;

declare_rule! {
    /// A binding that hub-agent has stopped working on, by its log.
    ///
    /// ## Why it matters
    /// An override that cannot be applied, or an envelope that cannot be read, is the user's fault to the controller: it is not
    /// tried again until the binding changes. Nothing moves after that.
    ///
    /// ## What to do
    /// Correct what the error names, then let the placement roll out again (a new run for an External one).
    ///
    /// ## Also covered
    /// The same error on several clusters is told once. Not told: a binding that was taken up again later in the log, and
    /// one that the scheduler has given up, whose content no longer matters.
    pub static STOPPED_BINDING_IN_LOG = Rule {
        code: "FL0904",
        name: "stopped-binding-in-log",
        severity: Severity::Error,
        reads: &[],
        check: stopped_binding_in_log,
    }
}

/// How many further bindings are pointed at; the message counts the rest.
const SHOWN: usize = 3;

/// A binding whose last words in the log are an error.
struct Stopped<'g> {
    binding: &'g LogRef,
    key: ObjectKey,
    /// Where the error stands.
    span: Span,
}

fn stopped_binding_in_log(cx: &mut Cx<'_>) {
    for (error, stopped) in by_error(cx) {
        let Some((first, others)) = stopped.split_first() else { continue };
        let recognised = recognise(error, &MessageContext::default());
        let snapshot = recognised
            .refs(HoleRole::OverrideSnapshot)
            .next()
            .and_then(|found| error.get(found.range.clone()));
        let blame = snapshot
            .map(|name| format!(" because of override snapshot {name}"))
            .unwrap_or_default();
        let told = innermost(&recognised, error);
        let names = join_names(stopped.iter().map(|one| &*one.binding.name));
        let noun = if others.is_empty() { "binding" } else { "bindings" };
        let mut finding = STOPPED_BINDING_IN_LOG
            .at(first.span, "a user error, by the hub agent")
            .for_object(first.key.clone())
            .also_log(first.binding.span, "the binding", Some(first.key.clone()))
            .message(format!(
                "The hub agent has stopped working on {noun} {names}{blame}. {}",
                as_sentence(told)
            ))
            .why(
                "The hub agent treats this as a user error and does not retry until the \
                 binding changes.",
            )
            .then(format!(
                "The hub agent continues with the {noun} after the fix: by itself with a rolling \
                 update, with a new run where the strategy is External."
            ))
            .recover(Recoverability::NeedsPatch)
            .command(repair(&recognised, error).or_else(|| show_command(&first.key)));
        for other in others.iter().take(SHOWN) {
            finding = finding.also_log(other.binding.span, "also stopped", Some(other.key.clone()));
        }
        for one in &stopped {
            finding = finding.explains(Topic::Object(one.key.clone()));
        }
        cx.report(finding);
    }
}

/// Returns what an error says in the end, without what it is wrapped in.
fn innermost<'e>(recognised: &Recognised, error: &'e str) -> &'e str {
    let mut causes = recognised.causes().map(|part| part.range.clone());
    let only = causes.next().filter(|_| causes.next().is_none());
    only.and_then(|range| error.get(range)).map_or(error, str::trim)
}

/// Opens the override whose snapshot the error blames: a snapshot is named after it, with an index behind.
fn repair(recognised: &Recognised, error: &str) -> Option<Command> {
    let found = recognised.refs(HoleRole::OverrideSnapshot).next()?;
    let snapshot = error.get(found.range.clone())?;
    let (path, kind) = match error.contains("ClusterResourceOverrideSnapshot") {
        true => (snapshot, "ClusterResourceOverride"),
        false => (snapshot, "ResourceOverride"),
    };
    let (namespace, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (name, index) = name.rsplit_once('-')?;
    let numbered = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
    let known = kind == "ClusterResourceOverride" || !namespace.is_empty();
    let key = ObjectKey::on_hub(kind, namespace, name);
    edit_for(&key, format!("opens override {name} to correct it")).filter(|_| numbered && known)
}

/// Returns the bindings that are not worked on at the end of the logs, by the error that stopped them.
fn by_error<'g>(cx: &Cx<'g>) -> BTreeMap<&'g str, Vec<Stopped<'g>>> {
    let mut told: BTreeSet<ObjectKey> = BTreeSet::new();
    let mut found: BTreeMap<&str, Vec<Stopped<'_>>> = BTreeMap::new();
    for event in cx.log_events().iter().rev().filter(|event| event.is(line::WG_STOPPED)) {
        let (Some(binding), Some((error, span))) = (event.find(HoleRole::Binding), &event.error)
        else {
            continue;
        };
        let Some(key) = binding.object() else { continue };
        let is_over =
            || OVER_BINDING.follows(cx, event, binding) || is_given_up(cx, event, binding, error);
        if told.insert(key.clone()) && !cx.has_object(&key) && !is_over() {
            found.entry(error).or_default().push(Stopped { binding, key, span: *span });
        }
    }
    found.values_mut().for_each(|stopped| stopped.reverse());
    found
}

/// Says whether the log shows that the scheduler took the cluster away from the placement.
///
/// A binding that no run has ever bound has no snapshot; its content is looked for, in vain, when it is given up. So a
/// missing snapshot is a fault only where the log names it.
fn is_given_up(cx: &Cx<'_>, stopped: &LogEvent, binding: &LogRef, error: &str) -> bool {
    let own = || {
        let lines = cx.log_events().iter().filter(|event| event.log == stopped.log);
        lines.filter(|event| event.find(HoleRole::Binding).is_some_and(|it| is_same(it, binding)))
    };
    let names_snapshot = |event: &LogEvent| {
        event.is(line::WG_SNAPSHOT_GONE)
            && event.find(HoleRole::Snapshot).is_some_and(|snapshot| !snapshot.name.is_empty())
    };
    own().any(|event| event.is(line::FRAMEWORK_MARKED_BINDING_AS_UNSCHEDULED))
        || error.ends_with("the master resource snapshot is not found")
            && !own().any(names_snapshot)
}
