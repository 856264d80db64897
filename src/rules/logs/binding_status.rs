//! What hub-agent has last written into the status of a binding, by its log.

use serde::Deserialize;

use crate::finding::Command;
use crate::grammar::message::{HoleRole, LogLines, line};
use crate::model::key::ObjectKey;
use crate::model::log::{LogEvent, LogRef};
use crate::rule::Cx;
use crate::rules::commands::describe_on_member;
use crate::rules::logs::binding_takeovers::is_same;
use crate::rules::logs::completeness::is_rest_kept;
use crate::source::Span;

/// The line that repeats the status of a binding.
const STATUS: LogLines = line::WORKGENERATOR_SUCCESSFULLY_UPDATED_BINDING_STATUS;

/// The status of a binding that a line of the log holds.
pub struct LoggedBindingStatus<'g> {
    /// The log line that holds the status.
    pub event: &'g LogEvent,
    /// The binding in it.
    pub binding: &'g LogRef,
    /// Where the status stands.
    pub span: Span,
    /// The objects that are not as wanted on the cluster.
    pub failed: Vec<FailedObject>,
}

/// An object that is not as wanted, and why.
#[derive(Debug, Deserialize)]
pub struct FailedObject {
    kind: String,
    #[serde(default)]
    namespace: String,
    name: String,
    condition: FailedCondition,
}

#[derive(Debug, Deserialize)]
struct FailedCondition {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct Status {
    #[serde(default, rename = "failedPlacements")]
    failed: Vec<FailedObject>,
}

impl FailedObject {
    /// Returns the command that shows it on a member.
    pub fn describe(&self, cluster: &str) -> Option<Command> {
        let mut key = ObjectKey::on_hub(&self.kind, &self.namespace, &self.name);
        key.cluster = cluster.into();
        describe_on_member(&key)
    }

    /// Says whether the object could not be applied at all.
    pub fn is_unapplied(&self) -> bool {
        self.condition.kind == "Applied"
    }

    /// Names the object and says what is wrong with it.
    pub fn shown(&self) -> String {
        let slash = if self.namespace.is_empty() { "" } else { "/" };
        let Self { kind, namespace, name, condition } = self;
        format!("{kind} {namespace}{slash}{name}: {}", condition.message)
    }
}

/// Returns the last status of each binding that the logs show, in the order of the lines.
pub fn last_statuses<'g>(cx: &Cx<'g>) -> Vec<LoggedBindingStatus<'g>> {
    let mut found: Vec<LoggedBindingStatus<'g>> = Vec::new();
    for event in cx.log_events().iter().rev().filter(|event| event.is(STATUS)) {
        let (Some(binding), Some(status)) =
            (event.find(HoleRole::Binding), event.find(HoleRole::Text))
        else {
            continue;
        };
        let same = |known: &LoggedBindingStatus<'_>| {
            known.event.log == event.log && is_same(known.binding, binding)
        };
        if found.iter().any(same) {
            continue;
        }
        // What was left out between the first lines and the last ones may have taken it back.
        if !is_rest_kept(cx, event, &[STATUS]) {
            continue;
        }
        let failed = serde_json::from_str::<Status>(&status.name).map(|status| status.failed);
        let failed = failed.unwrap_or_default();
        found.push(LoggedBindingStatus { event, binding, span: status.span, failed });
    }
    found.reverse();
    found
}
