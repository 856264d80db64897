//! What must never be text of a report: the data of Secrets, and whatever looks like a credential.
//!
//! Works on plain text alone, so that it holds for what was parsed, what was passed over and what is broken:
//! [`zones`] finds the ranges of a text that belong to a Secret, [`SecretValues`] remembers their values, in base64 and
//! plain, to hide them wherever they are repeated, and [`hide_credentials`] hides what gives itself away by its form.
//! The arena of sources keeps the three beside the text, so no way from a text to a report goes around them.

mod base64;
mod credential;
mod escaped;
mod flow_values;
mod flow_zone;
mod known;
mod known_heads;
mod leaves;
mod line_prefix;
mod line_zone;
mod printed_zone;
mod row;
mod secret_fields;
mod signs;
mod unsettled_signs;

use std::ops::Range;

use credential::{Hints, find_credentials};
pub use credential::{credentials, hide_credentials};
pub use known::SecretValues;

/// What is shown instead of a value.
pub const HIDDEN: &str = "***";

/// How often a text may stand within a text: an object in an annotation of an object in a line of a log.
const DEEPEST: usize = 4;

/// Finds what of a text of a report must not be shown: values of Secrets in objects that it holds, and credentials.
///
/// One look tells of nearly every text that it holds none of them.
pub fn find_hidden(text: &str) -> Vec<Range<usize>> {
    let hints = Hints::of(text);
    let mut found = find_credentials(text, hints);
    if hints.zone {
        found.extend(zones(text));
    }
    apart(found)
}

/// Finds the parts of a text that are values of Secrets, in order and apart from each other.
pub fn zones(text: &str) -> Vec<Range<usize>> {
    // A carriage return alone ends a line, too; as a line feed it takes the same place.
    let bytes = text.as_bytes();
    let alone = |at: usize| bytes.get(at + 1) != Some(&b'\n');
    if memchr::memchr_iter(b'\r', bytes).any(alone) {
        let returns = text.replace("\r\n", " \n").replace('\r', "\n");
        return apart(zones_within(&returns, DEEPEST));
    }
    apart(zones_within(text, DEEPEST))
}

/// Finds the same in any order; `deepest` says how many more texts may stand within each other.
fn zones_within(text: &str, deepest: usize) -> Vec<Range<usize>> {
    let (mut found, signs) = line_zone::zones(text);
    if signs.in_braces {
        found.extend(flow_zone::zones(text, Some(&signs.places)));
    }
    found.extend(printed_zone::zones(text, &signs.printed));
    if deepest > 0 {
        for inner in escaped::texts_at(text, &signs.escaped) {
            let within = zones_within(inner.text(), deepest - 1);
            found.extend(within.into_iter().map(|zone| inner.way_back(zone)));
        }
    }
    found
}

/// Says whether a path is that of an environment variable's value, which may be a credential.
pub fn is_variable(path: &str) -> bool {
    path.contains("/env/") && path.ends_with("/value")
}

/// Brings ranges into order and joins those that overlap.
pub fn apart(mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    found.retain(|range| !range.is_empty());
    found.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(found.len());
    for range in found {
        match apart.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    apart
}

/// Writes a text with something else in the place of some ranges, which stand in order and apart.
pub fn hide(text: &str, ranges: &[Range<usize>]) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for range in ranges {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push_str(HIDDEN);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(text: &str) -> String {
        hide(text, &zones(text))
    }

    #[test]
    fn the_data_of_a_secret_is_hidden_and_its_keys_are_not() {
        let text = "apiVersion: v1\ndata:\n  a: eA==\n  b: |\n    x: y\n    z\nkind: Secret\nmetadata:\n  name: db\n";
        let want = "apiVersion: v1\ndata:\n  a: ***\n  b: ***\n    ***\n    ***\nkind: Secret\nmetadata:\n  name: db\n";
        assert_eq!(hidden(text), want);
    }

    #[test]
    fn a_config_map_beside_it_is_shown() {
        let text = "items:\n- kind: ConfigMap\n  data:\n    a: x\n- kind: Secret\n  stringData: {p: q}\n- data:\n    a: y\n  kind: ConfigMap\n";
        let want = "items:\n- kind: ConfigMap\n  data:\n    a: x\n- kind: Secret\n  stringData: ***\n- data:\n    a: y\n  kind: ConfigMap\n";
        assert_eq!(hidden(text), want);
    }

    #[test]
    fn describe_text_and_differences_of_a_work() {
        let text = "  Manifests:\n    API Version:  v1\n    Data:\n      Password:  eA==\n    Kind:        Secret\n  Other:  x\n";
        assert!(hidden(text).contains("Password:  ***\n"), "{}", hidden(text));
        let text = "- diffDetails:\n    observedDiffs:\n    - path: /data/p\n      valueInHub: abc\n  identifier:\n    kind: Secret\n    name: x\n- diffDetails:\n    observedDiffs:\n    - path: /data/p\n      valueInHub: kept\n  identifier:\n    kind: ConfigMap\n";
        let shown = hidden(text);
        assert!(!shown.contains("abc") && shown.contains("kept"), "{shown}");
    }

    #[test]
    fn an_override_of_a_secret() {
        let text = "spec:\n  policy:\n    overrideRules:\n    - jsonPatchOverrides:\n      - op: add\n        path: /data/x\n        value: abc\n  resourceSelectors:\n  - kind: Secret\n    name: db\n";
        assert!(hidden(text).contains("value: ***\n"), "{}", hidden(text));
    }

    #[test]
    fn json_on_one_line_and_cut() {
        let text = r#"{"items":[{"kind":"ConfigMap","data":{"a":"kept"}},{"data":{"a":"b64"},"kind":"Secret"},{"kind":"Secret","stringData":{"p":"q\"r"#;
        let want = r#"{"items":[{"kind":"ConfigMap","data":{"a":"kept"}},{"data":{"a":"***"},"kind":"Secret"},{"kind":"Secret","stringData":{"p":"***"#;
        assert_eq!(hidden(text), want);
    }

    #[test]
    fn items_of_a_list_that_are_passed_over_and_one_that_is_not() {
        let plain = "        {\n            \"spec\": {\n                \"a\": \"kept\"\n            },\n            \"kind\": \"Pod\"\n        }";
        let secret =
            plain.replace("Pod", "Secret").replace("spec", "data").replace("kept", "hidden");
        let odd = "        {\"data\": {\"a\": \"kept\"}, \"kind\": \"ConfigMap\"}";
        let items = [plain, odd, plain, &secret, plain, plain, odd, &secret, plain];
        let text = format!("{{\n    \"items\": [\n{}\n    ]\n}}\n", items.join(",\n"));
        let shown = hidden(&text);
        assert!(!shown.contains("hidden"), "{shown}");
        assert_eq!(shown.matches("kept").count(), text.matches("kept").count(), "{shown}");
    }

    #[test]
    fn a_list_that_tells_the_kind_of_its_items() {
        let text = "kind: SecretList\nitems:\n- metadata: {name: db}\n  data:\n    p: abc\n";
        assert_eq!(hidden(text), text.replace("abc", "***"));
        let text = r#"{"kind":"SecretList","items":[{"data":{"p":"abc"}}]}"#;
        assert_eq!(hidden(text), text.replace("abc", "***"));
    }

    #[test]
    fn differences_and_patches_between_braces() {
        let text = "- diffDetails:\n    observedDiffs:\n    - {path: /data/p, valueInHub: abc}\n  identifier: {kind: Secret, name: x}\n";
        assert_eq!(hidden(text), text.replace("abc", "***"));
        let text = "- observedDiffs: [{path: /data/p, valueInMember: abc}]\n  kind: Secret\n";
        assert_eq!(hidden(text), text.replace("abc", "***"));
        let text = "spec:\n  overrideRules:\n  - {op: add, path: /data, value: {a: b}}\n  resourceSelectors: [{kind: Secret}]\n";
        assert_eq!(hidden(text), text.replace("{a: b}", "***"));
    }

    #[test]
    fn what_go_prints() {
        let text = "&Secret{Data:map[string][]uint8{\"p\":[]uint8(\"abc\")}, Type:x}";
        assert_eq!(hidden(text), text.replace("abc", "***"));
        let text =
            "map[data:map[p:abc q:d e] kind:Secret metadata:map[name:x] stringData:map[r:f]] x";
        let want =
            "map[data:map[p:*** q:***] kind:Secret metadata:map[name:***] stringData:map[r:***]] x";
        assert_eq!(hidden(text), want);
    }

    #[test]
    fn a_flag_in_an_object_on_one_line() {
        let text = r#"{"kind":"ResourceEnvelope","data":{"s":{"kind":"Secret","data":{"p":"abcdefgh"}},"args":["--token","ghp_abc123def456ghi7"]}}"#;
        let shown = hidden(text);
        assert!(shown.contains("ResourceEnvelope") && !shown.contains("ghp_"), "{shown}");
        assert!(!shown.contains("abcdefgh"), "{shown}");
    }

    #[test]
    fn a_short_flag_of_a_program_that_takes_no_password() {
        let text = "args: [mkdir -p workspace --token abc123def456ghi7, data: x]\n";
        let shown = hidden(text);
        assert!(shown.contains("workspace") && !shown.contains("abc123"), "{shown}");
    }

    #[test]
    fn environment_variables_by_their_names() {
        let text = "env:\n- name: DB_PASSWORD\n  value: abc\n- name: LEVEL\n  value: info\n";
        assert_eq!(
            hidden(text),
            "env:\n- name: DB_PASSWORD\n  value: ***\n- name: LEVEL\n  value: info\n"
        );
    }

    #[test]
    fn the_body_of_a_private_key() {
        let text = "a: |\n  -----BEGIN RSA PRIVATE KEY-----\n  MIIE\n  xyz=\n  -----END RSA PRIVATE KEY-----\nb: c\n";
        let want =
            "a: |\n  -----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\nb: c\n";
        assert_eq!(hidden(text), want);
        let cut = "a: |\n  -----BEGIN RSA PRIVATE KEY-----\n  MIIE\nb: c\n";
        assert!(!hidden(cut).contains("MIIE") && hidden(cut).contains("b: c"), "{}", hidden(cut));
    }

    #[test]
    fn text_without_secrets_has_no_zone() {
        assert!(zones("kind: Deployment\nspec:\n  secretName: x\n").is_empty());
    }
}
