//! More evidence, never less diagnosis: what a part of a bundle tells, the whole tells, too.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use fleetlens::types::{ObjectKey, Report, Severity, Topic};
use fleetlens::{AnalyzeOptions, Input, analyze};
use rayon::prelude::*;

/// Returns the files below a folder, in order.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter();
    let files = entries.filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
    files.map(walkdir::DirEntry::into_path).collect()
}

/// Judges some files of a capture, each under its own path.
fn judge_files(capture: &Path, files: &[&PathBuf]) -> Report {
    let input = |file: &&PathBuf| {
        let name = file.strip_prefix(capture).expect("a file of the capture").to_string_lossy();
        Input::bytes(name, fs::read(file).expect("it can be read"))
    };
    let inputs: Vec<Input> = files.iter().map(input).collect();
    analyze(&inputs, &AnalyzeOptions::default()).expect("the files can be judged").report
}

/// Returns the objects that findings of a severity or worse speak of.
fn objects(report: &Report, least: Severity) -> BTreeSet<String> {
    let findings = report.findings.iter().map(|resolved| &resolved.finding);
    let findings = findings.filter(|finding| finding.severity >= least);
    let topics = findings.flat_map(|finding| finding.about.iter().chain(&finding.explains));
    topics.filter_map(Topic::object).map(spell).collect()
}

/// Returns the objects into which findings point.
fn shown(report: &Report) -> BTreeSet<String> {
    let places =
        report.findings.iter().flat_map(|it| std::iter::once(&it.primary).chain(&it.related));
    places.filter_map(|place| place.object.as_ref()).map(spell).collect()
}

/// Names an object without its cluster and namespace, which a part may not tell.
fn spell(key: &ObjectKey) -> String {
    format!("{} {}", key.kind, key.name)
}

#[test]
fn what_a_part_tells_the_whole_tells() {
    let stories = fs::read_dir("testdata/bundles").expect("the folder of stories");
    let stories: Vec<PathBuf> = stories.map(|story| story.expect("a story").path()).collect();
    assert!(stories.len() >= 20);
    let troubles: Vec<String> = stories.par_iter().flat_map_iter(|story| untold(story)).collect();
    assert!(troubles.is_empty(), "{}", troubles.join("\n"));
}

/// Returns what some file of a story tells alone and the whole does not.
fn untold(story: &Path) -> Vec<String> {
    let capture = story.join("capture");
    let files = files_in(&capture);
    let all: Vec<&PathBuf> = files.iter().collect();
    let whole = judge_files(&capture, &all);
    let mut told = objects(&whole, Severity::Note);
    told.extend(shown(&whole));
    let mut troubles = Vec::new();
    for one in all.iter().filter(|_| all.len() > 1) {
        let part = judge_files(&capture, &[one]);
        for object in objects(&part, Severity::Warning).difference(&told) {
            troubles.push(format!("{}: {object}", one.display()));
        }
    }
    troubles
}
