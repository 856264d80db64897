//! [`Schema`]: the shape of a field, as `grammar/kinds/*.yaml` states it.
//!
//! Used twice: to turn `kubectl describe` labels back into typed fields, and by `check`.

/// What a field may hold.
#[derive(Clone, Debug, PartialEq)]
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
    /// An object with known fields, in the order of the data file.
    Object(Vec<Field>),
    /// An object whose keys are the user's (labels, data).
    Map(Box<Schema>),
    /// A list.
    List(Box<Schema>),
    /// Anything (embedded objects, patch values).
    Any,
}

/// The shape of one value.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    /// What it may hold.
    pub ty: Type,
    // Further facts (required, enum, pattern, limits, default, immutable, list keys …) are added by
    // the kinds work beside `ty`.
}

/// A named field of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The JSON key.
    pub name: Box<str>,
    /// Its shape.
    pub schema: Schema,
}

impl Schema {
    /// Finds a field of an object by its exact key.
    pub fn field(&self, name: &str) -> Option<&Field> {
        let Type::Object(fields) = &self.ty else { return None };
        fields.iter().find(|field| &*field.name == name)
    }
}
