//! Events: what controllers, schedulers and kubelets said about an object.
//!
//! They come as objects of their own, or as the table at the end of a describe text, which leaves out
//! whose they are; then the object above the table is meant.

use jiff::{SignedDuration, Timestamp};

use super::key::ObjectKey;
use super::meta::Meta;
use super::read::{Text, read_int, read_list, read_text, read_time};
use crate::kube::time::read_age;
use crate::model::read::SpanOr;
use crate::source::{Span, Spanned};
use crate::syntax::tree::Node;

/// One event.
#[derive(Clone, Debug)]
pub struct Event {
    /// All of it.
    pub span: Span,
    /// The object that it speaks of.
    pub about: ObjectKey,
    /// `type`: `Normal` or `Warning`.
    pub kind: Option<Text>,
    /// `reason`.
    pub reason: Option<Text>,
    /// `message` (`note` in events.k8s.io).
    pub message: Option<Text>,
    /// `count` (`series.count`).
    pub count: Option<Spanned<i64>>,
    /// When it was last seen.
    pub last: Option<Spanned<Timestamp>>,
    /// How long ago that was when a table was printed.
    pub ago: Option<SignedDuration>,
}

impl Event {
    /// Reads an Event object.
    pub fn read(meta: &Meta) -> Option<Self> {
        let root = &meta.root;
        let involved = root.get("involvedObject").or_else(|| root.get("regarding"))?;
        let part = |key| read_text(involved, key).map(|text| text.value).unwrap_or_default();
        let about = ObjectKey {
            cluster: meta.key.cluster.clone(),
            kind: part("kind"),
            namespace: part("namespace"),
            name: part("name"),
        };
        Some(Self::of(root, meta.span, about))
    }

    /// Reads the events that a describe text lists under its object.
    pub fn read_listed(meta: &Meta) -> Vec<Self> {
        read_list(&meta.root, "events", |row| Self::of(row, row.span, meta.key.clone()))
    }

    fn of(node: &Node, span: Span, about: ObjectKey) -> Self {
        let series = node.get("series");
        let times = ["lastTimestamp", "eventTime", "firstTimestamp"];
        let last = series.and_then(|series| read_time(series, "lastObservedTime"));
        Self {
            span,
            about,
            kind: read_text(node, "type"),
            reason: read_text(node, "reason"),
            message: read_text(node, "message").or_else(|| read_text(node, "note")),
            count: series
                .and_then(|series| read_int(series, "count"))
                .or_else(|| read_int(node, "count")),
            ago: read_ago(node),
            last: last.or_else(|| times.iter().find_map(|key| read_time(node, key))),
        }
    }

    /// Says whether this was surely seen before another event about the same object.
    pub fn is_before(&self, other: &Self) -> bool {
        match (self.last, other.last, self.ago, other.ago) {
            (Some(own), Some(other), ..) => own.value < other.value,
            (_, _, Some(own), Some(other)) => own > other,
            _ => false,
        }
    }

    /// Says whether somebody warns.
    pub fn is_warning(&self) -> bool {
        self.kind.as_deref() == Some("Warning")
    }

    /// Returns the reason, `""` when there is none.
    pub fn reason(&self) -> &str {
        self.reason.as_deref().unwrap_or_default()
    }

    /// Returns the message, `""` when there is none.
    pub fn message(&self) -> &str {
        self.message.as_deref().unwrap_or_default()
    }

    /// Returns where to point: the message, else all of it.
    pub fn best_span(&self) -> Span {
        self.message.span_or(self.span)
    }
}

/// Reads the age in a table: `30m`, or `30m (x4 over 31m)`.
fn read_ago(node: &Node) -> Option<SignedDuration> {
    let text = read_text(node, "age").or_else(|| read_text(node, "x-last-seen"))?;
    read_age(text.split_whitespace().next()?)
}
