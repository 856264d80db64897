//! FL0904 stopped-binding-in-log.

use std::collections::BTreeMap;

use crate::declare_rule;
use crate::finding::{Finding, Recoverability, Severity, Topic};
use crate::grammar::message::{Hint, Role, recognise};
use crate::model::key::ObjectKey;
use crate::model::log::LogRef;
use crate::rule::{Cx, Scope};
use crate::rules::chain::join_names;
use crate::rules::wording::show_command;
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
    pub static STOPPED_BINDING_IN_LOG = Rule {
        code: "FL0904",
        name: "stopped-binding-in-log",
        severity: Severity::Error,
        scope: Scope::Bundle,
        reads: &[],
        check: stopped_binding_in_log,
    }
}

/// Bindings that were given up with the same words, the place of the words first.
type Stopped<'g> = Vec<(ObjectKey, &'g LogRef, Span)>;

fn stopped_binding_in_log(cx: &mut Cx<'_>) {
    let mut told: Vec<ObjectKey> = Vec::new();
    let mut groups: BTreeMap<&str, Stopped<'_>> = BTreeMap::new();
    for event in cx.log_events().iter().rev().filter(|event| event.is("log-wg-stopped")) {
        let (Some(binding), Some((error, span))) = (event.find(Role::Binding), &event.error) else {
            continue;
        };
        let kind =
            if binding.namespace.is_empty() { "ClusterResourceBinding" } else { "ResourceBinding" };
        let key = ObjectKey::on_hub(kind, &binding.namespace, &binding.name);
        if told.contains(&key) || cx.has_object(&key) || is_dropped(cx, binding) {
            continue;
        }
        told.push(key.clone());
        groups.entry(error).or_default().push((key, binding, *span));
    }
    for (error, bindings) in groups {
        if let Some(finding) = describe(error, &bindings) {
            cx.report(finding);
        }
    }
}

fn describe(error: &str, bindings: &Stopped<'_>) -> Option<Finding> {
    let (first, _, span) = bindings.first()?;
    let recognised = recognise(error, &Hint::default());
    let snapshot = recognised
        .refs(Role::OverrideSnapshot)
        .next()
        .and_then(|found| error.get(found.range.clone()));
    let blame =
        snapshot.map(|name| format!(" because of override snapshot {name}")).unwrap_or_default();
    let what = if bindings.len() == 1 { "binding" } else { "bindings" };
    let names = join_names(bindings.iter().map(|(key, ..)| &*key.name));
    let mut finding = STOPPED_BINDING_IN_LOG
        .at(*span, "the user's fault, by the controller")
        .for_object(first.clone())
        .message(format!("hub-agent has stopped working on {what} {names}{blame}: {error}"))
        .help("what the controller takes for the user's fault is not tried again until the binding changes")
        .recover(Recoverability::WaitsForPerson)
        .command(show_command(first));
    for (key, binding, _) in bindings {
        finding = finding
            .also_log(binding.span, "the binding", Some(key.clone()))
            .explains(Topic::Object(key.clone()));
    }
    Some(finding)
}

/// Says whether the scheduler has dropped the binding: what is not to be delivered any more cannot fail.
fn is_dropped(cx: &Cx<'_>, binding: &LogRef) -> bool {
    let mut drops = cx.log_events().iter().filter(|event| event.is("log-framework-marked-binding"));
    drops.any(|event| {
        let dropped = event.find(Role::Binding);
        dropped.is_some_and(|dropped| {
            (&dropped.namespace, &dropped.name) == (&binding.namespace, &binding.name)
        })
    })
}
