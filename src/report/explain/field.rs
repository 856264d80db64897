//! What `fleetlens explain` prints about a field: `csur.status.stagesStatus`.

use std::fmt::Write as _;

use super::{did_you_mean, meaning};
use crate::grammar::kind::{KindSpec, find_kind, find_resource};
use crate::grammar::schema::{Field, Literal, Schema, Type};
use crate::report::human::{Look, paragraph};
use crate::rule::Rule;
use crate::rules;

/// Code, family and path: the fields that rules point at in their samples.
const POINTED: &str = include_str!("../../../grammar/pointed.txt");

/// Returns the page of a field path that begins with a kind; absent if there is no such field.
pub(super) fn page(path: &str, look: Look) -> Option<String> {
    let mut steps = path.trim().split('.');
    let kind = steps.next()?;
    let spec = find_kind(kind).or_else(|| find_resource(kind))?;
    let steps: Vec<&str> = steps.map(|step| step.trim_end_matches("[]")).collect();
    // A kind alone is a word of the catalogue of messages first.
    if steps.is_empty() {
        return None;
    }
    let mut schema = spec.schema();
    let mut found: Option<&Field> = None;
    for step in &steps {
        let inner = schema.item().unwrap_or(schema);
        let field = inner.field(step).or_else(|| inner.field_folded(step))?;
        schema = &field.schema;
        found = Some(field);
    }
    Some(tell(spec, &steps, found?, look))
}

fn tell(spec: &KindSpec, steps: &[&str], field: &Field, look: Look) -> String {
    let mut page = format!("{}.{}\n\n", spec.name, steps.join("."));
    if let Some(means) = meaning::of(spec.family, steps) {
        paragraph(&mut page, "", means, look);
        page.push('\n');
    }
    let _ = writeln!(page, "Type:     {}", type_of(&field.schema));
    let _ = writeln!(page, "Required: {}", if field.required { "yes" } else { "no" });
    if let Some(default) = &field.schema.default {
        let _ = writeln!(page, "Default:  {}", literal(default));
    }
    if !field.schema.allowed.is_empty() {
        let _ = writeln!(page, "One of:   {}", field.schema.allowed.join(", "));
    }
    if field.schema.immutable.is_some() {
        page.push_str("Changes:  refused; it cannot be changed after creation\n");
    }
    if let Some(since) = &field.since {
        let _ = writeln!(page, "Since:    {since}");
    }
    let _ = writeln!(page, "Written by: {}", meaning::writer(spec, steps));
    let inner = field.schema.item().unwrap_or(&field.schema);
    if !inner.fields().is_empty() {
        page.push_str("\nFields:\n");
        for field in inner.fields() {
            let _ = writeln!(page, "  {:34} {}", field.name, type_of(&field.schema));
        }
    }
    tell_rules(&mut page, spec, steps, look);
    page
}

/// Names the rules that point at the field or speak of it, and counts those that read objects of its kind.
fn tell_rules(page: &mut String, spec: &KindSpec, steps: &[&str], look: Look) {
    let reading: Vec<&&Rule> =
        rules::ALL.iter().filter(|rule| rule.reads.contains(&spec.family)).collect();
    let (path, last) = (steps.join("."), steps.last().copied().unwrap_or_default());
    let is_here = |told: &str| {
        told.strip_prefix(&path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let points = |rule: &Rule| {
        let mut lines = POINTED.lines().filter_map(|line| {
            let (code, rest) = line.split_once(' ')?;
            let (family, path) = rest.split_once(' ')?;
            Some((code, family, path))
        });
        lines.any(|(code, family, path)| {
            code == rule.code && family == spec.family.name() && is_here(path)
        })
    };
    let speaks = |rule: &Rule| {
        let mut words = rule.page.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| word == last)
    };
    let about: Vec<String> = reading
        .iter()
        .filter(|rule| points(rule) || speaks(rule))
        .map(|rule| format!("{} {}", rule.code, rule.name))
        .collect();
    if !about.is_empty() {
        page.push('\n');
        paragraph(page, "", &format!("Rules that read it: {}.", about.join(", ")), look);
    }
    if !reading.is_empty() {
        let all = reading.len();
        let _ = writeln!(page, "\n{all} rules read objects of this kind: fleetlens rules");
    }
}

/// Returns the field that was probably meant, as a question; absent if the text does not begin with a kind.
pub fn near_field(path: &str) -> Option<String> {
    let mut steps = path.trim().split('.');
    let kind = steps.next()?;
    let spec = find_kind(kind).or_else(|| find_resource(kind))?;
    let mut schema = spec.schema();
    let mut known = vec![kind.to_owned()];
    for step in steps {
        let inner = schema.item().unwrap_or(schema);
        if let Some(field) = inner.field(step).or_else(|| inner.field_folded(step)) {
            known.push(field.name.to_string());
            schema = &field.schema;
            continue;
        }
        let names: Vec<&str> = inner.fields().iter().map(|field| &*field.name).collect();
        let near = did_you_mean(step, names.iter().copied());
        let (path, names) = (known.join("."), names.join(", "));
        return Some(match names.is_empty() {
            true => format!("; {path} has no fields"),
            false => format!("{near} {path} has {names}").replacen("? ", "? The fields: ", 1),
        });
    }
    None
}

fn type_of(schema: &Schema) -> String {
    match &schema.ty {
        Type::String => "text".to_owned(),
        Type::Integer => "whole number".to_owned(),
        Type::Number => "number".to_owned(),
        Type::Boolean => "true or false".to_owned(),
        Type::IntOrString => "whole number or text".to_owned(),
        Type::Object(_) => "object".to_owned(),
        Type::Map(inner) => format!("map of {}", type_of(inner)),
        Type::List(inner) => format!("list of {}", type_of(inner)),
        Type::Any => "anything".to_owned(),
    }
}

fn literal(value: &Literal) -> String {
    match value {
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Text(value) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{near_field, page};
    use crate::report::human::Look;

    #[test]
    fn a_field_is_found_by_the_short_name_of_its_kind() {
        let page = |path: &str| page(path, Look::plain(80));
        let told = page("csur.status.stagesStatus.clusters").unwrap_or_default();
        assert!(
            told.starts_with("ClusterStagedUpdateRun.status.stagesStatus.clusters\n"),
            "{told}"
        );
        assert!(told.contains("clusterName"), "{told}");
        assert!(told.contains("Written by: the hub agent"), "{told}");
        assert!(told.contains("in the order in which they are updated"), "{told}");
        assert_eq!(page("csur.status.nothing"), None);
        assert_eq!(page("the binding is gone"), None);
        let near = near_field("csur.status.stageStatus").unwrap_or_default();
        assert!(near.starts_with("; did you mean stagesStatus?"), "{near}");
        assert_eq!(near_field("the binding is gone"), None);
    }
}
