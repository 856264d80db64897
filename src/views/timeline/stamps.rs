//! Every stamp of an object, found by walking its tree, whatever its kind.

use smol_str::SmolStr;

use super::order::{self, ConditionLevel};
use super::{Moment, MomentSource, end_of_second};
use crate::model::condition::{Condition, Status};
use crate::model::meta::Meta;
use crate::model::read::read_time;
use crate::syntax::tree::Node;

/// Collects the moments of one sighting of an object.
pub(super) fn collect(meta: &Meta, out: &mut Vec<Moment>) {
    let mut walk = Walk { meta, out };
    let kind = &meta.key.kind;
    if let Some(created) = meta.created {
        walk.add(
            created,
            MomentSource::Creation,
            "is created".to_owned(),
            &Context::default(),
            order::creation(kind),
        );
    }
    if let Some(deleting) = meta.deleting {
        // Owners go before what they own, as in creation.
        let what = "deletion is asked for".to_owned();
        walk.add(
            deleting,
            MomentSource::Deletion,
            what,
            &Context::default(),
            order::creation(kind),
        );
    }
    if let Some(status) = meta.root.get("status") {
        walk.descend(status, &Context::default());
    }
}

/// The keys without one of which a map tells of no moment: the type of a condition, and stamps.
const TELLING: [&str; 6] =
    ["type", "startTime", "endTime", "startedAt", "finishedAt", "lastReceivedHeartbeat"];

/// Where in an object the walk is.
#[derive(Clone, Debug)]
struct Context {
    words: String,
    level: ConditionLevel,
    cluster: Option<SmolStr>,
}

impl Default for Context {
    fn default() -> Self {
        Self { words: String::new(), level: ConditionLevel::Object, cluster: None }
    }
}

impl Context {
    /// Steps into an item of a list.
    fn item(&self, list: &str, item: &Node) -> Self {
        let text = |key: &str| item.get(key).and_then(Node::as_str).filter(|text| !text.is_empty());
        let (level, words) = match list {
            "stagesStatus" => {
                (ConditionLevel::Stage, text("stageName").map(|name| format!("stage {name}")))
            }
            "beforeStageTaskStatus" | "afterStageTaskStatus" => {
                let side = if list.starts_with("before") { "before" } else { "after" };
                (ConditionLevel::Task, text("type").map(|kind| format!("{side}-stage task {kind}")))
            }
            "conditions" => return self.clone(),
            _ => match (text("clusterName"), item.get("identifier")) {
                (Some(name), _) => (ConditionLevel::Cluster, Some(format!("cluster {name}"))),
                (None, Some(part)) => (ConditionLevel::Part, Some(shown(part))),
                (None, None) => (ConditionLevel::Part, text("name").map(str::to_owned)),
            },
        };
        let words = match (words, self.words.is_empty()) {
            (None, _) => self.words.clone(),
            (Some(words), true) => words,
            (Some(words), false) => format!("{}, {words}", self.words),
        };
        let cluster = text("clusterName").map(SmolStr::from).or_else(|| self.cluster.clone());
        Self { words, level, cluster }
    }
}

/// Names a manifest by its identifier.
fn shown(identifier: &Node) -> String {
    let text = |key: &str| identifier.get(key).and_then(Node::as_str).unwrap_or_default();
    let namespace = text("namespace");
    let slash = if namespace.is_empty() { "" } else { "/" };
    format!("{} {namespace}{slash}{}", text("kind"), text("name"))
}

struct Walk<'w> {
    meta: &'w Meta,
    out: &'w mut Vec<Moment>,
}

impl Walk<'_> {
    fn descend(&mut self, node: &Node, context: &Context) {
        self.note(node, context);
        for entry in node.entries() {
            match &*entry.key {
                "deletionStageStatus" => {
                    let words = "deletion stage".to_owned();
                    self.descend(
                        &entry.node,
                        &Context { words, level: ConditionLevel::Stage, cluster: None },
                    );
                }
                _ => self.descend_plain(&entry.node, &entry.key, context),
            }
        }
    }

    fn descend_plain(&mut self, node: &Node, key: &str, context: &Context) {
        if node.items().is_empty() {
            self.descend(node, context);
        }
        for item in node.items() {
            self.descend(item, &context.item(key, item));
        }
    }

    /// Notes the stamps that stand directly in a map.
    fn note(&mut self, node: &Node, context: &Context) {
        // Most maps have neither, and are not searched for each key.
        let tells = |key: &str| TELLING.contains(&key);
        if !node.entries().iter().any(|entry| tells(&entry.key)) {
            return;
        }
        if let Some(condition) = Condition::read(node) {
            if let Some(since) = condition.since {
                let step = order::condition(&self.meta.key.kind, context.level, &condition.kind);
                self.add(since, MomentSource::Condition, sentence(&condition), context, step);
            }
            return;
        }
        let stage = context.level == ConditionLevel::Stage;
        let stamps = [
            ("startTime", "starts", order::STAGE_START, stage),
            ("endTime", "ends", order::STAGE_END, stage),
            ("startedAt", "container starts", order::CONTAINER, !stage),
            ("finishedAt", "container ends", order::CONTAINER, !stage),
            ("lastReceivedHeartbeat", "last heartbeat", order::CONTAINER, !stage),
        ];
        for (key, verb, step, fits) in stamps {
            let Some(time) = read_time(node, key).filter(|_| fits) else { continue };
            let reason = node.get("reason").and_then(Node::as_str).filter(|_| key == "finishedAt");
            let reason = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
            self.add(time, MomentSource::Stamp, format!("{verb}{reason}"), context, step);
        }
    }

    fn add(
        &mut self,
        time: crate::source::Spanned<jiff::Timestamp>,
        origin: MomentSource,
        what: String,
        context: &Context,
        step: u8,
    ) {
        let colon = if context.words.is_empty() { "" } else { ": " };
        self.out.push(Moment {
            time: time.value,
            at: match origin {
                MomentSource::Creation | MomentSource::Deletion => time.value,
                _ => end_of_second(time.value),
            },
            origin,
            object: Some(self.meta.key.clone()),
            cluster: context.cluster.clone(),
            what: format!("{}{colon}{what}", context.words),
            span: time.span,
            step,
        });
    }
}

/// Says what a condition says; the message only where something is not as it should be.
fn sentence(condition: &Condition) -> String {
    let status = match condition.status.value {
        Status::True => "True",
        Status::False => "False",
        Status::Unknown => "Unknown",
    };
    let reason = Some(condition.reason()).filter(|reason| !reason.is_empty());
    let reason = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
    let message = Some(condition.message()).filter(|text| !condition.is_true() && !text.is_empty());
    let message = message.map(|text| format!(": {text}")).unwrap_or_default();
    format!("{} {status}{reason}{message}", &*condition.kind)
}
