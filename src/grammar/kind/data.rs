//! The data files as they are written: one serde type per construct of `grammar/README.md`.
//!
//! Owns the syntax (shorthands, unknown keys refused); what a name refers to is left to `resolve`.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::grammar::schema::{Embedded, Literal, Occasion, ValueFormat};

/// A file of `grammar/kinds`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileData {
    #[serde(default)]
    pub(super) uses: Vec<Box<str>>,
    #[serde(default)]
    pub(super) types: Ordered<ShapeData>,
    #[serde(default)]
    pub(super) kinds: Ordered<KindData>,
}

/// A kind: its columns and its root.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KindData {
    pub(super) like: Option<Box<str>>,
    #[serde(default)]
    pub(super) columns: Vec<ColumnData>,
    #[serde(default)]
    pub(super) open: bool,
    #[serde(default)]
    pub(super) rules: Vec<RuleData>,
    #[serde(default)]
    pub(super) fields: Ordered<ShapeData>,
}

/// A column: the word `age`, or its facts.
#[derive(Debug)]
pub(super) enum ColumnData {
    Age,
    Full(ColumnFacts),
}

impl<'de> Deserialize<'de> for ColumnData {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ColumnVisitor)
    }
}

struct ColumnVisitor;

impl<'de> Visitor<'de> for ColumnVisitor {
    type Value = ColumnData;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`age` or a map of facts")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<ColumnData, E> {
        if word == "age" { Ok(ColumnData::Age) } else { Err(E::unknown_variant(word, &["age"])) }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ColumnData, A::Error> {
        ColumnFacts::deserialize(MapAccessDeserializer::new(map)).map(ColumnData::Full)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ColumnFacts {
    pub(super) name: Box<str>,
    #[serde(default)]
    pub(super) path: Box<str>,
    pub(super) of: Option<Box<str>>,
    #[serde(default)]
    pub(super) form: FormData,
    #[serde(default)]
    pub(super) wide: bool,
    #[serde(default)]
    pub(super) old: bool,
    #[serde(default, rename = "in")]
    pub(super) versions: Vec<Box<str>>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FormData {
    #[default]
    Value,
    Age,
    Object,
}

/// A rule of the server.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleData {
    pub(super) id: Box<str>,
    pub(super) message: Box<str>,
    pub(super) refuses: Box<str>,
    pub(super) absent: Option<Box<str>>,
    #[serde(default, deserialize_with = "occasion")]
    pub(super) on: Occasion,
    #[serde(default, rename = "in")]
    pub(super) versions: Vec<Box<str>>,
    #[serde(default)]
    pub(super) but: Ordered<RuleWords>,
}

/// What a rule says in one version.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleWords {
    pub(super) message: Box<str>,
    pub(super) refuses: Box<str>,
}

/// A shape in full.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct ShapeFacts {
    #[serde(rename = "type")]
    pub(super) ty: Option<Box<str>>,
    pub(super) list: Option<Box<ShapeData>>,
    pub(super) map: Option<Box<ShapeData>>,
    pub(super) fields: Option<Ordered<ShapeData>>,
    pub(super) required: Option<bool>,
    pub(super) nullable: Option<bool>,
    pub(super) open: Option<bool>,
    pub(super) atomic: Option<bool>,
    #[serde(default, deserialize_with = "embedded")]
    pub(super) embedded: Option<Embedded>,
    #[serde(default, deserialize_with = "format")]
    pub(super) format: Option<ValueFormat>,
    pub(super) list_type: Option<ListWord>,
    #[serde(default)]
    pub(super) list_keys: Vec<Box<str>>,
    #[serde(default, deserialize_with = "one_or_many")]
    pub(super) key: Vec<Box<str>>,
    #[serde(default, deserialize_with = "literal")]
    pub(super) default: Option<Literal>,
    #[serde(default, rename = "enum")]
    pub(super) allowed: Vec<Box<str>>,
    #[serde(default)]
    pub(super) was: Ordered<Box<str>>,
    pub(super) pattern: Option<Box<str>>,
    pub(super) minimum: Option<i64>,
    pub(super) maximum: Option<i64>,
    pub(super) min_length: Option<u32>,
    pub(super) max_length: Option<u32>,
    #[serde(alias = "minProperties")]
    pub(super) min_items: Option<u32>,
    #[serde(alias = "maxProperties")]
    pub(super) max_items: Option<u32>,
    pub(super) immutable: Option<Box<str>>,
    #[serde(default)]
    pub(super) rules: Vec<RuleData>,
    pub(super) since: Option<Box<str>>,
    #[serde(default)]
    pub(super) aka: Vec<Box<str>>,
    #[serde(default, rename = "in")]
    pub(super) versions: Vec<Box<str>>,
    #[serde(default)]
    pub(super) but: Ordered<ShapeData>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ListWord {
    Atomic,
    Set,
    Map,
}

/// A shape: `string`, `string!` (required), `[Condition]` (a list), or its facts.
#[derive(Debug, Default)]
pub(super) struct ShapeData(pub(super) Box<ShapeFacts>);

impl<'de> Deserialize<'de> for ShapeData {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ShapeVisitor).map(|facts| Self(Box::new(facts)))
    }
}

struct ShapeVisitor;

impl<'de> Visitor<'de> for ShapeVisitor {
    type Value = ShapeFacts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a type name, a list of one type, or a map of facts")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<ShapeFacts, E> {
        let name = word.strip_suffix('!');
        Ok(ShapeFacts {
            ty: Some(name.unwrap_or(word).into()),
            required: name.map(|_| true),
            ..ShapeFacts::default()
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<ShapeFacts, A::Error> {
        let item = seq.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &"one type"))?;
        if seq.next_element::<ShapeData>()?.is_some() {
            return Err(A::Error::invalid_length(2, &"one type"));
        }
        Ok(ShapeFacts { list: Some(Box::new(item)), ..ShapeFacts::default() })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ShapeFacts, A::Error> {
        ShapeFacts::deserialize(MapAccessDeserializer::new(map))
    }
}

/// A map that keeps its order and refuses a key that comes twice.
#[derive(Debug)]
pub(super) struct Ordered<T>(pub(super) Vec<(Box<str>, T)>);

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Ordered<T> {
    pub(super) fn get(&self, key: &str) -> Option<&T> {
        self.0.iter().find(|(name, _)| &**name == key).map(|(_, value)| value)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ordered<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OrderedVisitor(PhantomData))
    }
}

struct OrderedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OrderedVisitor<T> {
    type Value = Ordered<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered<T>, A::Error> {
        let mut entries: Vec<(Box<str>, T)> = Vec::new();
        while let Some(key) = map.next_key::<Box<str>>()? {
            if entries.iter().any(|(name, _)| *name == key) {
                return Err(A::Error::custom(format_args!("`{key}` stands twice")));
            }
            entries.push((key, map.next_value()?));
        }
        Ok(Ordered(entries))
    }
}

fn occasion<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Occasion, D::Error> {
    match &*Box::<str>::deserialize(deserializer)? {
        "update" => Ok(Occasion::Update),
        word => Err(D::Error::unknown_variant(word, &["update"])),
    }
}

fn embedded<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Embedded>, D::Error> {
    match &*Box::<str>::deserialize(deserializer)? {
        "checked" => Ok(Some(Embedded::Checked)),
        "unchecked" => Ok(Some(Embedded::Unchecked)),
        word => Err(D::Error::unknown_variant(word, &["checked", "unchecked"])),
    }
}

fn format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ValueFormat>, D::Error> {
    match &*Box::<str>::deserialize(deserializer)? {
        "byte" => Ok(Some(ValueFormat::Byte)),
        "quantity" => Ok(Some(ValueFormat::Quantity)),
        word => Err(D::Error::unknown_variant(word, &["byte", "quantity"])),
    }
}

fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Box<str>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Words {
        One(Box<str>),
        Many(Vec<Box<str>>),
    }
    Ok(match Words::deserialize(deserializer)? {
        Words::One(word) => vec![word],
        Words::Many(words) => words,
    })
}

fn literal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Literal>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Plain {
        Bool(bool),
        Int(i64),
        Text(Box<str>),
    }
    Ok(Some(match Plain::deserialize(deserializer)? {
        Plain::Bool(truth) => Literal::Bool(truth),
        Plain::Int(number) => Literal::Int(number),
        Plain::Text(text) => Literal::Text(text),
    }))
}
