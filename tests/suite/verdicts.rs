//! Answers of a real API server: `testdata/verdicts/*.jsonl`, each case judged as it was asked.
//!
//! A case is refused by us if a finding of severity error has layer api-server or webhook. Set
//! `FLEETLENS_VERDICTS` to a `.jsonl.gz` file to judge that instead and see every disagreement.

use std::io::Read as _;

use fleetlens::internals::check::{CheckSettings, check};
use fleetlens::internals::finding::{Layer, Severity};
use fleetlens::internals::manifest::{FileRole, Repository, Setting, Webhooks};
use fleetlens::internals::source::{Encoding, Origin, Sources};
use serde_json::Value;

use crate::bless::names_in;

/// What we make of a case.
struct Answer {
    accepted: bool,
    pointers: Vec<String>,
    message: String,
}

fn ask(case: &Value, webhooks: Webhooks) -> Answer {
    let mut sources = Sources::default();
    let mut roles = Vec::new();
    let mut add = |name: &str, role: FileRole, text: &str| {
        sources.add(name, Origin::default(), Encoding::Utf8, text);
        roles.push(role);
    };
    add("<stdin>", FileRole::Judged, case["yaml"].as_str().unwrap_or_default());
    if let Some(old) = case["old_yaml"].as_str().filter(|_| case["op"] == "update") {
        add("old.yaml", FileRole::Old, old);
    }
    for given in case["given"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        add("context.yaml", FileRole::Context, given);
    }
    let repository = Repository::read(&sources, &roles, Setting { webhooks, ..Setting::default() });
    let report = check(&repository, &sources, &CheckSettings::default());
    let refusing: Vec<_> = report
        .findings
        .iter()
        .filter(|found| found.finding.severity == Severity::Error)
        .filter(|found| matches!(found.finding.layer, Some(Layer::ApiServer | Layer::Webhook)))
        .collect();
    Answer {
        accepted: refusing.is_empty(),
        pointers: refusing.iter().map(|found| found.primary.pointer.clone()).collect(),
        message: refusing.first().map(|found| found.finding.message.clone()).unwrap_or_default(),
    }
}

/// Turns the server's field path into a pointer.
fn pointer(field: &str) -> String {
    let mut out = String::new();
    for part in field.split('.') {
        let (name, rest) = part.split_once('[').unwrap_or((part, ""));
        if !name.is_empty() {
            out.push('/');
            out.push_str(&name.replace('~', "~0").replace('/', "~1"));
        }
        for index in rest.split(['[', ']']).filter(|index| !index.is_empty()) {
            out.push('/');
            out.push_str(index.trim_matches('"'));
        }
    }
    out
}

fn parent(pointer: &str) -> &str {
    pointer.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// Judges cases; returns counts and what differs.
fn judge(cases: &[Value], webhooks: Webhooks) -> (usize, usize, usize, Vec<String>) {
    let (mut agree, mut places, mut asked) = (0, 0, 0);
    let mut wrong = Vec::new();
    for case in cases {
        let answer = ask(case, webhooks);
        let strict = &case["strict"];
        let (id, mutation) = (&case["id"], &case["mutation"]);
        if strict["accepted"] != answer.accepted {
            wrong.push(format!(
                "{id} {mutation} {} server {} says {} we say {}",
                case["field"], strict["accepted"], strict["message"], answer.message
            ));
            continue;
        }
        agree += 1;
        let causes = strict["causes"].as_array().into_iter().flatten();
        let fields = causes.filter_map(|cause| cause["field"].as_str());
        let want: Vec<String> =
            fields.filter(|f| !f.is_empty() && *f != "<nil>").map(pointer).collect();
        if answer.accepted || want.is_empty() {
            continue;
        }
        asked += 1;
        let near = |ours: &String| {
            want.iter().any(|want| ours == want || parent(want) == ours || parent(ours) == want)
        };
        if answer.pointers.iter().any(near) {
            places += 1;
        } else {
            wrong.push(format!("{id} {mutation} place {want:?} ours {:?}", answer.pointers));
        }
    }
    (agree, places, asked, wrong)
}

fn cases_of(text: &str) -> Vec<Value> {
    let cases = text.lines().map(|line| serde_json::from_str(line).expect("a case is JSON"));
    cases.filter(|case: &Value| case["op"] != "delete").collect()
}

fn webhooks_of(cases: &[Value]) -> Webhooks {
    let hooked = cases.iter().any(|case| case["layer"] == "webhook");
    if hooked { Webhooks::On } else { Webhooks::Off }
}

#[test]
fn the_api_server_and_we_agree() {
    for name in names_in("testdata/verdicts").iter().filter(|name| name.ends_with(".jsonl")) {
        let text = std::fs::read_to_string(format!("testdata/verdicts/{name}")).expect("testdata");
        let cases = cases_of(&text);
        let (.., wrong) = judge(&cases, webhooks_of(&cases));
        assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
    }
}

#[test]
fn the_named_verdicts_agree() {
    let Some(path) = std::env::var_os("FLEETLENS_VERDICTS") else { return };
    let bytes = std::fs::read(path).expect("the named file can be read");
    let mut text = String::new();
    flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("it is gzip");
    let mut cases = cases_of(&text);
    let webhooks = webhooks_of(&cases);
    let fleet = |case: &Value| {
        case["apiVersion"].as_str().is_some_and(|version| version.contains("kubernetes-fleet.io"))
    };
    cases.retain(|case| webhooks == Webhooks::Off || fleet(case));
    let (agree, places, asked, wrong) = judge(&cases, webhooks);
    panic!("agree {agree} of {}, places {places} of {asked}\n{}", cases.len(), wrong.join("\n"));
}
