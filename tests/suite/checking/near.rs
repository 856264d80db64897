//! A check reads what stands near the judged files first, and says the same as if it had read everything.

use std::path::PathBuf;

use super::{EXTERNAL, RUN, STRATEGY, Scratch};

/// Returns the codes of a check that reads the whole repository: what JSON tells takes all of it.
fn codes_of_all(scratch: &Scratch, path: &str) -> Vec<String> {
    let ended = scratch.check(&["--format", "json", path]);
    let report: serde_json::Value = serde_json::from_str(&ended.out).expect("JSON");
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let mut codes: Vec<String> =
        findings.iter().map(|it| it["code"].as_str().unwrap_or_default().to_owned()).collect();
    codes.sort();
    codes
}

fn codes(scratch: &Scratch, path: &str) -> Vec<String> {
    let ended = scratch.check(&[path]);
    let mut codes: Vec<String> = ended.codes().into_iter().map(str::to_owned).collect();
    codes.sort();
    codes
}

#[test]
fn what_stands_in_another_folder_excuses() {
    let scratch = Scratch::repository();
    scratch.write("runs/run.yaml", RUN);
    scratch.commit();
    assert!(!codes(&scratch, "runs/run.yaml").is_empty(), "nothing is there that the run names");
    scratch.write("far/placement.yaml", EXTERNAL);
    scratch.write("away/strategy.yaml", STRATEGY);
    scratch.commit();
    assert_eq!(codes(&scratch, "runs/run.yaml"), Vec::<String>::new());
    assert_eq!(codes(&scratch, "far/placement.yaml"), Vec::<String>::new());
}

#[test]
fn a_third_file_elsewhere_does_not_hide_that_a_folder_defines_something_twice() {
    let scratch = Scratch::repository();
    for name in ["a/one.yaml", "b/one.yaml", "b/two.yaml"] {
        scratch.write(name, STRATEGY);
    }
    scratch.commit();
    for path in ["b/one.yaml", "b/two.yaml"] {
        assert_eq!(codes(&scratch, path), ["FL1021"], "{path}");
        assert_eq!(codes_of_all(&scratch, path), ["FL1021"], "{path}");
    }
    assert_eq!(codes(&scratch, "a/one.yaml"), Vec::<String>::new());
}

/// Some of the cases of the rules, each in a folder of its own: they define and name the same objects over and over.
#[test]
fn near_and_all_say_the_same() {
    const EVERY: usize = 23;
    let cases = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/rules"));
    let files = walkdir::WalkDir::new(&cases).sort_by_file_name().into_iter();
    let files = files.filter_map(Result::ok).map(walkdir::DirEntry::into_path);
    let files = files.filter(|path| {
        path.to_string_lossy().contains("/FL1") && path.extension().is_some_and(|it| it == "yaml")
    });
    let scratch = Scratch::repository();
    let mut judged = Vec::new();
    for path in files.step_by(EVERY) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let name = path.strip_prefix(&cases).expect("a case").to_string_lossy().into_owned();
        scratch.write(&name, &text);
        judged.push(name);
    }
    scratch.commit();
    assert!(judged.len() > 20, "only {} files", judged.len());
    for name in &judged {
        assert_eq!(codes(&scratch, name), codes_of_all(&scratch, name), "{name}");
    }
}
