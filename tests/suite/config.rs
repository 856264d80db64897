//! `fleetlens.toml`: the shipped schema says what the code reads, and faults point at their place.

use std::collections::BTreeSet;

use fleetlens::internals::config::{FileConfig, IGNORE_KEYS, KEYS, Level, SCHEMA};
use fleetlens::internals::error::Fault;
use fleetlens::internals::finding::Severity;
use fleetlens::internals::manifest::Webhooks;
use fleetlens::internals::model::key::ObjectKey;
use fleetlens::internals::source::{Encoding, Origin, Sources};
use serde_json::{Value, json};

use crate::schema;

const ALL_KEYS: &str = r#"
fail-on = "warning"
webhooks = "off"
context = "fleet"
members = ["members.yaml"]
exclude = ["charts", "**/testdata/*.yaml"]
baseline = "known.json"
pages = "https://docs.example/rules/{code}"

[rules]
FL1006 = "off"
possible-overlap = "error"

[[ignore]]
rule = "external-never-run"
kind = "ClusterResource*"
namespace = ""
name = "legacy-*"
reason = "runs are made by the release pipeline"
expires = 2027-01-31

[[ignore]]
rule = "FL1006"
name = "web"
reason = "the old hub"
expires = "2027-02-28"
"#;

/// The same file as a JSON value, as an editor sees it.
fn all_keys_as_json() -> Value {
    json!({
        "fail-on": "warning", "webhooks": "off", "context": "fleet", "members": ["members.yaml"],
        "exclude": ["charts", "**/testdata/*.yaml"], "baseline": "known.json",
        "pages": "https://docs.example/rules/{code}",
        "rules": { "FL1006": "off", "possible-overlap": "error" },
        "ignore": [
            { "rule": "external-never-run", "kind": "ClusterResource*", "namespace": "",
              "name": "legacy-*", "reason": "runs are made by the release pipeline",
              "expires": "2027-01-31" },
            { "rule": "FL1006", "name": "web", "reason": "the old hub", "expires": "2027-02-28" },
        ],
    })
}

fn parse(text: &str) -> Result<FileConfig, (Vec<Fault>, Sources)> {
    let mut sources = Sources::default();
    let id = sources.add("fleetlens.toml", Origin::default(), Encoding::Utf8, text);
    FileConfig::parse(sources.get(id)).map_err(|faults| (faults, sources))
}

fn names(value: &Value) -> BTreeSet<&str> {
    value.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect()
}

#[test]
fn the_schema_has_the_keys_of_the_code_and_no_others() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    assert_eq!(names(&schema["properties"]), KEYS.iter().copied().collect());
    let entry = &schema["properties"]["ignore"]["items"];
    assert_eq!(names(&entry["properties"]), IGNORE_KEYS.iter().copied().collect());
    for closed in [&schema, entry] {
        assert_eq!(closed["additionalProperties"], json!(false));
    }
}

#[test]
fn a_file_with_every_key_is_read_and_keeps_to_the_schema() {
    let config = parse(ALL_KEYS).map_err(|(faults, _)| faults).expect("the sample is sound");
    assert_eq!(config.fail_on, Some(Severity::Warning));
    assert_eq!(config.webhooks, Some(Webhooks::Off));
    assert_eq!(config.context.as_deref(), Some("fleet"));
    assert_eq!(config.members, ["members.yaml"]);
    assert_eq!(config.baseline.as_deref(), Some("known.json"));
    assert!(config.exclude.iter().any(|pattern| pattern.covers("a/testdata/b.yaml")));
    let policy = &config.policy;
    assert_eq!(policy.level("FL1006"), Some(Level::Off));
    assert_eq!(policy.level("FL1106"), Some(Level::At(Severity::Error)));
    let key = ObjectKey::on_hub("ClusterResourcePlacement", "", "legacy-web");
    assert_eq!(policy.find_ignore("FL1318", &key), Some(0));
    assert_eq!(policy.find_ignore("FL1317", &key), None);
    let elsewhere = ObjectKey::on_hub("ClusterResourcePlacement", "team", "legacy-web");
    assert_eq!(policy.find_ignore("FL1318", &elsewhere), None);
    let used: BTreeSet<&str> = all_keys_as_json()["ignore"][0]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, _)| IGNORE_KEYS.iter().copied().find(|known| known == key).unwrap_or("?"))
        .collect();
    assert_eq!(used, IGNORE_KEYS.iter().copied().collect(), "the sample shows every key");

    let shipped: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let mut troubles = Vec::new();
    schema::check(&all_keys_as_json(), &shipped, &shipped, "", &mut troubles);
    assert_eq!(troubles, Vec::<String>::new());
}

#[test]
fn an_entry_holds_through_its_last_day() {
    let mut policy = parse(ALL_KEYS).map_err(|(faults, _)| faults).expect("sound").policy;
    let key = ObjectKey::on_hub("ClusterResourcePlacement", "", "legacy-web");
    for (day, holds) in [(30, true), (31, true)] {
        policy.today = Some(jiff::civil::date(2027, 1, day));
        assert_eq!(policy.find_ignore("FL1318", &key).is_some(), holds);
    }
    policy.today = Some(jiff::civil::date(2027, 2, 1));
    assert_eq!(policy.find_ignore("FL1318", &key), None);
}

/// Parses a text that is wrong; returns message, help, line, column and underlined text of each fault.
fn faults(text: &str) -> Vec<(String, String, (u32, u32), String)> {
    let (faults, sources) = parse(text).expect_err("the text is wrong");
    let tell = |fault: Fault| {
        let source = sources.get(fault.span.source);
        let at = source.position(fault.span.lo);
        let shown = source.slice(fault.span).to_owned();
        (fault.message, fault.help, (at.line, at.column), shown)
    };
    faults.into_iter().map(tell).collect()
}

#[test]
fn a_fault_says_where_and_what_was_meant() {
    for (text, message, help, place, shown) in [
        ("fail_on = \"error\"", "there is no key `fail_on`", "`fail-on`", (1, 1), "fail_on"),
        ("nonsense = 1", "there is no key `nonsense`", "there are fail-on", (1, 1), "nonsense"),
        ("fail-on = \"eror\"", "`eror` is not allowed", "`error`", (1, 11), "\"eror\""),
        ("webhooks = true", "expected text in quotes, found true or false", "", (1, 12), "true"),
        ("\nexclude = [\"a\", 3]", "expected text in quotes, found a number", "", (2, 17), "3"),
        ("ignore = 3", "expected tables: write [[ignore]], found a number", "", (1, 10), "3"),
        (
            "[rules]\nold-versio = \"off\"",
            "no rule `old-versio`",
            "`old-version`",
            (2, 1),
            "old-versio",
        ),
        (
            "[rules]\nFL1006 = \"off\"\nold-version = \"off\"",
            "given twice",
            "",
            (3, 1),
            "old-version",
        ),
        (
            "[[ignore]]\nrule = \"FL1006\"\nname = \"a\"",
            "lacks `reason`",
            "say why",
            (1, 1),
            "[[ignore]]",
        ),
        (
            "[[ignore]]\nrule = \"FL1006\"\nreason = \"a\"",
            "names no object",
            "[rules]",
            (1, 1),
            "[[ignore]]",
        ),
        (
            "[[ignore]]\nrule = \"FL1006\"\nname = \"a\"\nreason = \" \"",
            "`reason` is empty",
            "say why",
            (4, 10),
            "\" \"",
        ),
        (
            "[[ignore]]\nrule = \"FL1006\"\nname = \"a\"\nreason = \"b\"\nexpires = 12:00:00",
            "expected a date like 2027-01-31, found a time",
            "",
            (5, 11),
            "12:00:00",
        ),
        ("a = ", "string values must be quoted", "", (1, 5), ""),
    ] {
        let found = faults(text);
        let [only] = found.as_slice() else { panic!("{text}: {found:?}") };
        assert!(only.0.contains(message), "{text}: {}", only.0);
        assert!(only.1.contains(help), "{text}: {}", only.1);
        assert_eq!((only.2, only.3.as_str()), (place, shown), "{text}");
    }
}

#[test]
fn all_faults_are_told_at_once_in_their_order() {
    let found = faults("webhooks = 1\nb = 2\n[[ignore]]\nrule = 3\n");
    let lines: Vec<u32> = found.iter().map(|fault| fault.2.0).collect();
    assert!(lines.len() >= 4 && lines.is_sorted(), "{found:?}");
}
