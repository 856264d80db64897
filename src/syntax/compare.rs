//! Two trees of one object compared: the full one of YAML or JSON, and what describe shows of it.
//!
//! Owns the list of what `kubectl describe` cannot show ([`PrintLoss`]), so that every difference is
//! either one of those, with its name, or a fault of a parser. It knows which is which by the schema:
//! a field that the CRD types must come through whole.

mod scalar;

use crate::grammar::kind::{find_kind, find_kind_in};
use crate::grammar::schema::{Schema, Type};
use crate::source::Span;

use super::tree::{Entry, Node, Value};
use super::{Document, Syntax};
use scalar::compare_scalars;

/// Something that `kubectl describe` does not show, or not in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PrintLoss {
    /// Never printed: managed fields, the last applied configuration.
    Hidden,
    /// An empty map or list prints like the other, in the header like none at all.
    EmptyContainer,
    /// A list item without fields prints nothing.
    EmptyItem,
    /// No schema says whether payload is a list or a map, or it is a list of lists.
    PayloadShape,
    /// No schema says the type of a scalar in payload.
    PayloadType,
    /// A number or text, where the schema allows both.
    IntOrString,
    /// `null` and the text `<nil>` print alike.
    NullText,
    /// The first letter and acronyms of a user's key are printed in capitals.
    KeyCase,
    /// Tabs, line breaks other than `\n` and escapes are replaced.
    ControlCharacters,
    /// Blanks at the ends of a text run into the padding.
    OuterBlanks,
    /// Annotations are cut at 138 bytes a line and lose a last line break.
    AnnotationCut,
    /// The describers of built-in kinds leave out most fields.
    LeftOut,
    /// The describers of built-in kinds print zero where YAML has nothing.
    PrintedZero,
}

/// One difference between two trees.
#[derive(Clone, Debug)]
pub struct TreeDifference {
    /// The path of the field, as in `status.conditions[0].message`.
    pub path: String,
    /// Why describe cannot show it; `None` is a fault.
    pub loss: Option<PrintLoss>,
    /// The value in the full tree.
    pub full: Option<Span>,
    /// The value in the tree of describe.
    pub shown: Option<Span>,
    /// The difference in words.
    pub message: String,
}

/// Compares two documents about one object by the schema of its kind.
pub fn compare_documents(full: &Document, shown: &Document) -> Vec<TreeDifference> {
    let (Some(full_root), Some(shown_root)) = (&full.root, &shown.root) else { return Vec::new() };
    let name = full.head.kind.as_deref().unwrap_or_default();
    let version = full.head.api_version.as_deref().unwrap_or_default();
    let spec = find_kind_in(version, name).or_else(|| find_kind(name));
    compare_trees(full_root, shown_root, spec.map(|spec| spec.schema()), shown.syntax)
}

/// Compares the full tree of an object with the one that a describer shows, under a schema.
///
/// `syntax` says which describer: the built-in ones may leave anything out.
pub fn compare_trees(
    full: &Node,
    shown: &Node,
    schema: Option<&Schema>,
    syntax: Syntax,
) -> Vec<TreeDifference> {
    let mut comparison = Comparison { path: Vec::new(), differences: Vec::new(), syntax };
    comparison.compare(full, shown, schema);
    comparison.differences
}

struct Comparison {
    path: Vec<String>,
    differences: Vec<TreeDifference>,
    syntax: Syntax,
}

impl Comparison {
    fn compare(&mut self, full: &Node, shown: &Node, schema: Option<&Schema>) {
        let schema = schema.map(|schema| own_schema(full, schema));
        match (&full.value, &shown.value) {
            (Value::Map(left), Value::Map(right)) => self.compare_maps(left, right, shown, schema),
            (Value::List(left), Value::List(right)) => self.compare_lists(left, right, schema),
            (Value::Map(_) | Value::List(_), _) | (_, Value::Map(_) | Value::List(_)) => {
                self.compare_shapes(full, shown, schema);
            }
            _ => {
                if let Some(loss) = compare_scalars(full, shown, schema, self.is_annotation()) {
                    let message = format!("{} is shown as {}", describe(full), describe(shown));
                    self.report(loss, Some(full), Some(shown), message);
                }
            }
        }
    }

    fn compare_maps(
        &mut self,
        full: &[Entry],
        shown: &[Entry],
        node: &Node,
        schema: Option<&Schema>,
    ) {
        let users_keys = is_payload(schema) || matches!(schema.map(|s| &s.ty), Some(Type::Map(_)));
        let mut taken = vec![false; shown.len()];
        for (key, value) in full.iter().map(|entry| (&entry.key, &entry.node)) {
            let exact = shown.iter().position(|other| other.key == *key);
            let folded = || {
                let same = |other: &Entry| users_keys && same_letters(&other.key, key);
                let free = |at: &usize| taken.get(*at).is_some_and(|taken| !taken);
                shown
                    .iter()
                    .enumerate()
                    .filter(|(_, other)| same(other))
                    .map(|(at, _)| at)
                    .find(free)
            };
            let Some(at) = exact.or_else(folded) else {
                self.report_missing(key, value, node, schema);
                continue;
            };
            let Some(other) = shown.get(at) else { continue };
            if let Some(taken) = taken.get_mut(at) {
                *taken = true;
            }
            self.path.push(key.to_string());
            if other.key != *key {
                let message = format!("the key is shown as `{}`", other.key);
                self.report(Some(PrintLoss::KeyCase), Some(value), Some(&other.node), message);
            }
            self.compare(value, &other.node, field_schema(schema, key));
            self.path.pop();
        }
        let root = self.path.is_empty();
        for (other, _) in shown.iter().zip(&taken).filter(|(_, taken)| !**taken) {
            // Events are describe's own; an object does not hold them.
            if root && &*other.key == "events" {
                continue;
            }
            self.path.push(other.key.to_string());
            let zero = self.is_builtin() && other.node.value == Value::Int(0);
            let loss = match zero {
                true => Some(PrintLoss::PrintedZero),
                false => is_payload(schema).then_some(PrintLoss::PayloadShape),
            };
            self.report(loss, None, Some(&other.node), "only describe shows it".to_owned());
            self.path.pop();
        }
    }

    fn report_missing(&mut self, key: &str, value: &Node, shown: &Node, schema: Option<&Schema>) {
        self.path.push(key.to_owned());
        let hidden = key == "managedFields"
            || key.ends_with("kubectl.kubernetes.io/last-applied-configuration");
        let loss = if hidden || self.holds_only_hidden(value) {
            Some(PrintLoss::Hidden)
        } else if self.is_builtin() {
            Some(PrintLoss::LeftOut)
        } else if value.is_empty() && self.in_header() {
            Some(PrintLoss::EmptyContainer)
        } else {
            is_payload(schema).then_some(PrintLoss::PayloadShape)
        };
        self.report(loss, Some(value), Some(shown), "describe does not show it".to_owned());
        self.path.pop();
    }

    fn compare_lists(&mut self, full: &[Node], shown: &[Node], schema: Option<&Schema>) {
        let item = schema.and_then(Schema::item);
        let empty = |node: &&Node| matches!(&node.value, Value::Map(entries) if entries.is_empty());
        let printed: Vec<&Node> = full.iter().filter(|node| !empty(node)).collect();
        if printed.len() < full.len() {
            let message = format!("{} empty items are not shown", full.len() - printed.len());
            self.report(Some(PrintLoss::EmptyItem), full.first(), shown.first(), message);
        }
        if printed.len() != shown.len() {
            let message = format!("{} items are shown as {}", printed.len(), shown.len());
            let loss = is_payload(item).then_some(PrintLoss::PayloadShape);
            self.report(loss, full.first(), shown.first(), message);
            return;
        }
        for (number, (left, right)) in printed.into_iter().zip(shown).enumerate() {
            self.path.push(format!("[{number}]"));
            self.compare(left, right, item);
            self.path.pop();
        }
    }

    fn compare_shapes(&mut self, full: &Node, shown: &Node, schema: Option<&Schema>) {
        let loss = if full.is_empty() && shown.is_empty() {
            Some(PrintLoss::EmptyContainer)
        } else {
            is_payload(schema).then_some(PrintLoss::PayloadShape)
        };
        let message = format!("{} is shown as {}", describe(full), describe(shown));
        self.report(loss, Some(full), Some(shown), message);
    }

    fn report(
        &mut self,
        loss: Option<PrintLoss>,
        full: Option<&Node>,
        shown: Option<&Node>,
        message: String,
    ) {
        let path = self.path.join(".").replace(".[", "[");
        let (full, shown) = (full.map(|node| node.span), shown.map(|node| node.span));
        self.differences.push(TreeDifference { path, loss, full, shown, message });
    }

    fn is_builtin(&self) -> bool {
        self.syntax == Syntax::DescribeBuiltin
    }

    fn is_annotation(&self) -> bool {
        matches!(self.path.as_slice(), [meta, key, _] if meta == "metadata" && key == "annotations")
    }

    fn in_header(&self) -> bool {
        matches!(self.path.as_slice(), [meta, _] if meta == "metadata")
    }

    fn holds_only_hidden(&self, value: &Node) -> bool {
        let last_applied = "kubectl.kubernetes.io/last-applied-configuration";
        self.in_header() && matches!(value.entries(), [entry] if &*entry.key == last_applied)
    }
}

/// Returns the schema of an embedded object's own kind.
fn own_schema<'g>(node: &Node, schema: &'g Schema) -> &'g Schema {
    let text = |key: &str| node.get(key).and_then(Node::as_str).unwrap_or_default();
    let own = schema.embedded.and_then(|_| find_kind_in(text("apiVersion"), text("kind")));
    own.map_or(schema, |spec| spec.schema())
}

fn field_schema<'g>(schema: Option<&'g Schema>, key: &str) -> Option<&'g Schema> {
    let schema = schema?;
    match &schema.ty {
        Type::Map(value) => Some(value),
        _ => schema.field(key).map(|field| &field.schema),
    }
}

/// Says whether no schema tells what this holds.
fn is_payload(schema: Option<&Schema>) -> bool {
    schema.is_none_or(|schema| matches!(schema.ty, Type::Any) || schema.open)
}

fn same_letters(left: &str, right: &str) -> bool {
    left.eq_ignore_ascii_case(right)
}

fn describe(node: &Node) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Map(entries) => format!("a map of {}", entries.len()),
        Value::List(items) => format!("a list of {}", items.len()),
        Value::String(text) => format!("{text:?}"),
        _ => node.text().map(|text| text.value.to_string()).unwrap_or_default(),
    }
}
