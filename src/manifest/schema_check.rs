//! Validates a value by the [`Schema`] of its kind, as the API server does.
//!
//! Owns types, required and unknown keys, allowed words, limits and patterns. It leaves rules that
//! look at several fields to the rules, metadata to [`super::metadata`] and old values to
//! [`super::update_check`]. A value of the wrong type is not judged any further, since nothing below it
//! means anything.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use regex_lite::Regex;

use super::cursor::PathBuilder;
use super::fault::{FaultKind, Limit, ManifestFault};
use crate::grammar::schema::{Field, Schema, Type};
use crate::kube::spelling::nearest_word;
use crate::source::Span;
use crate::syntax::tree::{Entry, Fidelity, Node, Value};

/// Judges the body of an object: everything but `metadata`.
pub(super) fn judge_body<'m>(
    root: &'m Node,
    schema: &'m Schema,
    status_apart: bool,
) -> Vec<ManifestFault> {
    let mut walk = Walk { trail: PathBuilder::default(), faults: Vec::new() };
    for entry in root.entries() {
        walk.trail.key(&entry.key);
        match &*entry.key {
            "apiVersion" | "kind" | "metadata" => {}
            // What stands in a status that has its own door is dropped before it is judged.
            "status" if status_apart && schema.field("status").is_some() => {
                if let Some(field) = schema.field("status") {
                    walk.unknown_only(&entry.node, &field.schema);
                }
            }
            key => match schema.field(key) {
                Some(field) => walk.field(entry, field),
                None => walk.unknown(entry, schema),
            },
        }
        walk.trail.back();
    }
    walk.required(root, schema, root.entries().first().map_or(root.span, |entry| entry.key_span));
    walk.numbers(root);
    walk.faults
}

struct Walk<'m> {
    trail: PathBuilder<'m>,
    faults: Vec<ManifestFault>,
}

impl<'m> Walk<'m> {
    fn fault(&mut self, span: Span, kind: FaultKind) {
        self.faults.push(ManifestFault { kind, place: self.trail.place(span) });
    }

    fn field(&mut self, entry: &'m Entry, field: &'m Field) {
        if entry.node.fidelity == Fidelity::Inferred {
            self.fault(entry.key_span, FaultKind::FilledIn(entry.key.to_string()));
            return;
        }
        if entry.node.value != Value::Null || field.schema.nullable {
            self.value(&entry.node, &field.schema, &entry.key, entry.key_span);
        }
    }

    /// Judges a value that stands under the key `name`.
    fn value(&mut self, node: &'m Node, schema: &'m Schema, name: &'m str, key_span: Span) {
        let span = if node.span.is_empty() { key_span } else { node.span };
        if let Some(wanted) = mismatch(node, schema) {
            self.fault(span, wrong_type(node, schema, wanted));
            return;
        }
        match &node.value {
            Value::String(text) => self.text(text, span, schema),
            Value::Int(number) => self.number(*number, span, schema),
            Value::Map(entries) => self.map(node, entries, schema, key_span),
            Value::List(items) => {
                self.count(items.len(), key_span, schema);
                if let Type::List(item) = &schema.ty {
                    for (index, value) in items.iter().enumerate() {
                        self.trail.item(name, index, value);
                        self.value(value, item, "", start_of(value));
                        self.trail.back();
                    }
                }
            }
            _ => {}
        }
    }

    fn map(&mut self, node: &'m Node, entries: &'m [Entry], schema: &'m Schema, key_span: Span) {
        match &schema.ty {
            Type::Object(_) => {
                for entry in entries {
                    self.trail.key(&entry.key);
                    match schema.field(&entry.key) {
                        Some(field) => self.field(entry, field),
                        None if schema.open => {}
                        None => self.unknown(entry, schema),
                    }
                    self.trail.back();
                }
                self.required(node, schema, key_span);
            }
            Type::Map(item) => {
                let present = entries.iter().filter(|entry| entry.node.value != Value::Null);
                self.count(present.clone().count(), key_span, schema);
                for entry in present {
                    self.trail.key(&entry.key);
                    self.value(&entry.node, item, &entry.key, entry.key_span);
                    self.trail.back();
                }
            }
            _ => {}
        }
    }

    fn required(&mut self, node: &'m Node, schema: &'m Schema, span: Span) {
        for field in schema.fields().iter().filter(|field| field.required) {
            let absent = node.get(&field.name).is_none_or(|value| value.value == Value::Null);
            if absent && field.schema.default.is_none() && &*field.name != "metadata" {
                self.trail.key(&field.name);
                self.fault(span, FaultKind::MissingField(field.name.to_string()));
                self.trail.back();
            }
        }
    }

    fn unknown(&mut self, entry: &Entry, schema: &Schema) {
        let known: Vec<String> = schema.fields().iter().map(|f| f.name.to_string()).collect();
        let meant = meant_field(&entry.key, schema);
        let kind = FaultKind::UnknownField { key: entry.key.to_string(), meant, known };
        self.fault(entry.key_span, kind);
    }

    fn text(&mut self, text: &str, span: Span, schema: &'m Schema) {
        if !schema.allowed.is_empty() && !schema.allowed.iter().any(|word| **word == *text) {
            let was = schema.was.iter().find(|(old, _)| **old == *text).map(|(_, new)| &**new);
            let meant = match was {
                Some(new) => Some(new.to_owned()).filter(|new| !new.is_empty()),
                None => {
                    nearest_word(text, schema.allowed.iter().map(|word| &**word)).map(str::to_owned)
                }
            };
            let allowed = schema.allowed.iter().map(|word| word.to_string()).collect();
            let (found, was) = (text.to_owned(), was.is_some());
            self.fault(span, FaultKind::NotAllowed { found, allowed, meant, was });
        }
        let length = text.chars().count();
        if let Some(most) = schema.max_length.filter(|most| length > *most as usize) {
            self.limit(span, Limit::LongText, most.into(), length);
        }
        if let Some(least) = schema.min_length.filter(|least| length < *least as usize) {
            self.limit(span, Limit::ShortText, least.into(), length);
        }
        if let Some(pattern) = schema.pattern.as_deref().filter(|p| !matches(p, text)) {
            let (found, pattern) = (text.to_owned(), pattern.to_owned());
            self.fault(span, FaultKind::Pattern { found, pattern });
        }
    }

    fn number(&mut self, number: i64, span: Span, schema: &'m Schema) {
        if let Some(least) = schema.minimum.filter(|least| number < *least) {
            self.fault(span, FaultKind::Limit(Limit::SmallNumber, least, number));
        }
        if let Some(most) = schema.maximum.filter(|most| number > *most) {
            self.fault(span, FaultKind::Limit(Limit::GreatNumber, most, number));
        }
    }

    fn count(&mut self, count: usize, span: Span, schema: &'m Schema) {
        if let Some(most) = schema.max_items.filter(|most| count > *most as usize) {
            self.limit(span, Limit::ManyItems, most.into(), count);
        }
        if let Some(least) = schema.min_items.filter(|least| count < *least as usize) {
            self.limit(span, Limit::FewItems, least.into(), count);
        }
    }

    fn limit(&mut self, span: Span, limit: Limit, bound: i64, found: usize) {
        let found = i64::try_from(found).unwrap_or(i64::MAX);
        self.fault(span, FaultKind::Limit(limit, bound, found));
    }

    /// Looks for unknown keys alone: what the server does before it drops the values.
    fn unknown_only(&mut self, node: &'m Node, schema: &Schema) {
        let nothing = Schema::new(Type::Object(Vec::new()));
        match &node.value {
            Value::Map(entries) => {
                for entry in entries {
                    self.trail.key(&entry.key);
                    match (schema.field(&entry.key), &schema.ty) {
                        (Some(field), _) => self.unknown_only(&entry.node, &field.schema),
                        (None, Type::Map(item)) => self.unknown_only(&entry.node, item),
                        (None, Type::Any) => {}
                        (None, _) if schema.open => {}
                        (None, _) => self.unknown(entry, schema),
                    }
                    self.trail.back();
                }
            }
            Value::List(items) => {
                let item = schema.item().unwrap_or(&nothing);
                for (index, value) in items.iter().enumerate() {
                    self.trail.item("", index, value);
                    self.unknown_only(value, item);
                    self.trail.back();
                }
            }
            _ => {}
        }
    }

    /// Finds numbers that JSON cannot carry, wherever they stand.
    fn numbers(&mut self, root: &Node) {
        let mut spans = Vec::new();
        root.walk(&mut |node| match node.value {
            Value::Float(number) if !number.is_finite() => spans.push(node.span),
            _ => {}
        });
        for span in spans {
            self.fault(span, FaultKind::NotFinite);
        }
    }
}

/// Returns the type that was wanted if the value has another.
fn mismatch(node: &Node, schema: &Schema) -> Option<&'static str> {
    let (fits, wanted) = match (&schema.ty, &node.value) {
        (Type::Any, _) => return None,
        (_, Value::Null) if schema.nullable => return None,
        (Type::String, value) => (matches!(value, Value::String(_)), "text"),
        (Type::Integer, value) => (matches!(value, Value::Int(_)), "a whole number"),
        (Type::Number, value) => {
            (matches!(value, Value::Int(_) | Value::BigInt(_) | Value::Float(_)), "a number")
        }
        (Type::Boolean, value) => (matches!(value, Value::Bool(_)), "true or false"),
        (Type::IntOrString, value) => {
            (matches!(value, Value::Int(_) | Value::String(_)), "a whole number or text")
        }
        (Type::Object(_) | Type::Map(_), value) => (matches!(value, Value::Map(_)), "a map"),
        (Type::List(_), value) => (matches!(value, Value::List(_)), "a list"),
    };
    (!fits).then_some(wanted)
}

/// Describes a value of the wrong type.
pub(super) fn wrong_type(node: &Node, schema: &Schema, wanted: &'static str) -> FaultKind {
    let form = |text: &str| schema.pattern.as_deref().is_none_or(|pattern| matches(pattern, text));
    let fits = schema.ty == Type::String
        && schema.allowed.is_empty()
        && node.text().is_some_and(|text| form(&text.value));
    FaultKind::WrongType { wanted, found: type_word(&node.value), fits }
}

/// Names the type of a value for people.
pub(super) fn type_word(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Int(_) => "a whole number",
        Value::BigInt(_) => "a number beyond 64 bits",
        Value::Float(_) => "a number with a fraction",
        Value::String(_) => "text",
        Value::Map(_) => "a map",
        Value::List(_) => "a list",
    }
}

/// Returns where an item of a list begins, for a label.
fn start_of(item: &Node) -> Span {
    item.entries().first().map_or(item.span, |entry| entry.key_span)
}

/// Finds the field that a wrong key probably means.
fn meant_field(key: &str, schema: &Schema) -> Option<String> {
    let known = schema.fields().iter();
    let aka = known.clone().find(|field| field.aka.iter().any(|other| **other == *key));
    if let Some(field) = aka {
        return Some(field.name.to_string());
    }
    nearest_word(key, known.map(|field| &*field.name)).map(str::to_owned)
}

/// Matches a pattern of the catalogue; each is compiled once, when it is first needed.
///
/// The values are short, and the small engine is ready long before the fast one.
fn matches(pattern: &str, text: &str) -> bool {
    static COMPILED: LazyLock<Mutex<BTreeMap<String, Regex>>> = LazyLock::new(Mutex::default);
    let mut compiled = COMPILED.lock().unwrap_or_else(|broken| broken.into_inner());
    let regex = compiled
        .entry(pattern.to_owned())
        .or_insert_with(|| Regex::new(pattern).expect("the patterns of the catalogue compile"));
    regex.is_match(text)
}
