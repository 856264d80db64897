//! [`Schema`]: the shape of a field, as `grammar/kinds/*.yaml` states it.
//!
//! Used twice: to turn `kubectl describe` labels back into typed fields, and by `check`, which has to
//! agree with what an API server does. It holds facts only; judging by them is left to the caller.
//! Invariant: the keys of one object differ even after [`fold_label`].

/// What a field may hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Type {
    /// Text.
    String,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A whole number or text (`25%`, a quantity).
    IntOrString,
    /// An object with known fields, in the order of the data file; see [`Schema::open`].
    Object(Vec<Field>),
    /// An object whose keys are the user's (labels, data).
    Map(Box<Schema>),
    /// A list.
    List(Box<Schema>),
    /// Anything (patch values, parts of built-in kinds that nobody reads).
    #[default]
    Any,
}

/// A form of text or number beyond its type. The API server enforces [`ValueFormat::Time`] only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueFormat {
    /// A number that a controller reads into 32 bits.
    Int32,
    /// A number that a controller reads into 64 bits.
    Int64,
    /// RFC 3339 time.
    Time,
    /// Base64.
    Byte,
    /// A Kubernetes quantity; controllers always write it as text, even `"4"`.
    Quantity,
}

/// How the API server merges and compares a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ListType {
    /// Not stated: compared as a whole.
    #[default]
    Plain,
    /// Replaced as a whole.
    Atomic,
    /// Scalars without repeats.
    Set,
    /// Items without repeats, told apart by these keys.
    Map(Vec<Box<str>>),
}

/// Whether a value is a whole Kubernetes object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Embedded {
    /// The API server insists on it.
    Checked,
    /// Only its reader expects it.
    Unchecked,
}

/// A plain value in the data files.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Text.
    Text(Box<str>),
}

/// When a rule is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Occasion {
    /// On creation and on every update.
    #[default]
    Write,
    /// On an update, where both the old and the new object have the value.
    Update,
}

/// A validation rule of the API server that types and limits cannot say.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidationRule {
    /// Its name, unique in a kind and stable; `check` implements the rule under it.
    pub id: Box<str>,
    /// The server's words.
    pub message: Box<str>,
    /// The server's words when the rule stumbles over an absent key, where they differ.
    pub absent: Option<Box<str>>,
    /// What it refuses, in our words.
    pub refuses: Box<str>,
    /// When it is judged.
    pub on: Occasion,
}

/// The shape of one value and what the API server demands of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// The type of its value.
    pub ty: Type,
    /// A form beyond the type.
    pub format: Option<ValueFormat>,
    /// Whether an explicit null is stored instead of counting as absent.
    pub nullable: bool,
    /// Of an object: whether keys beyond the known ones are kept.
    pub open: bool,
    /// Of an object: whether it is replaced and compared as a whole.
    pub atomic: bool,
    /// Whether it is a Kubernetes object of its own, to be read by the schema of its own kind.
    pub embedded: Option<Embedded>,
    /// Of a list: how it is merged.
    pub list_type: ListType,
    /// What tells it apart from its neighbours in a list: dotted paths below it, shown joined by `/`.
    pub key: Vec<Box<str>>,
    /// What the server fills in when it is absent.
    pub default: Option<Literal>,
    /// The words that are allowed; empty when any are.
    pub allowed: Vec<Box<str>>,
    /// Words of other releases and the word that took their place (empty when none did).
    pub was: Vec<(Box<str>, Box<str>)>,
    /// The regular expression that text has to match; a number in its place is not held to it.
    pub pattern: Option<Box<str>>,
    /// The least number.
    pub minimum: Option<i64>,
    /// The greatest number.
    pub maximum: Option<i64>,
    /// The least number of characters.
    pub min_length: Option<u32>,
    /// The greatest number of characters.
    pub max_length: Option<u32>,
    /// The least number of items of a list or of keys of a map.
    pub min_items: Option<u32>,
    /// The greatest number of items of a list or of keys of a map.
    pub max_items: Option<u32>,
    /// The server's words when an update changes it; `None` where changes are allowed.
    pub immutable: Option<Box<str>>,
    /// Further rules, in the order in which the server lists them.
    pub rules: Vec<ValidationRule>,
}

/// A named field of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Field {
    /// The JSON key.
    pub name: Box<str>,
    /// The schema of its value.
    pub schema: Schema,
    /// Whether the object is refused without it (after defaulting).
    pub required: bool,
    /// The first KubeFleet release that has it, where not all have.
    pub since: Option<Box<str>>,
    /// Wrong names that people give it, from other kinds and releases.
    pub aka: Vec<Box<str>>,
}

impl Schema {
    /// Makes a shape of which nothing but the type is known.
    pub fn new(ty: Type) -> Self {
        Self { ty, ..Self::default() }
    }

    /// Returns the known fields of an object, or none for anything else.
    pub fn fields(&self) -> &[Field] {
        if let Type::Object(fields) = &self.ty { fields } else { &[] }
    }

    /// Finds a field of an object by its exact key.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields().iter().find(|field| &*field.name == name)
    }

    /// Finds a field of an object by the label that some kubectl prints for it.
    pub fn field_folded(&self, label: &str) -> Option<&Field> {
        self.fields().iter().find(|field| folds_to(label, &field.name))
    }

    /// Returns the shape of the items of a list or of the values of a map.
    pub fn item(&self) -> Option<&Self> {
        match &self.ty {
            Type::List(item) | Type::Map(item) => Some(item),
            _ => None,
        }
    }

    /// Returns the paths that name an item of this list among its neighbours.
    pub fn item_key(&self) -> &[Box<str>] {
        if let Type::List(item) = &self.ty { &item.key } else { &[] }
    }
}

impl Field {
    /// Makes an optional field.
    pub fn new(name: &str, schema: Schema) -> Self {
        Self { name: name.into(), schema, ..Self::default() }
    }
}

/// Drops blanks and lower-cases, which makes the label of any kubectl release equal to its key.
///
/// Releases split and capitalise keys differently (`Observed CRP Generation`, `Observed
/// CRPGeneration`), so labels must never be compared literally.
pub fn fold_label(label: &str) -> String {
    folded(label).collect()
}

fn folds_to(label: &str, key: &str) -> bool {
    folded(label).eq(folded(key))
}

fn folded(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|c| *c != ' ').flat_map(char::to_lowercase)
}
