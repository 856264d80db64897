//! What `fleetlens explain` prints about a field: `csur.status.stagesStatus`.

use std::fmt::Write as _;

use crate::grammar::kind::{Author, KindSpec, find_kind, find_resource};
use crate::grammar::schema::{Field, Literal, Schema, Type};
use crate::rules;

/// More rules are counted.
const MOST_RULES: usize = 30;

/// Returns the page of a field path that begins with a kind; absent if there is no such field.
pub(super) fn page(path: &str) -> Option<String> {
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
    Some(tell(spec, &steps, found?))
}

fn tell(spec: &KindSpec, steps: &[&str], field: &Field) -> String {
    let mut page = format!("{}.{}\n\n", spec.name, steps.join("."));
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
    let writer = match (steps.first(), &spec.author) {
        (Some(&"status"), _) => "a controller; people do not edit it",
        (_, Author::User) => "the person or pipeline that creates the object",
        _ => "a controller, which creates the object",
    };
    let _ = writeln!(page, "Written by: {writer}");
    let inner = field.schema.item().unwrap_or(&field.schema);
    if !inner.fields().is_empty() {
        page.push_str("\nFields:\n");
        for field in inner.fields() {
            let _ = writeln!(page, "  {:34} {}", field.name, type_of(&field.schema));
        }
    }
    let reading = rules::ALL.iter().filter(|rule| rule.reads.contains(&spec.family));
    let codes: Vec<&str> = reading.map(|rule| rule.code).collect();
    if !codes.is_empty() {
        let _ = writeln!(page, "\nRules that read {}: {}", spec.name, listed(&codes));
    }
    page
}

fn listed(codes: &[&str]) -> String {
    let shown = codes.iter().take(MOST_RULES).copied().collect::<Vec<_>>().join(" ");
    match codes.len().checked_sub(MOST_RULES).filter(|more| *more > 0) {
        Some(more) => format!("{shown} and {more} more"),
        None => shown,
    }
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
    use super::page;

    #[test]
    fn a_field_is_found_by_the_short_name_of_its_kind() {
        let told = page("csur.status.stagesStatus.clusters").unwrap_or_default();
        assert!(
            told.starts_with("ClusterStagedUpdateRun.status.stagesStatus.clusters\n"),
            "{told}"
        );
        assert!(told.contains("clusterName"), "{told}");
        assert!(told.contains("FL0101"), "{told}");
        assert_eq!(page("csur.status.nothing"), None);
        assert_eq!(page("the binding is gone"), None);
    }
}
