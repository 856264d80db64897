//! Label selectors with their places; what they match is told by [`crate::kube::selector`].

use super::read::{
    List, Pair, Site, Text, find_pair, read_pairs, read_sited_texts, read_some, read_text,
};
use crate::kube::names::{key_trouble, value_trouble};
use crate::kube::selector::{Labels, Operator, Requirement, Selector};
use crate::source::Span;
use crate::syntax::node_path::FieldPlace;
use crate::syntax::tree::{Fidelity, Node, Value};

/// A label selector. Empty selects everything; an absent one selects nothing (the caller knows).
#[derive(Clone, Debug)]
pub struct LabelSelector {
    /// All of it.
    pub span: Span,
    /// Where it stands.
    pub site: Site,
    /// Whether some part has a type or lacks a field so that it cannot be read: then it says nothing.
    pub malformed: bool,
    /// `matchLabels`.
    pub labels: Vec<Pair>,
    /// `matchExpressions`.
    pub expressions: Vec<Expression>,
    /// Whether keys were re-cased by describe text, so that a mismatch proves nothing.
    pub inferred: bool,
}

/// One requirement of `matchExpressions`.
#[derive(Clone, Debug)]
pub struct Expression {
    /// `key`.
    pub key: Text,
    /// `operator`.
    pub operator: Text,
    /// `values`.
    pub values: List<Text>,
}

impl LabelSelector {
    /// Reads a label selector.
    pub fn read(node: &Node) -> Self {
        let labels = node.get("matchLabels");
        let guessed = |entry: &crate::syntax::tree::Entry| entry.node.fidelity != Fidelity::Read;
        let pairs = read_pairs(node, "matchLabels");
        let expressions = read_some(node, "matchExpressions", Expression::read);
        let lost = |key, read| node.get(key).is_some_and(|part| count(part) != read);
        Self {
            span: node.span,
            site: Site::of(node),
            malformed: !matches!(node.value, Value::Map(_))
                || lost("matchLabels", pairs.len())
                || lost("matchExpressions", expressions.len()),
            labels: pairs,
            expressions,
            inferred: labels.is_some_and(|labels| labels.entries().iter().any(guessed)),
        }
    }

    /// Returns it without its places; `None` if it cannot be read in full.
    pub fn plain(&self) -> Option<Selector<'_>> {
        (!self.malformed).then(|| self.as_read())
    }

    /// Returns what could be read of it: the pairs first, then the expressions.
    ///
    /// Keys of describe text are re-cased by kubectl, so they are compared without case there.
    fn as_read(&self) -> Selector<'_> {
        let pairs = self.labels.iter().map(|pair| Requirement {
            key: &pair.key,
            operator: Operator::In,
            values: vec![&*pair.value],
        });
        let expressions = self.expressions.iter().map(|item| Requirement {
            key: &item.key,
            operator: Operator::read(&item.operator),
            values: item.values.iter().map(|value| &**value).collect(),
        });
        Selector { requirements: pairs.chain(expressions).collect(), recased: self.inferred }
    }

    /// Returns the keys and values that no label can have: where they stand, and why.
    pub fn syntax_troubles(&self) -> Vec<(FieldPlace, String)> {
        let no_key = |key: &str| Some(format!("`{key}` is no label key: {}", key_trouble(key)?));
        let no_value = |value: &Text| {
            let why = value_trouble(value)?;
            Some((value.place(), format!("`{}` is no label value: {why}", &**value)))
        };
        let mut troubles = Vec::new();
        for pair in &self.labels {
            troubles.extend(no_key(&pair.key).map(|why| (pair.value.site().key_place(), why)));
            troubles.extend(no_value(&pair.value));
        }
        for expression in &self.expressions {
            let key = &expression.key;
            troubles.extend(no_key(key).map(|why| (key.place(), why)));
            troubles.extend(expression.values.iter().filter_map(no_value));
        }
        troubles
    }

    /// Says whether the selector matches a set of labels.
    pub fn matches(&self, labels: &[Pair]) -> bool {
        self.as_read().matches(&plain_labels(labels))
    }

    /// Returns the requirements that a set of labels does not meet: key, place, and the label that is there.
    pub fn unmet<'l>(&self, labels: &'l [Pair]) -> Vec<(&str, Span, Option<&'l Text>)> {
        let (selector, places) = (self.as_read(), self.places());
        let unmet = selector.unmet(&plain_labels(labels)).into_iter().filter_map(|unmet| {
            let requirement = selector.requirements.get(unmet.requirement)?;
            let has = unmet.label.and_then(|key| find_pair(labels, key));
            Some((requirement.key, *places.get(unmet.requirement)?, has))
        });
        unmet.collect()
    }

    /// Returns its requirements, spelled alike by all selectors that have the same.
    pub fn identity(&self) -> String {
        let mut labels: Vec<_> = self.labels.iter().map(|it| (&it.key, &*it.value)).collect();
        labels.sort_unstable();
        let expressions = self.expressions.iter().map(|item| {
            let values: Vec<&str> = item.values.iter().map(|value| &**value).collect();
            (&*item.key, &*item.operator, values)
        });
        format!("{labels:?} {:?}", expressions.collect::<Vec<_>>())
    }

    /// Returns the requirements as texts: `environment=prod`, `tier in (web, api)`.
    pub fn show(&self) -> Vec<String> {
        let pairs = self.labels.iter().map(|pair| format!("{}={}", pair.key, &*pair.value));
        pairs.chain(self.expressions.iter().map(Expression::show)).collect()
    }

    /// Returns where each requirement stands.
    pub fn places(&self) -> Vec<Span> {
        let pairs = self.labels.iter().map(|pair| pair.value.span);
        pairs.chain(self.expressions.iter().map(Expression::place)).collect()
    }
}

/// Returns labels without their places; of a key that stands twice the first counts.
pub fn plain_labels(pairs: &[Pair]) -> Labels<'_> {
    let mut labels = Labels::new();
    for pair in pairs {
        labels.entry(&pair.key).or_insert(&pair.value);
    }
    labels
}

/// Counts what a part of a selector holds; what is neither a map nor a list counts as one thing.
fn count(part: &Node) -> usize {
    match &part.value {
        Value::Null => 0,
        Value::Map(entries) => entries.iter().filter(|e| e.node.value != Value::Null).count(),
        Value::List(items) => items.len(),
        _ => 1,
    }
}

impl Expression {
    /// Says whether it lists values that could not be read, so that their number is not known.
    pub fn hides_values(&self) -> bool {
        let listed = self.values.site.as_ref().is_some_and(Site::holds_something);
        self.values.is_empty() && listed
    }

    fn read(node: &Node) -> Option<Self> {
        Some(Self {
            key: read_text(node, "key")?,
            operator: read_text(node, "operator")?,
            values: read_sited_texts(node, "values"),
        })
    }

    fn place(&self) -> Span {
        self.values.first().map_or(self.key.span, |value| value.span)
    }

    fn show(&self) -> String {
        let values: Vec<&str> = self.values.iter().map(|value| &**value).collect();
        let values = values.join(", ");
        let key = &*self.key;
        match &*self.operator {
            "In" => format!("{key} in ({values})"),
            "NotIn" => format!("{key} not in ({values})"),
            "Exists" => format!("a label {key}"),
            "DoesNotExist" => format!("no label {key}"),
            other => format!("{key} {other} ({values})"),
        }
    }
}
