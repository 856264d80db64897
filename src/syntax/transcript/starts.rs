//! Whether a line begins something that a parser can read.
//!
//! The rules by which a section of free text is classified; state is not needed, only the line and
//! the next one that is neither blank nor cut.
//! Invariant: prose and mail headers begin nothing.

use super::field_name::is_known_label;
use super::json_depth::begins_json;
use super::logline::is_log_line;
use super::section::SectionSyntax;
use super::shape::{indent, is_describe_name, is_table_header, label, yaml_key};

/// Returns the form that begins with `text`; `next` is the line behind it that says something.
pub(super) fn start(text: &str, next: &str) -> Option<SectionSyntax> {
    if text.trim().is_empty() {
        return None;
    }
    if is_log_line(text) {
        return Some(SectionSyntax::Log);
    }
    if is_table_header(text) {
        return Some(SectionSyntax::Table);
    }
    if begins_json(text) {
        return Some(SectionSyntax::Json);
    }
    if begins_describe(text, next) {
        return Some(SectionSyntax::Describe);
    }
    begins_yaml(text, next).then_some(SectionSyntax::Yaml)
}

fn begins_describe(text: &str, next: &str) -> bool {
    let Some(first) = label(text) else { return false };
    let second = label(next);
    if begins_tail(first.text, next) && !first.padded {
        return true;
    }
    if is_describe_name(text) {
        return second.is_some()
            || next.trim_start().starts_with(|at: char| at.is_ascii_uppercase());
    }
    let Some(second) = second else {
        // A list of plain values below a label: `Finalizers:`, `Cluster Names:`.
        return !first.padded && is_known_label(first.text) && indent(next) > indent(text) && {
            !next.trim().contains(' ') && yaml_key(next).is_none()
        };
    };
    // `The strategy it uses:` before an object is prose.
    let known = is_known_label(first.text) || (first.padded && is_known_label(second.text));
    let nested = is_known_label(first.text) && is_known_label(second.text);
    known && (first.padded || second.padded || (nested && indent(next) > indent(text)))
}

/// Says whether a label begins the last part of a described pod or workload: its containers, its conditions or its
/// events.
fn begins_tail(label: &str, next: &str) -> bool {
    let mut words = next.split_whitespace();
    let mut starts = |expected: [&str; 2]| expected.iter().all(|word| words.next() == Some(word));
    match label {
        "Events" => starts(["Type", "Reason"]),
        "Conditions" => starts(["Type", "Status"]),
        "Containers" | "Init Containers" => {
            let name = next.trim().strip_suffix(':').unwrap_or_default();
            next.starts_with(' ') && !name.is_empty() && !name.contains(' ')
        }
        _ => false,
    }
}

fn begins_yaml(text: &str, next: &str) -> bool {
    let Some(key) = yaml_key(text) else { return false };
    if !key.starts_with(|at: char| at.is_ascii_lowercase()) {
        return false;
    }
    let value = value_of(text);
    let below = yaml_key(next).is_some() || next.trim_start().starts_with("- ");
    let open = value.is_empty() || value.starts_with('#');
    match key {
        "apiVersion" => is_api_version(value),
        "kind" => is_kind(value) && below,
        "metadata" | "spec" | "status" | "items" => {
            (open && below && is_below(text, next)) || value == "{}"
        }
        // A fragment that begins somewhere inside an object.
        _ => {
            let known = is_known_label(key) || yaml_key(next).is_some_and(is_known_label);
            known && below && (!open || is_below(text, next))
        }
    }
}

/// Says whether `next` is nested below `text`: deeper, or an item at the same column.
fn is_below(text: &str, next: &str) -> bool {
    indent(next) > indent(text)
        || (indent(next) == indent(text) && next.trim_start().starts_with("- "))
}

fn value_of(text: &str) -> &str {
    text.split_once(':').map(|(_, value)| value.trim()).unwrap_or_default()
}

fn is_api_version(value: &str) -> bool {
    let value = value.trim_matches(['"', '\'']);
    let version = value.rsplit('/').next().unwrap_or(value);
    let plain = |at: char| at.is_ascii_alphanumeric() || matches!(at, '.' | '-' | '/');
    let digit = version.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    version.starts_with('v') && digit && value.chars().all(plain)
}

fn is_kind(value: &str) -> bool {
    let value = value.trim_matches(['"', '\'']);
    value.starts_with(|at: char| at.is_ascii_uppercase())
        && value.chars().all(|at| at.is_ascii_alphanumeric())
}

/// Says whether the line is YAML of an object as such, wherever it stands.
pub(super) fn is_object_start(text: &str) -> bool {
    yaml_key(text).is_some_and(|key| key == "apiVersion" && is_api_version(value_of(text)))
        || is_describe_name(text)
        || is_table_header(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_known_by_two_lines() {
        let cases = [
            ("apiVersion: placement.kubernetes-fleet.io/v1", "kind: X", Some(SectionSyntax::Yaml)),
            ("kind: ClusterStagedUpdateRun", "metadata:", Some(SectionSyntax::Yaml)),
            ("status:", "  conditions:", Some(SectionSyntax::Yaml)),
            ("- lastTransitionTime: \"2026\"", "  message: x", Some(SectionSyntax::Yaml)),
            ("  conditions:", "  - lastTransitionTime: x", Some(SectionSyntax::Yaml)),
            ("Name:         web", "Namespace:    shop", Some(SectionSyntax::Describe)),
            ("Name:         web", "API Version:  v1", Some(SectionSyntax::Describe)),
            ("    Last Transition Time:  2026", "    Message:    x", Some(SectionSyntax::Describe)),
            (" Placement Statuses:", "    Cluster Name:  a", Some(SectionSyntax::Describe)),
            ("Events:", "  Type    Reason  Age  From  Message", Some(SectionSyntax::Describe)),
            ("Containers:", "  web:", Some(SectionSyntax::Describe)),
            ("{", "  \"kind\": 1", Some(SectionSyntax::Json)),
            ("NAME   AGE", "", Some(SectionSyntax::Table)),
            ("I1115 22:42:51.700112       1 a.go:73] x", "", Some(SectionSyntax::Log)),
        ];
        for (text, next, want) in cases {
            assert_eq!(start(text, next), want, "{text}");
        }
    }

    #[test]
    fn prose_and_mail_headers_begin_nothing() {
        let cases = [
            ("From: Ann <ann@contoso.example>", "To: support"),
            ("status: open", "priority: high"),
            ("kind: regards", "Ann"),
            ("Customer:   Contoso", "Severity:   B"),
            ("Note: it hangs", "see below"),
            ("spec: see attachment", "thanks"),
            ("items:", "first, the run"),
        ];
        for (text, next) in cases {
            assert_eq!(start(text, next), None, "{text}");
        }
    }
}
