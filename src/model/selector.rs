//! Label selectors, with Kubernetes' own semantics.

use super::read::{Pair, Text, find_pair, read_pairs, read_some, read_text, read_texts};
use crate::source::Span;
use crate::syntax::tree::{Fidelity, Node};

/// A label selector. Empty selects everything; an absent one selects nothing (the caller knows).
#[derive(Clone, Debug)]
pub struct LabelSelector {
    /// All of it.
    pub span: Span,
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
    pub values: Vec<Text>,
}

impl LabelSelector {
    /// Reads a label selector.
    pub fn read(node: &Node) -> Self {
        let labels = node.get("matchLabels");
        let guessed = |entry: &crate::syntax::tree::Entry| entry.node.fidelity != Fidelity::Read;
        Self {
            span: node.span,
            labels: read_pairs(node, "matchLabels"),
            expressions: read_some(node, "matchExpressions", |item| {
                Some(Expression {
                    key: read_text(item, "key")?,
                    operator: read_text(item, "operator")?,
                    values: read_texts(item, "values"),
                })
            }),
            inferred: labels.is_some_and(|labels| labels.entries().iter().any(guessed)),
        }
    }

    /// Says whether the selector matches a set of labels.
    ///
    /// Keys of describe text are re-cased by kubectl, so they are compared without case there.
    pub fn matches(&self, labels: &[Pair]) -> bool {
        let find = |key: &str| {
            let exact = find_pair(labels, key);
            let folded = || labels.iter().find(|pair| pair.key.eq_ignore_ascii_case(key));
            exact.or_else(|| if self.inferred { folded().map(|pair| &pair.value) } else { None })
        };
        let equal =
            |pair: &Pair| find(&pair.key).is_some_and(|value| value.value == pair.value.value);
        self.labels.iter().all(equal)
            && self.expressions.iter().all(|item| item.holds(find(&item.key)))
    }

    /// Says whether it selects everything.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.expressions.is_empty()
    }
}

impl Expression {
    fn holds(&self, label: Option<&Text>) -> bool {
        let listed = |label: &Text| self.values.iter().any(|value| value.value == label.value);
        match &*self.operator.value {
            "In" => label.is_some_and(listed),
            "NotIn" => !label.is_some_and(listed),
            "Exists" => label.is_some(),
            "DoesNotExist" => label.is_none(),
            _ => false,
        }
    }
}
