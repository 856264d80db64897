//! Pieces as tickets carry them: `testdata/pastes/<name>/capture`, judged by `expect.yaml` beside it.
//!
//! An expectation names what a reader must learn, not the words of a report: the objects at which a leading finding
//! points, words that it says, and objects that nobody may accuse. `healthy: true` allows notes only.

use std::fs;

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::config::Config;
use fleetlens::internals::engine::judge;
use fleetlens::internals::report::json;
use serde_json::Value;

use crate::bless::{names_in, report};

#[test]
fn every_paste_is_told_as_an_expert_reads_it() {
    let mut troubles = Vec::new();
    for name in names_in("testdata/pastes") {
        let folder = format!("testdata/pastes/{name}");
        let expected = fs::read_to_string(format!("{folder}/expect.yaml")).unwrap_or_default();
        let expected: Value = serde_yaml::from_str(&expected).expect("an expectation is YAML");
        let bundle = Bundle::open(&[format!("{folder}/capture")]).expect("a paste can be read");
        let told = json::render(&judge(&bundle, &Config::default()), &bundle.sources);
        let told: Value = serde_json::from_str(&told).expect("a report is JSON");
        let findings = list(&told, "findings").to_vec();
        troubles.extend(wrong(&expected, &findings).into_iter().map(|it| format!("{name}: {it}")));
    }
    assert!(names_in("testdata/pastes").len() >= 25);
    report(troubles);
}

/// Returns what a report does not tell as expected.
fn wrong(expected: &Value, findings: &[Value]) -> Vec<String> {
    let is_true = |value: &Value, key: &str| value[key].as_bool() == Some(true);
    let accuses = |finding: &Value| finding["severity"] != "note";
    if is_true(expected, "healthy") {
        return findings.iter().filter(|finding| accuses(finding)).map(show).collect();
    }
    let leads = |finding: &&Value| list(finding, "explained_by").is_empty();
    let mut troubles = Vec::new();
    let causes = list(expected, "causes");
    for cause in causes {
        let meets = |finding: &&Value| {
            let enough = match finding["severity"].as_str() {
                Some("error") => true,
                Some("warning") => is_true(cause, "warn") || is_true(cause, "note"),
                _ => is_true(cause, "note"),
            };
            enough
                && list(cause, "places").iter().any(|place| points(finding, place))
                && says(finding, cause)
        };
        let hit: Vec<&Value> = findings.iter().filter(leads).filter(meets).collect();
        if hit.is_empty() {
            troubles.push(format!("not told: {cause}"));
        } else if is_true(cause, "first")
            && !findings.first().is_some_and(|first| hit.contains(&first))
        {
            troubles.push(format!("not first: {cause}"));
        }
    }
    let known: Vec<&Value> = causes
        .iter()
        .flat_map(|cause| list(cause, "places"))
        .chain(list(expected, "allowed"))
        .collect();
    for finding in findings.iter().filter(leads) {
        let elsewhere =
            !known.iter().any(|place| objects(finding).any(|object| same(place, object)));
        if is_true(expected, "strict") && finding["severity"] == "error" && elsewhere {
            troubles.push(format!("false: {}", show(finding)));
        }
        let quiet = list(expected, "quiet").iter().any(|place| same(place, &finding["object"]));
        if quiet && accuses(finding) {
            troubles.push(format!("to be quiet: {}", show(finding)));
        }
    }
    troubles
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn show(finding: &Value) -> String {
    format!("{} {}", finding["code"], finding["message"])
}

/// Returns the objects that a finding points at.
fn objects(finding: &Value) -> impl Iterator<Item = &Value> {
    let related = list(finding, "related").iter().map(|place| &place["object"]);
    [&finding["object"]].into_iter().chain(related)
}

fn same(place: &Value, object: &Value) -> bool {
    let agrees = |key: &str| place[key].is_null() || place[key] == object[key];
    object.is_object() && ["kind", "name", "namespace", "cluster"].iter().all(|key| agrees(key))
}

/// Says whether a finding points at an object, and at the field of it where one is wanted.
fn points(finding: &Value, place: &Value) -> bool {
    let wanted = place["field"].as_str();
    let last = wanted.and_then(|field| field.split(['.', '[', ']']).rfind(|key| !key.is_empty()));
    let shows = |field: &Value, text: &Value| {
        let field = field.as_str().unwrap_or_default();
        let key = |key: &str| field.split(['.', '[', ']']).any(|step| step == key);
        let text = text.as_str().unwrap_or_default();
        last.is_none_or(key) || wanted.is_some_and(|wanted| text.contains(wanted))
    };
    let own =
        same(place, &finding["object"]) && shows(&finding["field"], &finding["primary"]["text"]);
    let mut related = list(finding, "related").iter();
    own || related
        .any(|other| same(place, &other["object"]) && shows(&other["field"], &other["text"]))
}

/// Says whether a finding says every word that a cause asks for, of alternatives one.
fn says(finding: &Value, cause: &Value) -> bool {
    let texts = [&finding["message"], &finding["help"], &finding["primary"]["label"]];
    let labels = list(finding, "related").iter().map(|place| &place["label"]);
    let commands = list(finding, "commands").iter().map(|command| &command["text"]);
    let all = texts.into_iter().chain(labels).chain(commands);
    let words: Vec<String> = all.filter_map(Value::as_str).map(str::to_lowercase).collect();
    list(cause, "says").iter().filter_map(Value::as_str).all(|wanted| {
        let mut any = wanted.split('|').map(|word| word.trim().to_lowercase());
        any.any(|word| words.iter().any(|text| text.contains(&word)))
    })
}

#[test]
fn an_expectation_that_is_not_met_is_seen() {
    let finding = serde_json::json!({
        "code": "FL0401", "severity": "warning", "message": "web waits", "object": {"kind": "Pod", "name": "web"},
    });
    let expect = |text: &str| serde_yaml::from_str::<Value>(text).expect("YAML");
    let met = expect("causes: [{places: [{kind: Pod}], says: [waits|holds], warn: true}]");
    assert!(wrong(&met, std::slice::from_ref(&finding)).is_empty());
    for unmet in [
        "healthy: true",
        "causes: [{places: [{kind: Pod}], says: [waits]}]",
        "causes: [{places: [{kind: Job}], warn: true}]",
        "causes: [{places: [{kind: Pod}], says: [crashes], warn: true}]",
        "quiet: [{kind: Pod}]",
    ] {
        assert!(!wrong(&expect(unmet), std::slice::from_ref(&finding)).is_empty(), "{unmet}");
    }
}
