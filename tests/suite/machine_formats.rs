//! Formats for other programs: goldens of six stories, and what each format promises to its readers.

use std::path::Path;

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::config::Config;
use fleetlens::internals::engine::judge;
use fleetlens::internals::report::{azure, github, gitlab, junit, sarif};
use serde_json::Value;

use crate::bless::{golden, names_in, report};
use crate::judged;

/// Stories of all kinds: pre-emption, stuck, gate, initialization, placement without runs, nothing wrong.
pub(crate) const STORIES: [&str; 6] = [
    "run-preempted",
    "run-stuck-two-reasons",
    "run-approval-stale-before",
    "run-cluster-in-two-stages",
    "place-agent-dead-rollout",
    "place-healthy-pdb-envelope",
];

#[test]
fn six_stories_are_told_to_programs_as_expected() {
    let mut troubles = Vec::new();
    for story in STORIES {
        let opened = judged::story(story);
        let judged = opened.report();
        let folder = Path::new("testdata/reports").join(story);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let texts = [
            ("report.sarif", sarif::render(judged, &opened.bundle.sources)),
            ("junit.xml", junit::render(judged)),
            ("gitlab.json", gitlab::render(judged)),
            ("azure.txt", azure::render(judged)),
        ];
        troubles.extend(texts.iter().filter_map(|(name, text)| {
            golden(
                &folder.join(name),
                &text.replace(fleetlens::internals::grammar::digest(), "DIGEST"),
            )
            .err()
        }));
    }
    report(troubles);
}

#[test]
fn the_regions_of_sarif_are_true() {
    for story in STORIES {
        let opened = judged::story(story);
        let judged = opened.report();
        let log: Value =
            serde_json::from_str(&sarif::render(judged, &opened.bundle.sources)).expect("JSON");
        let results = log["runs"][0]["results"].as_array().expect("results");
        assert_eq!(results.len(), judged.findings.len(), "{story}");
        for place in results.iter().flat_map(|result| {
            let related = result["relatedLocations"].as_array();
            result["locations"].as_array().into_iter().chain(related).flatten()
        }) {
            let place = &place["physicalLocation"];
            let uri = place["artifactLocation"]["uri"].as_str().expect("a path");
            let file = Path::new("testdata/bundles").join(story).join("capture").join(uri);
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let region = &place["region"];
            let number = |key: &str| {
                usize::try_from(region[key].as_u64().expect("a number")).expect("a small number")
            };
            let line = text.lines().nth(number("startLine") - 1).unwrap_or_default();
            let shown = region["snippet"]["text"].as_str().expect("a snippet");
            let here: String = line.chars().skip(number("startColumn") - 1).collect();
            let first = shown.split_whitespace().next().unwrap_or_default();
            assert!(here.starts_with(first), "{story} {uri}: {first:?} is not where {region} says");
        }
    }
}

#[test]
fn a_result_is_known_again_after_lines_moved() {
    let fingerprints = |path: &str| -> Vec<String> {
        let bundle = Bundle::open(&[path.to_owned()]).expect("it opens");
        let judged = judge(&bundle, &Config::default());
        let log: Value =
            serde_json::from_str(&sarif::render(&judged, &bundle.sources)).expect("JSON");
        let results = log["runs"][0]["results"].as_array().cloned().unwrap_or_default();
        let print = |it: &Value| it["partialFingerprints"]["fleetlensFinding/v1"].to_string();
        let mut all: Vec<String> = results.iter().map(print).collect();
        all.sort();
        all
    };
    let story = "testdata/bundles/run-approval-stale-before/capture";
    let folder = tempfile::tempdir().expect("a folder");
    for name in names_in(story) {
        let text = std::fs::read_to_string(Path::new(story).join(&name)).expect("a file");
        std::fs::write(folder.path().join(&name), format!("# one\n# two\n{text}")).expect("a file");
    }
    let before = fingerprints(story);
    assert!(!before.is_empty());
    assert_eq!(before, fingerprints(&folder.path().to_string_lossy()));
}

#[test]
fn a_symptom_carries_the_way_from_its_cause() {
    let opened = judged::story("place-agent-dead-rollout");
    let judged = opened.report();
    let log: Value =
        serde_json::from_str(&sarif::render(judged, &opened.bundle.sources)).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let mut symptoms = 0;
    for (result, finding) in results.iter().zip(&judged.findings) {
        let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array();
        assert_eq!(steps.is_some(), !finding.explained_by.is_empty(), "{}", finding.id);
        symptoms += usize::from(steps.is_some_and(|steps| steps.len() > 1));
    }
    assert!(symptoms > 0, "no symptom in this story");
}

#[test]
fn nothing_of_a_hostile_bundle_ends_a_command_or_a_document() {
    for case in names_in("testdata/regress") {
        let Ok(bundle) = Bundle::open(&[format!("testdata/regress/{case}")]) else { continue };
        let judged = judge(&bundle, &Config::default());
        let xml = junit::render(&judged);
        let mut reader = quick_xml::Reader::from_str(&xml);
        loop {
            match reader.read_event() {
                Ok(quick_xml::events::Event::Eof) => break,
                Ok(_) => {}
                Err(error) => panic!("{case}: {error}\n{xml}"),
            }
        }
        let lines = azure::render(&judged).lines().count();
        assert_eq!(lines, judged.findings.len(), "{case}: a line per finding");
        assert_eq!(github::render(&judged).lines().count(), judged.findings.len(), "{case}");
        serde_json::from_str::<Value>(&gitlab::render(&judged)).expect("JSON");
    }
}

#[test]
fn reports_tell_of_what_they_were_made_and_nothing_of_the_machine() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().join("home-of-an-engineer");
    std::fs::create_dir_all(home.join("ticket")).expect("a folder");
    let story = "testdata/bundles/run-approval-stale-before/capture";
    for name in names_in(story) {
        std::fs::copy(Path::new(story).join(&name), home.join("ticket").join(&name))
            .expect("a file");
    }
    let one = home.join("ticket/clusterapprovalrequests.yaml");
    for input in [home.join("ticket"), one] {
        let input = format!(
            "{}/./{}",
            folder.path().display(),
            input.strip_prefix(folder.path()).expect("below").display()
        );
        let mut codes = Vec::new();
        for format in
            ["json", "markdown", "reply", "html", "sarif", "junit", "gitlab", "azure", "github"]
        {
            let done = std::process::Command::new(env!("CARGO_BIN_EXE_fleetlens"))
                .args([
                    "analyze",
                    &input,
                    "--now",
                    "2026-11-16T12:40:00Z",
                    "--ignore",
                    "FL0901",
                    "-o",
                    format,
                ])
                .output()
                .expect("it runs");
            codes.push(done.status.code());
            let text = String::from_utf8_lossy(&done.stdout);
            assert!(text.len() > 100, "{format}: {text}");
            assert!(!text.contains("home-of"), "{format}:\n{text}");
            assert!(!text.contains(&*folder.path().to_string_lossy()), "{format}:\n{text}");
            if ["json", "markdown", "html", "sarif", "junit"].contains(&format) {
                let told =
                    ["--now 2026-11-16T12:40:00Z", "--ignore FL0901", env!("CARGO_PKG_VERSION")];
                let digest = fleetlens::internals::grammar::digest();
                for told in told.iter().chain([&digest]) {
                    assert!(text.contains(told), "{format} lacks {told}:\n{text}");
                }
                let given = text.contains("given by --now") || text.contains("\"given\"");
                assert!(given, "{format} does not tell how the clock was found:\n{text}");
                let digests = fleetlens::internals::input::digests(&[
                    fleetlens::internals::input::Input::from(&input),
                ]);
                assert!(text.contains(&digests[0].sha256), "{format} lacks the digest:\n{text}");
            }
        }
        assert!(codes.iter().all(|code| *code == codes[0]), "{input}: {codes:?}");
    }
}
