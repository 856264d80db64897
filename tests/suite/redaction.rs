//! The law of redaction: the findings of a redacted bundle are the redacted findings of the bundle.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use fleetlens::bundle::Bundle;
use fleetlens::config::Config;
use fleetlens::engine::{Report, judge};
use fleetlens::graph;
use fleetlens::redact::{Names, Redactor};
use fleetlens::source::Sources;

use crate::bless::{names_in, report};

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
    for story in names_in(root) {
        let capture = root.join(&story).join("capture");
        if !capture.is_dir() {
            continue;
        }
        let bundle = Bundle::open(&[capture.display().to_string()]).expect("it opens");
        let graph = graph::build(&bundle, None);
        let redactor = Redactor::new(&Names::of(&bundle, &graph), BTreeMap::new());
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
        let right = told(&judge(&bundle, &Config::default()), &|text| redactor.text(text));
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
