//! [`Column`]: what a column of `kubectl get` shows of an object.
//!
//! Owns the small path language of the data files, `status.conditions[Approved].status`: a name in
//! brackets chooses the list item with that natural key, or the key of a free map.

/// How a cell shows the value.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum CellForm {
    /// As it is.
    #[default]
    Value,
    /// A time, as the age it had when the table was printed.
    Age,
    /// `ready/wanted`: the value, and the one at this path behind the slash.
    Ratio(Box<str>),
    /// An object reference as `kind/name`.
    Object,
    /// Made up by the server from several fields; there is no path.
    Composed,
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its heading, in capitals, single blanks included.
    pub name: Box<str>,
    /// The field that it shows; empty when [`CellForm::Composed`].
    pub path: Box<str>,
    /// How the cell is formatted.
    pub form: CellForm,
    /// Whether only `-o wide` shows it.
    pub wide: bool,
    /// Whether only releases of the past show it.
    pub old: bool,
    /// The API versions that have it; empty when all have.
    pub versions: Vec<Box<str>>,
}

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnStep<'p> {
    /// Down to a field.
    Field(&'p str),
    /// Down to the list item or the map value of that key.
    Item(&'p str),
}

/// Splits a path of the data files into its steps.
///
/// Dots inside brackets do not split; an unclosed bracket reaches to the end.
pub fn parse_steps(path: &str) -> Vec<ColumnStep<'_>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (item, tail) = inner.split_once(']').unwrap_or((inner, ""));
            steps.push(ColumnStep::Item(item));
            rest = tail.strip_prefix('.').unwrap_or(tail);
            continue;
        }
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (field, tail) = rest.split_at(end);
        steps.push(ColumnStep::Field(field));
        rest = tail.strip_prefix('.').unwrap_or(tail);
    }
    steps
}
