//! The JSON report keeps to its shipped schema, over all stories.

use fleetlens::internals::report::json;
use serde_json::Value;

use crate::bless::{names_in, report};
use crate::judged;

/// Checks the keywords that the shipped schema uses; returns what does not fit, with its path.
pub(crate) fn check(
    value: &Value,
    schema: &Value,
    root: &Value,
    path: &str,
    troubles: &mut Vec<String>,
) {
    if let Some(name) = schema["$ref"].as_str() {
        let target =
            root.pointer(name.trim_start_matches('#')).expect("a reference leads somewhere");
        return check(value, target, root, path, troubles);
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let allowed = match &schema["type"] {
        Value::String(one) => one == kind,
        Value::Array(some) => some.iter().any(|one| one == kind),
        _ => true,
    };
    let listed = schema["enum"].as_array().is_none_or(|values| values.contains(value));
    let fixed = schema.get("const").is_none_or(|constant| constant == value);
    if !allowed || !listed || !fixed {
        troubles.push(format!("{path}: {value} is not allowed"));
    }
    if value.is_object() {
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if value.get(key).is_none() {
                troubles.push(format!("{path}: lacks {key}"));
            }
        }
    }
    for (key, field) in value.as_object().into_iter().flatten() {
        let inner = schema["properties"].get(key).or_else(|| schema.get("additionalProperties"));
        if inner == Some(&Value::Bool(false)) {
            troubles.push(format!("{path}: {key} is not known"));
        } else if let Some(inner) = inner {
            check(field, inner, root, &format!("{path}/{key}"), troubles);
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        check(item, &schema["items"], root, &format!("{path}/{index}"), troubles);
    }
}

#[test]
fn reports_keep_to_the_schema() {
    let schema: Value = serde_json::from_str(json::SCHEMA).expect("the schema is JSON");
    let mut troubles = Vec::new();
    for story in names_in("testdata/bundles") {
        let opened = judged::story(&story);
        let text = json::render(opened.report(), &opened.bundle.sources);
        let value = serde_json::from_str(&text).expect("a report is JSON");
        check(&value, &schema, &schema, &story, &mut troubles);
    }
    report(troubles);
}

#[test]
fn a_report_that_lacks_a_key_is_noticed() {
    let schema: Value = serde_json::from_str(json::SCHEMA).expect("the schema is JSON");
    let mut troubles = Vec::new();
    check(
        &serde_json::json!({ "schema": "fleetlens/report/2" }),
        &schema,
        &schema,
        "",
        &mut troubles,
    );
    assert!(troubles.iter().any(|trouble| trouble.contains("lacks findings")));
    assert!(troubles.iter().any(|trouble| trouble.contains("not allowed")));
}
