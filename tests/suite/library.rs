//! The library as a program without a command line uses it: input from memory, text out.

use std::io::Write as _;

use fleetlens::types::{Health, Severity};
use fleetlens::{
    AnalyzeOptions, CheckOptions, Format, Input, Look, PlanOptions, TimelineOptions, TreeOptions,
    analyze, check, plan, timeline, tree,
};

use crate::checking::{EXTERNAL, RUN, STRATEGY};

const STORY: &str = "testdata/bundles/run-stuck-image-pull/capture";

/// Returns the files of a folder as a program would hold them, under the paths below the folder.
fn held(folder: &str) -> Vec<Input> {
    let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
    let files = files.filter(|entry| entry.file_type().is_file());
    let read = files.map(|entry| {
        let name = entry.path().strip_prefix("testdata/bundles").expect("below the folder");
        Input::bytes(name.to_string_lossy(), std::fs::read(entry.path()).expect("a file"))
    });
    read.collect()
}

/// Returns a report without the folders that only one of two inputs has.
fn codes(inputs: &[Input]) -> Vec<(String, u32, String)> {
    let judged = analyze(inputs, &AnalyzeOptions::default()).expect("it can be read");
    let line = |found: &fleetlens::types::ResolvedFinding| {
        (found.finding.code.to_owned(), found.primary.start.line, found.finding.message.clone())
    };
    judged.report.findings.iter().map(line).collect()
}

#[test]
fn bytes_are_judged_like_the_files_that_hold_them() {
    let on_disk = codes(&[Input::from(STORY)]);
    assert!(on_disk.len() > 1, "{on_disk:?}");
    assert_eq!(codes(&held(STORY)), on_disk);
}

#[test]
fn an_archive_in_memory_is_opened() {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for input in held(STORY) {
        let Input::Bytes { name, bytes } = input else { continue };
        zip.start_file(name, zip::write::SimpleFileOptions::default()).expect("an entry");
        zip.write_all(&bytes).expect("room");
    }
    let bytes = zip.finish().expect("an archive").into_inner();
    let judged = analyze(&[Input::bytes("ticket.zip", bytes)], &AnalyzeOptions::default());
    let judged = judged.expect("it is in memory");
    assert_eq!(judged.report.findings.len(), codes(&[Input::from(STORY)]).len());
    let digests = judged.report.provenance.expect("it is known of what it was made").inputs;
    assert_eq!(digests.len(), 1);
    assert_eq!(digests[0].name, "ticket.zip");
}

#[test]
fn manifests_are_checked_with_what_is_said_about_them() {
    let placement = [Input::bytes("shop.yaml", EXTERNAL)];
    let alone = check(&placement, &CheckOptions::default()).expect("it is in memory");
    let codes: Vec<&str> = alone.report.findings.iter().map(|one| one.finding.code).collect();
    assert_eq!(codes, ["FL1318"]);
    let context = vec![Input::bytes("run.yaml", RUN), Input::bytes("rings.yaml", STRATEGY)];
    let options = CheckOptions { context, ..CheckOptions::default() };
    let known = check(&placement, &options).expect("it is in memory");
    assert!(!known.report.reaches(Severity::Note), "{:?}", known.report.findings);
    let old = vec![Input::bytes("old.yaml", EXTERNAL)];
    let options = CheckOptions { old, ..CheckOptions::default() };
    let edited = EXTERNAL.replace("PickAll", "PickN\n    numberOfClusters: 1");
    let edited = check(&[Input::bytes("shop.yaml", edited)], &options).expect("it is in memory");
    let text = edited.render(Format::Concise, Look::plain(80));
    assert!(edited.report.reaches(Severity::Error), "{text}");
}

#[test]
fn views_are_made_of_bytes() {
    let options = TimelineOptions::default();
    let shown = timeline(&held(STORY), &options).expect("it is in memory");
    assert!(shown.content.moments.len() > 10);
    assert!(shown.to_json().starts_with('['));
    let shown = tree(&held(STORY), &TreeOptions::default()).expect("it is in memory");
    assert!(shown.to_text(100).contains("FL0"), "findings stand at their nodes");
    let object = "Deployment/mailer/mailer-api".parse().ok();
    let options = TreeOptions { object, ..TreeOptions::default() };
    let shown = tree(&held(STORY), &options).expect("it is in memory");
    assert!(shown.to_dot().contains("mailer-api") && shown.to_mermaid().contains("mailer-api"));
    let members = "apiVersion: cluster.kubernetes-fleet.io/v1\nkind: MemberCluster\nmetadata: {name: east, labels: {ring: canary}}\n";
    let options = PlanOptions { members: vec![Input::bytes("members.yaml", members)] };
    let shown = plan(&[Input::bytes("rings.yaml", STRATEGY)], &options).expect("in memory");
    assert!(shown.to_text(100).contains("east"), "{}", shown.to_text(100));
}

#[test]
fn what_is_nothing_is_said_and_what_is_not_there_is_an_error() {
    let notes = [Input::bytes("notes.txt", "hello")];
    let judged = analyze(&notes, &AnalyzeOptions::default()).expect("it is in memory");
    assert_eq!(judged.report.health(), Health::Nothing);
    assert!(analyze(&[Input::from("no/such/bundle")], &AnalyzeOptions::default()).is_err());
}
