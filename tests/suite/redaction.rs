//! The law of redaction: the findings of a redacted bundle are the redacted findings of the bundle.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::config::Config;
use fleetlens::internals::engine::{Report, judge};
use fleetlens::internals::graph;
use fleetlens::internals::redact::{Names, Redactor};
use fleetlens::internals::source::Sources;

use crate::bless::{names_in, report};
use crate::judged;

/// Says what a report says, in an order that does not depend on names.
fn told(report: &Report, rewrite: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut told: Vec<String> = report
        .findings
        .iter()
        .map(|resolved| {
            let (finding, place) = (&resolved.finding, &resolved.primary);
            let object = place.object.as_ref().map(ToString::to_string).unwrap_or_default();
            let folded = resolved.explained_by.len();
            let line = place.start.line;
            rewrite(&format!("{} {folded} {line} {object} {}", finding.code, finding.message))
        })
        .collect();
    told.sort();
    told
}

#[test]
fn findings_of_the_redacted_bundle_are_the_redacted_findings() {
    let root = Path::new("testdata/bundles");
    let mut troubles = Vec::new();
    // Every other one: the names of a story are drawn, and the next is as good.
    for story in names_in(root).into_iter().step_by(2) {
        let capture = root.join(&story).join("capture");
        if !capture.is_dir() {
            continue;
        }
        let opened = judged::story(&story);
        let graph = graph::build(&opened.bundle, None);
        let redactor = Redactor::new(&Names::of(&opened.bundle, &graph), BTreeMap::new());
        let folder = tempfile::tempdir().expect("a folder");
        let other = folder.path().join("capture.tgz");
        let mut command = Command::new(env!("CARGO_BIN_EXE_fleetlens"));
        let done = command.arg("redact").arg(&capture).arg("-o").arg(&other).output();
        let done = done.expect("it runs");
        if !done.status.success() {
            troubles.push(format!("{story}: {}", String::from_utf8_lossy(&done.stderr)));
            continue;
        }
        let redacted = Bundle::open(&[other.display().to_string()]).expect("it opens");
        let left = told(&judge(&redacted, &Config::default()), &|text| text.to_owned());
        let right = told(opened.report(), &|text| redactor.text(text));
        let leaks = |sources: &Sources| sources.iter().any(|it| redactor.leak(it.text()).is_some());
        if leaks(&redacted.sources) {
            troubles.push(format!("{story}: a name is still there"));
        }
        for line in left.iter().filter(|line| !right.contains(line)) {
            troubles.push(format!("{story}: only redacted: {line}"));
        }
        for line in right.iter().filter(|line| !left.contains(line)) {
            troubles.push(format!("{story}: only whole:    {line}"));
        }
    }
    report(troubles);
}

/// Runs the program and returns what it printed.
fn printed(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fleetlens"));
    let done = command.args(arguments).output().expect("it runs");
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.code().is_some_and(|code| code < 2), "{arguments:?}: {errors}");
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(!text.trim().is_empty(), "{arguments:?}: nothing printed");
    text
}

#[test]
fn every_report_of_every_command_can_be_redacted() {
    let story = "testdata/bundles/run-preempted/capture";
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json");
    let json = printed(&["analyze", story, "--exit-zero", "--format", "json"]);
    assert!(json.contains("remit-1-5-0"), "the name is in the whole report");
    std::fs::write(&report, json).expect("a file");
    let report = report.to_string_lossy();
    let formats = "human concise json markdown reply html sarif junit gitlab github azure";
    let analyzed = formats.split(' ').map(|format| vec!["analyze", story, "-o", format]);
    let others = [
        vec!["timeline", story],
        vec!["timeline", story, "--all"],
        vec!["timeline", story, "-o", "json"],
        vec!["tree", story],
        vec!["tree", story, "-o", "json"],
        vec!["tree", story, "-o", "mermaid"],
        vec!["plan", story],
        vec!["plan", story, "-o", "json"],
        vec!["dump", story, "--tree"],
        vec!["dump", story, "-o", "json"],
        vec!["diff", story, story],
        vec!["diff", story, story, "-o", "json"],
        vec!["verify", &report, story],
    ];
    for mut arguments in analyzed.chain(others) {
        arguments.push("--redact");
        let text = printed(&arguments).to_lowercase();
        let at = text.find("remit").unwrap_or_default();
        let near = text.get(at.saturating_sub(60)..(at + 60).min(text.len())).unwrap_or_default();
        assert!(!text.contains("remit"), "{arguments:?}: {near}");
    }
    let manifest = folder.path().join("strategy.yaml");
    let text = "apiVersion: placement.kubernetes-fleet.io/v1\nkind: ClusterStagedUpdateStrategy\n\
                metadata: {name: contoso-rings}\nspec:\n  stages:\n  - name: contoso-eu\n  - name: contoso-eu\n";
    std::fs::write(&manifest, text).expect("a file");
    let manifest = manifest.to_string_lossy();
    for format in formats.split(' ') {
        let text = printed(&["check", &manifest, "-o", format, "--redact"]);
        assert!(!text.to_lowercase().contains("contoso"), "{format}: {text}");
    }
}

/// Packs texts into a gzipped tar.
fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
    let encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut tar = tar::Builder::new(encoder);
    for (path, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, path, *bytes).expect("memory");
    }
    tar.into_inner().and_then(flate2::write::GzEncoder::finish).expect("memory")
}

const HOSTILE: &str = "apiVersion: v1\nkind: List\nitems:\n\
- apiVersion: cluster.kubernetes-fleet.io/v1\n  kind: MemberCluster\n  metadata:\n    name: contoso-prod-eu\n    \
  annotations:\n      owner: bob@contoso-mail.example.com\n      node: ip-10-20-30-41\n      \
  page: https://portal.azure.com/?u=bob%40contoso-mail.example.com&c=CONTOSO-PROD-EU\n      \
  inner: eyJjbHVzdGVyIjoiY29udG9zby1wcm9kLWV1In0=\n      \
  id: /subscriptions/2b03bfb8-e885-4566-a62a-909a11d71692/resourceGroups/rg-contoso/x\n      \
  alone: 2b03bfb8-e885-4566-a62a-909a11d71692\n      address: 10.20.30.41\n\
- apiVersion: v1\n  kind: Secret\n  metadata:\n    name: contoso-token\n    namespace: contoso-apps\n  \
  data:\n    token: aHVudGVyMi1jYW5hcnk=\n  stringData:\n    plain: canary-in-the-open\n\
- apiVersion: admissionregistration.k8s.io/v1\n  kind: ValidatingWebhookConfiguration\n  metadata:\n    name: contoso-guard\n  \
  webhooks:\n  - name: guard.contoso.example.com\n    clientConfig:\n      \
  caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUNBTkFSWQotLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==\n";

#[test]
fn nested_archives_paths_secrets_and_other_encodings_are_redacted() {
    let log = "I1116 12:50:19.639000 1 x.go:1] \"Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJlLWNhbmFyeQ\" cluster=\"contoso-prod-eu\"\n";
    let inner = packed(&[("contoso-prod-eu/hub-agent.log", log.as_bytes())]);
    let outer = packed(&[
        ("upload/hub/objects.yaml", HOSTILE.as_bytes()),
        ("upload/logs-of-contoso-prod-eu.tgz", &inner),
    ]);
    let folder = tempfile::tempdir().expect("a folder");
    let (given, map) = (folder.path().join("given.tgz"), folder.path().join("names.json"));
    std::fs::write(&given, outer).expect("a file");
    let given = given.to_string_lossy();
    let mut texts = Vec::new();
    for name in ["one.tgz", "two.tgz"] {
        let out = folder.path().join(name);
        let (out, map) = (out.to_string_lossy(), map.to_string_lossy());
        printed(&["redact", &given, "-o", &out, "--map", &map]);
        let bundle = Bundle::open(&[out.into_owned()]).expect("it opens");
        let all = bundle.sources.iter().map(|it| {
            let path = it.path().rsplit_once(name).map(|(_, below)| below).unwrap_or_default();
            format!("{path}\n{}", it.text())
        });
        texts.push(all.collect::<Vec<_>>().join("\n"));
    }
    let [text, again] = texts.as_slice() else { panic!("two texts") };
    assert_eq!(text, again, "an earlier map gives the same names");
    assert_eq!(text.matches("hub-agent.log").count(), 1, "what was nested is there:\n{text}");
    let low = text.to_lowercase();
    for word in [
        "contoso",
        "bob",
        "10-20-30",
        "10.20.30",
        "2b03bfb8",
        "canary",
        "ahvudgvy",
        "licaturr",
        "y29udg9z",
        "mjtq0foqvjz",
        "mlisunb",
        "eyjzdwi",
    ] {
        assert!(!low.contains(word), "{word}:\n{text}");
    }
    for kept in ["MemberCluster", "ValidatingWebhookConfiguration", "clientConfig", "Secret"] {
        assert!(text.contains(kept), "{kept}:\n{text}");
    }
}
