//! A table of a TOML file, read key by key: the one place that names the TOML parser.
//!
//! Owns taking values out with their type checked, and what is said when a type or a key is wrong.
//! Invariant: every fault points at the key or value it speaks of.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::Fault;
use crate::kube::spelling::nearest_word;
use crate::source::{SourceFile, Span};

/// A table and where it stands.
pub(super) struct Table<'t> {
    source: &'t SourceFile,
    table: &'t DeTable<'t>,
    span: Span,
}

/// A value and where it stands.
#[derive(Clone, Copy)]
pub(super) struct TomlItem<'t> {
    source: &'t SourceFile,
    value: &'t DeValue<'t>,
    /// Where the value stands.
    pub(super) span: Span,
}

/// Parses a file and returns its table; the error says where and why it is not TOML.
pub(super) fn with_table<T>(
    source: &SourceFile,
    read: impl FnOnce(Table<'_>) -> T,
) -> Result<T, Fault> {
    let text = source.text();
    let root = DeTable::parse(text).map_err(|error| {
        let range = error.span().unwrap_or(0..0);
        Fault::new(Span::new(source.id(), range.start, range.end), "here", error.message())
    })?;
    Ok(read(Table { source, table: root.get_ref(), span: source.span() }))
}

impl<'t> Table<'t> {
    /// Returns where it stands.
    pub(super) fn span(&self) -> Span {
        self.span
    }

    /// Returns the value of a key.
    pub(super) fn get(&self, key: &str) -> Option<TomlItem<'t>> {
        self.table.get(key).map(|value| item(self.source, value))
    }

    /// Returns all keys, each with its place and value, in the order of the file.
    pub(super) fn entries(&self) -> Vec<(&'t str, Span, TomlItem<'t>)> {
        let mut entries: Vec<_> = self
            .table
            .iter()
            .map(|(key, value)| {
                let span = span(self.source, key);
                (key.get_ref().as_ref(), span, item(self.source, value))
            })
            .collect();
        entries.sort_by_key(|(_, span, _)| *span);
        entries
    }

    /// Reports the keys that are not among the known ones.
    pub(super) fn refuse_others(&self, known: &[&str], faults: &mut Vec<Fault>) {
        for (key, span, _) in self.entries().into_iter().filter(|(key, ..)| !known.contains(key)) {
            let fault = Fault::new(span, "unknown key", format!("there is no key `{key}`"));
            faults.push(match nearest_word(&key.replace('_', "-"), known.iter().copied()) {
                Some(meant) => fault.help(format!("did you mean `{meant}`?")),
                None => fault.help(format!("there are {}", known.join(", "))),
            });
        }
    }
}

impl<'t> TomlItem<'t> {
    /// Takes a text.
    pub(super) fn text(self, faults: &mut Vec<Fault>) -> Option<&'t str> {
        let text = self.value.as_str();
        if text.is_none() {
            faults.push(self.wrong_type("text in quotes"));
        }
        text
    }

    /// Takes a list.
    pub(super) fn list(self, wanted: &str, faults: &mut Vec<Fault>) -> Vec<Self> {
        match self.value.as_array() {
            Some(list) => list.iter().map(|value| item(self.source, value)).collect(),
            None => {
                faults.push(self.wrong_type(wanted));
                Vec::new()
            }
        }
    }

    /// Takes a table.
    pub(super) fn table(self, faults: &mut Vec<Fault>) -> Option<Table<'t>> {
        let table = self.value.as_table();
        if table.is_none() {
            faults.push(self.wrong_type("a table"));
        }
        table.map(|table| Table { source: self.source, table, span: self.span })
    }

    /// Takes one of some words.
    pub(super) fn word<T: Copy>(self, words: &[(&str, T)], faults: &mut Vec<Fault>) -> Option<T> {
        let text = self.text(faults)?;
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if found.is_none() {
            let allowed: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let fault = Fault::new(self.span, "not allowed", format!("`{text}` is not allowed"));
            faults.push(match nearest_word(text, allowed.iter().copied()) {
                Some(meant) => fault.help(format!("did you mean `{meant}`?")),
                None => fault.help(format!("allowed are {}", allowed.join(", "))),
            });
        }
        found
    }

    /// Takes a date, with or without quotes.
    pub(super) fn date(self, faults: &mut Vec<Fault>) -> Option<jiff::civil::Date> {
        let text = match self.value {
            DeValue::String(text) => text.to_string(),
            DeValue::Datetime(date) if date.time.is_none() => date.to_string(),
            _ => {
                faults.push(self.wrong_type("a date like 2027-01-31"));
                return None;
            }
        };
        let date = text.parse().ok().filter(|_| text.len() == "2027-01-31".len());
        if date.is_none() {
            let message = format!("`{text}` is no date");
            faults.push(
                Fault::new(self.span, "no date", message).help("write it like \"2027-01-31\""),
            );
        }
        date
    }

    fn wrong_type(self, wanted: &str) -> Fault {
        let found = match self.value.type_str() {
            "string" => "text",
            "array" => "a list",
            "table" => "a table",
            "boolean" => "true or false",
            "datetime" => "a time",
            _ => "a number",
        };
        Fault::new(self.span, found, format!("expected {wanted}, found {found}"))
    }
}

fn item<'t>(source: &'t SourceFile, value: &'t Spanned<DeValue<'t>>) -> TomlItem<'t> {
    TomlItem { source, value: value.get_ref(), span: span(source, value) }
}

fn span<T>(source: &SourceFile, spanned: &Spanned<T>) -> Span {
    let range = spanned.span();
    Span::new(source.id(), range.start, range.end)
}
