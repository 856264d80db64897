//! A value as YAML in one line, without double quotes where that can be.
//!
//! kubectl takes a patch as JSON or YAML. JSON is full of double quotes, which bash, PowerShell and cmd each want escaped
//! in another way; this text stands between double quotes in all three.

use serde_json::Value;

/// Writes a patch in one line. A map must not begin with a brace, or kubectl reads it as JSON.
pub(super) fn yaml(value: &Value) -> String {
    match value {
        Value::Object(map) => match map.iter().next() {
            Some((key, inner)) if map.len() == 1 => format!("{}: {}", text(key), flow(inner)),
            _ => value.to_string(),
        },
        _ => flow(value),
    }
}

fn flow(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let entries = map.iter().map(|(key, inner)| format!("{}: {}", text(key), flow(inner)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", "))
        }
        Value::String(string) => text(string),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// Writes a text: as it is where YAML reads it back as a text, else between single quotes.
fn text(text: &str) -> String {
    const WORDS: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '_'));
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "-._/~".contains(c));
    if begins && plain && !WORDS.contains(&&*text.to_ascii_lowercase()) {
        return text.to_owned();
    }
    if text.chars().any(char::is_control) {
        return Value::String(text.to_owned()).to_string();
    }
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::yaml;

    #[test]
    fn a_patch_is_read_back_as_it_was() {
        for patch in [
            json!({"spec": {"state": "Stop"}}),
            json!([{"op": "test", "path": "/status/conditions/0/type", "value": "Approved"}]),
            json!([{"op": "replace", "path": "/metadata/labels/a~1b", "value": "yes"}]),
            json!({"spec": {"hard": {"requests.cpu": "500m", "pods": "12"}, "on": [1, true, null]}}),
            json!({"metadata": {"annotations": {"note": "it's: so #1", "": ""}}}),
            json!({"a": 1, "b": 2}),
            json!({"metadata": {"finalizers": null}}),
        ] {
            let read: serde_json::Value = serde_yaml::from_str(&yaml(&patch)).expect("it is YAML");
            assert_eq!(read, patch, "{}", yaml(&patch));
        }
        assert_eq!(yaml(&json!({"spec": {"state": "Stop"}})), "spec: {state: Stop}");
    }
}
