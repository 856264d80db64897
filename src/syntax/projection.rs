//! [`Projection`]: what jq, `-o jsonpath` and `-o custom-columns` take out of an object, so that it can be put back.
//!
//! Owns the reading of the filters that people use in tickets: paths, `{g: .metadata.generation}`, rows of fields with
//! a separator. A filter that computes something is not understood, and its output is read as what it looks like.
//! Invariant: a projection says exactly where each printed piece belongs.

use smol_str::SmolStr;

/// One step down an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProjectionStep {
    /// A field.
    Key(SmolStr),
    /// Some item of a list.
    Item,
    /// The item of a list whose field has a value.
    ItemWhere(SmolStr, SmolStr),
}

/// A way from the root of an object, or of an item, to a value.
pub type Path = Vec<ProjectionStep>;

/// What is printed of each object or item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProjectionShape {
    /// The value itself.
    Value,
    /// An object with other keys.
    Fields(Vec<(SmolStr, Path)>),
    /// A line of fields, with what is printed behind each.
    Line(Vec<(Path, SmolStr)>),
    /// The columns of a table, with their headings.
    Columns(Vec<(SmolStr, Path)>),
}

/// What a filter prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Projection {
    /// Where what is printed stands.
    pub base: Path,
    /// How it is printed.
    pub shape: ProjectionShape,
}

/// Reads a filter of jq or yq.
pub fn parse_jq(filter: &str) -> Option<Projection> {
    let mut base = Path::new();
    let mut shape = ProjectionShape::Value;
    for stage in split_outside(filter, '|') {
        let stage = stage.trim();
        let inner =
            |open, close| stage.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        if let Some(fields) = inner('{', '}') {
            shape = ProjectionShape::Fields(parse_fields(fields)?);
        } else if let Some(cells) = inner('[', ']') {
            let cells: Option<Vec<Path>> =
                split_outside(cells, ',').into_iter().map(|cell| parse_path(cell.trim())).collect();
            shape = line_of(cells?, "\t");
        } else if let Some(text) = inner('"', '"') {
            shape = ProjectionShape::Line(parse_interpolation(text)?);
        } else if let Some(test) = stage.strip_prefix("select(").and_then(|it| it.strip_suffix(')'))
        {
            let (key, value) = parse_test(test)?;
            if let Some(last @ ProjectionStep::Item) = base.last_mut() {
                *last = ProjectionStep::ItemWhere(key, value);
            }
        } else {
            match (stage, &mut shape) {
                ("@csv", ProjectionShape::Line(cells)) => {
                    cells.iter_mut().for_each(|(_, end)| *end = ",".into());
                }
                ("@tsv", ProjectionShape::Line(_)) => {}
                (path, ProjectionShape::Value) => base.extend(parse_path(path)?),
                _ => return None,
            }
        }
    }
    Some(Projection { base, shape })
}

/// Reads a template of `-o jsonpath`.
pub fn parse_jsonpath(template: &str) -> Option<Projection> {
    let mut base = Path::new();
    let mut cells: Vec<(Path, SmolStr)> = Vec::new();
    let mut rest = template.trim();
    while !rest.is_empty() {
        let Some(body) = rest.strip_prefix('{') else {
            let end = rest.find('{').unwrap_or(rest.len());
            push_literal(&mut cells, rest.get(..end)?);
            rest = rest.get(end..)?;
            continue;
        };
        let end = body.find('}')?;
        let (inside, behind) = (body.get(..end)?.trim(), body.get(end + 1..)?);
        rest = behind;
        if let Some(path) = inside.strip_prefix("range ") {
            base = parse_path(path.trim())?;
        } else if let Some(text) = inside.strip_prefix(['"', '\'']) {
            let text = text.trim_end_matches(['"', '\'']);
            push_literal(&mut cells, &text.replace("\\t", "\t").replace("\\n", "\n"));
        } else if inside != "end" {
            cells.push((parse_path(inside)?, "".into()));
        }
    }
    if cells.len() == 1 && base.is_empty() {
        return Some(Projection { base: cells.pop()?.0, shape: ProjectionShape::Value });
    }
    let shown = !cells.is_empty() && cells.iter().rev().skip(1).all(|(_, end)| !end.is_empty());
    shown.then_some(Projection { base, shape: ProjectionShape::Line(cells) })
}

/// Reads the argument of `-o custom-columns`.
pub fn parse_columns(columns: &str) -> Option<Projection> {
    let columns: Option<Vec<_>> = split_outside(columns, ',')
        .into_iter()
        .map(|column| {
            let (name, path) = column.split_once(':')?;
            Some((SmolStr::from(name.trim()), parse_path(path.trim())?))
        })
        .collect();
    Some(Projection { base: Path::new(), shape: ProjectionShape::Columns(columns?) })
}

fn line_of(cells: Vec<Path>, end: &str) -> ProjectionShape {
    ProjectionShape::Line(cells.into_iter().map(|cell| (cell, end.into())).collect())
}

fn push_literal(cells: &mut [(Path, SmolStr)], text: &str) {
    if let Some((_, end)) = cells.last_mut() {
        *end = format!("{end}{text}").into();
    }
}

fn parse_fields(text: &str) -> Option<Vec<(SmolStr, Path)>> {
    let fields = split_outside(text, ',').into_iter().map(|field| {
        let (key, path) = field.split_once(':').unwrap_or((field, field));
        let key = key.trim().trim_matches('"').trim_start_matches('.');
        Some((SmolStr::from(key), parse_path(path.trim())?))
    });
    fields.collect()
}

/// Reads `\(.type)=\(.status)`, the inside of a text of jq.
fn parse_interpolation(text: &str) -> Option<Vec<(Path, SmolStr)>> {
    let mut cells: Vec<(Path, SmolStr)> = Vec::new();
    let mut pieces = text.split("\\(");
    let lead = pieces.next()?;
    for piece in pieces {
        let (path, literal) = piece.split_once(')')?;
        cells.push((parse_path(path.trim())?, literal.replace("\\t", "\t").into()));
    }
    (lead.is_empty() && !cells.is_empty()).then_some(cells)
}

/// Reads `.status.conditions[0].message`, with `[*]`, `[]`, `["key"]` and `[?(@.type=="Ready")]`.
fn parse_path(text: &str) -> Option<Path> {
    let mut path = Path::new();
    let mut rest = text.trim_start_matches(['$', '@']);
    while !rest.is_empty() {
        if let Some(body) = rest.strip_prefix('[') {
            let end = body.find(']')?;
            path.push(parse_bracket(body.get(..end)?.trim())?);
            rest = body.get(end + 1..)?;
            continue;
        }
        let body = rest.strip_prefix('.').unwrap_or(rest);
        let end = body
            .find(|at: char| !(at.is_ascii_alphanumeric() || matches!(at, '_' | '-' | '\\' | '/')))
            .unwrap_or(body.len());
        let key = body.get(..end)?;
        if !key.is_empty() {
            path.push(ProjectionStep::Key(key.into()));
        } else if !body.starts_with('[') && !body.is_empty() {
            return None;
        }
        rest = body.get(end..)?;
        if rest.starts_with(|at| at != '.' && at != '[') {
            return None;
        }
    }
    Some(path)
}

fn parse_bracket(text: &str) -> Option<ProjectionStep> {
    if text.is_empty() || text == "*" || text.trim_start_matches('-').parse::<u32>().is_ok() {
        return Some(ProjectionStep::Item);
    }
    if let Some(test) = text.strip_prefix("?(").and_then(|it| it.strip_suffix(')')) {
        let (key, value) = parse_test(test)?;
        return Some(ProjectionStep::ItemWhere(key, value));
    }
    Some(ProjectionStep::Key(text.trim_matches(['"', '\'']).into()))
}

/// Reads `.type=="Ready"`.
fn parse_test(text: &str) -> Option<(SmolStr, SmolStr)> {
    let (key, value) = text.split_once("==")?;
    let key = key.trim().trim_start_matches(['@', '.']);
    Some((key.into(), value.trim().trim_matches(['"', '\'', '\\']).into()))
}

/// Splits at a character that stands in no bracket and no quotes.
fn split_outside(text: &str, at: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0i32, false);
    for (index, character) in text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth -= 1,
            other if other == at && depth == 0 && !quoted => {
                parts.extend(text.get(start..index));
                start = index + at.len_utf8();
            }
            _ => {}
        }
    }
    parts.extend(text.get(start..));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(path: &Path) -> String {
        let step = |step: &ProjectionStep| match step {
            ProjectionStep::Key(key) => format!(".{key}"),
            ProjectionStep::Item => "[]".to_owned(),
            ProjectionStep::ItemWhere(key, value) => format!("[{key}={value}]"),
        };
        path.iter().map(step).collect()
    }

    #[test]
    fn filters_say_where_what_they_print_belongs() {
        let jq = |filter| {
            let found = parse_jq(filter).expect("a known filter");
            let shape = match found.shape {
                ProjectionShape::Value => String::new(),
                ProjectionShape::Fields(fields) | ProjectionShape::Columns(fields) => {
                    fields.iter().map(|(key, path)| format!(" {key}:{}", keys(path))).collect()
                }
                ProjectionShape::Line(cells) => {
                    cells.iter().map(|(path, end)| format!(" {}{end:?}", keys(path))).collect()
                }
            };
            format!("{}{shape}", keys(&found.base))
        };
        assert_eq!(jq(".status.conditions[2]"), ".status.conditions[]");
        assert_eq!(
            jq("{g: .metadata.generation, c: .status.conditions}"),
            " g:.metadata.generation c:.status.conditions"
        );
        assert_eq!(
            jq(".status.conditions[] | [.type,.status] | @tsv"),
            ".status.conditions[] .type\"\\t\" .status\"\\t\""
        );
        assert_eq!(
            jq(".status.conditions[] | select(.type==\"Applied\") | .message"),
            ".status.conditions[type=Applied].message"
        );
        assert_eq!(
            jq(".items[] | \"\\(.metadata.name): \\(.spec.state)\""),
            ".items[] .metadata.name\": \" .spec.state\"\""
        );
        assert_eq!(parse_jq(".items | length"), parse_jq(".items.length"));
        assert_eq!(parse_jq(".items | map(.a)"), None);
    }

    #[test]
    fn templates_say_where_what_they_print_belongs() {
        let base = |template| parse_jsonpath(template).map(|found| keys(&found.base));
        assert_eq!(base("{.status.conditions}").as_deref(), Some(".status.conditions"));
        assert_eq!(
            base("{.status.conditions[?(@.type==\"Applied\")].message}").as_deref(),
            Some(".status.conditions[type=Applied].message")
        );
        let range = "{range .status.conditions[*]}{.type}{\"\\t\"}{.status}{\"\\n\"}{end}";
        assert_eq!(base(range).as_deref(), Some(".status.conditions[]"));
    }
}
