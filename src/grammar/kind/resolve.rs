//! From a data file to the shape of a kind: names replaced by what they stand for.
//!
//! Owns the meaning of `uses`, `like`, `in` and `but`. A file is parsed once, when a kind of it (or
//! of a file that uses it) is first asked for.
//! Invariant: the same data gives the same shape, whatever was loaded before.

use thiserror::Error;

use super::column::{CellForm, Column};
use super::data::{
    ColumnData, ColumnFacts, FileData, FormData, KindData, ListWord, Ordered, RuleData, ShapeData,
    ShapeFacts,
};
use super::index::{DataFile, find_file};
use crate::grammar::schema::{Field, ListType, Schema, Type, ValidationRule, ValueFormat};

/// How deep types may refer to types; the real ones stay below 12.
const DEEPEST: usize = 32;

/// What the data files say about a kind in one version, or in all together.
#[derive(Debug)]
pub(super) struct KindShape {
    pub(super) schema: Schema,
    pub(super) columns: Vec<Column>,
}

/// A fault of the data files.
#[derive(Debug, Error)]
pub(super) enum DataError {
    #[error("grammar/kinds/{file}.yaml: {source}")]
    Syntax { file: Box<str>, source: serde_json::Error },
    #[error("grammar/kinds/{file}.yaml: {what}")]
    Meaning { file: Box<str>, what: String },
}

/// Reads the shape of a kind out of its file.
pub(super) fn load_shape(
    file: &'static DataFile,
    kind: &str,
    version: Option<&str>,
) -> Result<KindShape, DataError> {
    let resolver = Resolver { file: file.name, scope: scope_of(file)?, version };
    resolver.kind(&parsed(file)?.kinds, kind)
}

/// Parses the text of a data file.
pub(super) fn parse_file(file: &str, text: &str) -> Result<FileData, DataError> {
    serde_json::from_str(text).map_err(|source| DataError::Syntax { file: file.into(), source })
}

fn parsed(file: &'static DataFile) -> Result<&'static FileData, DataError> {
    if let Some(data) = file.parsed.get() {
        return Ok(data);
    }
    let data = parse_file(file.name, file.text)?;
    Ok(file.parsed.get_or_init(|| data))
}

/// Returns the types that a file may name: its own first, then those of the files it uses, and of
/// the files that these use.
fn scope_of(file: &'static DataFile) -> Result<Vec<&'static Ordered<ShapeData>>, DataError> {
    let mut names = vec![file.name];
    let mut scope = Vec::new();
    while let Some(name) = names.get(scope.len()).copied() {
        let used = find_file(name).ok_or_else(|| DataError::Meaning {
            file: file.name.into(),
            what: format!("uses `{name}`, which does not exist"),
        })?;
        let data = parsed(used)?;
        scope.push(&data.types);
        for name in &data.uses {
            if !names.contains(&&**name) {
                names.push(name);
            }
        }
    }
    Ok(scope)
}

/// Reads the shape of a kind out of data that uses no other file.
#[cfg(test)]
pub(super) fn shape_of(data: &FileData, file: &str, kind: &str) -> Result<KindShape, DataError> {
    Resolver { file, scope: vec![&data.types], version: None }.kind(&data.kinds, kind)
}

struct Resolver<'d> {
    file: &'d str,
    scope: Vec<&'d Ordered<ShapeData>>,
    version: Option<&'d str>,
}

impl Resolver<'_> {
    fn kind(&self, kinds: &Ordered<KindData>, name: &str) -> Result<KindShape, DataError> {
        let find = |name: &str| {
            let found = kinds.get(name).or_else(|| kinds.get("*"));
            found.ok_or_else(|| self.fault(format!("says nothing about {name}")))
        };
        let mut data = find(name)?;
        if let Some(twin) = &data.like {
            data = find(twin)?;
        }
        let mut fields = vec![text_field("apiVersion"), text_field("kind")];
        let meta = self.named("ObjectMeta", 0)?;
        fields.push(Field { required: true, ..Field::new("metadata", meta) });
        fields.extend(self.fields(&data.fields, 0)?);
        let mut schema = Schema::new(Type::Object(fields));
        schema.open = data.open;
        schema.rules = self.rules(&data.rules);
        Ok(KindShape { schema, columns: columns(&data.columns) })
    }

    fn fields(&self, data: &Ordered<ShapeData>, depth: usize) -> Result<Vec<Field>, DataError> {
        let mut fields = Vec::with_capacity(data.0.len());
        for (name, ShapeData(facts)) in &data.0 {
            if !self.in_version(&facts.versions) {
                continue;
            }
            let other = self.other_facts(facts);
            fields.push(Field {
                name: name.clone(),
                schema: self.shape(facts, depth)?,
                required: other.and_then(|other| other.required).or(facts.required) == Some(true),
                since: facts.since.clone(),
                aka: facts.aka.clone(),
            });
        }
        Ok(fields)
    }

    fn shape(&self, facts: &ShapeFacts, depth: usize) -> Result<Schema, DataError> {
        if depth > DEEPEST {
            return Err(self.fault("a type refers to itself".to_owned()));
        }
        let other = self.other_facts(facts);
        let base = other.filter(|other| has_type(other)).unwrap_or(facts);
        let mut schema = self.base(base, depth)?;
        self.add_facts(&mut schema, facts);
        if let Some(other) = other {
            self.add_facts(&mut schema, other);
        }
        Ok(schema)
    }

    fn base(&self, facts: &ShapeFacts, depth: usize) -> Result<Schema, DataError> {
        match (&facts.ty, &facts.list, &facts.map, &facts.fields) {
            (Some(name), None, None, None) => self.named(name, depth),
            (None, Some(item), None, None) => {
                let item = self.shape(&item.0, depth + 1)?;
                Ok(Schema::new(Type::List(Box::new(item))))
            }
            (None, None, Some(value), None) => {
                let value = self.shape(&value.0, depth + 1)?;
                Ok(Schema::new(Type::Map(Box::new(value))))
            }
            (None, None, None, Some(fields)) => {
                Ok(Schema::new(Type::Object(self.fields(fields, depth + 1)?)))
            }
            _ => Err(self.fault("a shape needs one of type, list, map, fields".to_owned())),
        }
    }

    fn named(&self, name: &str, depth: usize) -> Result<Schema, DataError> {
        let (ty, format) = match name {
            "string" => (Type::String, None),
            "time" => (Type::String, Some(ValueFormat::Time)),
            "integer" => (Type::Integer, None),
            "int32" => (Type::Integer, Some(ValueFormat::Int32)),
            "int64" => (Type::Integer, Some(ValueFormat::Int64)),
            "number" => (Type::Number, None),
            "boolean" => (Type::Boolean, None),
            "int-or-string" => (Type::IntOrString, None),
            "any" => (Type::Any, None),
            _ => {
                let found = self.scope.iter().find_map(|types| types.get(name));
                let data = found.ok_or_else(|| self.fault(format!("knows no type `{name}`")))?;
                return self.shape(&data.0, depth + 1);
            }
        };
        Ok(Schema { ty, format, ..Schema::default() })
    }

    /// Lays the facts of one place over those of the type that it names.
    fn add_facts(&self, schema: &mut Schema, facts: &ShapeFacts) {
        fn set<T: Clone>(slot: &mut Option<T>, value: &Option<T>) {
            if value.is_some() {
                slot.clone_from(value);
            }
        }
        schema.nullable = facts.nullable.unwrap_or(schema.nullable);
        schema.open = facts.open.unwrap_or(schema.open);
        schema.atomic = facts.atomic.unwrap_or(schema.atomic);
        set(&mut schema.embedded, &facts.embedded);
        set(&mut schema.format, &facts.format);
        set(&mut schema.default, &facts.default);
        set(&mut schema.pattern, &facts.pattern);
        set(&mut schema.minimum, &facts.minimum);
        set(&mut schema.maximum, &facts.maximum);
        set(&mut schema.min_length, &facts.min_length);
        set(&mut schema.max_length, &facts.max_length);
        set(&mut schema.min_items, &facts.min_items);
        set(&mut schema.max_items, &facts.max_items);
        set(&mut schema.immutable, &facts.immutable);
        if !facts.key.is_empty() {
            schema.key.clone_from(&facts.key);
        }
        if !facts.allowed.is_empty() {
            schema.allowed.clone_from(&facts.allowed);
        }
        if !facts.was.0.is_empty() {
            schema.was.clone_from(&facts.was.0);
        }
        match facts.list_type {
            Some(ListWord::Atomic) => schema.list_type = ListType::Atomic,
            Some(ListWord::Set) => schema.list_type = ListType::Set,
            Some(ListWord::Map) => schema.list_type = ListType::Map(facts.list_keys.clone()),
            None => {}
        }
        schema.rules.extend(self.rules(&facts.rules));
    }

    fn rules(&self, data: &[RuleData]) -> Vec<ValidationRule> {
        let here = data.iter().filter(|rule| self.in_version(&rule.versions));
        here.map(|rule| {
            let words = self.version.and_then(|version| rule.but.get(version));
            ValidationRule {
                id: rule.id.clone(),
                message: words.map_or(&rule.message, |words| &words.message).clone(),
                absent: rule.absent.clone(),
                refuses: words.map_or(&rule.refuses, |words| &words.refuses).clone(),
                on: rule.on,
            }
        })
        .collect()
    }

    /// Returns what is different in the version that is being read.
    fn other_facts<'f>(&self, facts: &'f ShapeFacts) -> Option<&'f ShapeFacts> {
        facts.but.get(self.version?).map(|data| &*data.0)
    }

    fn in_version(&self, versions: &[Box<str>]) -> bool {
        let Some(version) = self.version else { return true };
        versions.is_empty() || versions.iter().any(|other| &**other == version)
    }

    fn fault(&self, what: String) -> DataError {
        DataError::Meaning { file: self.file.into(), what }
    }
}

fn text_field(name: &str) -> Field {
    Field { required: true, ..Field::new(name, Schema::new(Type::String)) }
}

fn has_type(facts: &ShapeFacts) -> bool {
    facts.ty.is_some() || facts.list.is_some() || facts.map.is_some() || facts.fields.is_some()
}

fn columns(data: &[ColumnData]) -> Vec<Column> {
    let mut columns = Vec::with_capacity(data.len() + 1);
    for column in data {
        columns.push(match column {
            ColumnData::Age => plain_column("AGE", "metadata.creationTimestamp", CellForm::Age),
            ColumnData::Full(facts) => full_column(facts),
        });
    }
    if !columns.iter().any(|column| &*column.name == "NAME") {
        columns.insert(0, plain_column("NAME", "metadata.name", CellForm::Value));
    }
    columns
}

fn plain_column(name: &str, path: &str, form: CellForm) -> Column {
    Column { name: name.into(), path: path.into(), form, wide: false, old: false, versions: vec![] }
}

fn full_column(facts: &ColumnFacts) -> Column {
    let form = match (&facts.of, facts.form) {
        (Some(of), _) => CellForm::Ratio(of.clone()),
        (None, FormData::Age) => CellForm::Age,
        (None, FormData::Object) => CellForm::Object,
        (None, FormData::Value) if facts.path.is_empty() => CellForm::Composed,
        (None, FormData::Value) => CellForm::Value,
    };
    Column {
        name: facts.name.clone(),
        path: facts.path.clone(),
        form,
        wide: facts.wide,
        old: facts.old,
        versions: facts.versions.clone(),
    }
}
