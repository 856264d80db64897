//! Fixes over everything that testdata has: they never make a manifest worse, and settle in one go;
//! and the options of the command that make or show them.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fleetlens::internals::check::{CheckSettings, apply_fixes, check};
use fleetlens::internals::engine::Report;
use fleetlens::internals::finding::{Safety, Severity};
use fleetlens::internals::manifest::{FileRole, Repository, Setting};
use fleetlens::internals::source::{Encoding, Origin, Sources};

use crate::bless::{names_in, report};

/// Returns every text of the testdata that may be a manifest, with a name for it.
fn texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for name in names_in("testdata/verdicts").iter().filter(|name| name.ends_with(".jsonl")) {
        let lines = std::fs::read_to_string(format!("testdata/verdicts/{name}")).expect("testdata");
        for line in lines.lines() {
            let case: serde_json::Value = serde_json::from_str(line).expect("a case is JSON");
            let text = case["yaml"].as_str().unwrap_or_default().to_owned();
            texts.push((format!("{name} {}", case["id"]), text));
        }
    }
    let files = walkdir::WalkDir::new("testdata/rules").sort_by_file_name().into_iter().flatten();
    for file in files.filter(|file| file.path().to_string_lossy().contains("/FL1")) {
        if file.path().extension().is_some_and(|extension| extension == "yaml") {
            let text = std::fs::read_to_string(file.path()).expect("testdata");
            texts.push((file.path().display().to_string(), text));
        }
    }
    texts
}

/// What a fix must not make worse.
struct State {
    errors: usize,
    torn: usize,
    objects: Vec<(String, usize)>,
}

impl State {
    fn of(report: &Report) -> Self {
        let codes = report.findings.iter().map(|one| one.finding.code);
        Self {
            errors: report.count(Severity::Error),
            torn: codes.filter(|code| matches!(*code, "FL1001" | "FL1002")).count(),
            objects: report.coverage.objects.clone(),
        }
    }
}

#[test]
fn a_fix_never_makes_a_manifest_worse() {
    let (mut troubles, mut changed) = (Vec::new(), 0);
    // Every other one: neighbours in these lists differ in one value.
    for (name, text) in texts().into_iter().step_by(2) {
        let mut sources = Sources::default();
        sources.add(name.as_str(), Origin::default(), Encoding::Utf8, text.as_str());
        let roles = [FileRole::Judged];
        // The text as it is is judged first.
        let before = OnceCell::new();
        let judge = |sources: &Sources| {
            let repository = Repository::read(sources, &roles, Setting::default());
            let report = check(&repository, sources, &CheckSettings::default());
            before.get_or_init(|| State::of(&report));
            report
        };
        let mended = apply_fixes(&sources, &roles, Safety::Consent, &judge);
        let before = before.get().expect("it was judged");
        let after = State::of(&mended.report);
        let text_after = mended.sources.iter().next().map(|source| source.text().to_owned());
        let same = text_after.as_deref() == Some(text.as_str());
        if same != mended.report.fixed.is_empty() {
            troubles
                .push(format!("{name}: the text changed without a fix, or the other way round"));
        }
        if after.errors > before.errors {
            troubles.push(format!("{name}: more errors than before"));
        }
        if after.torn > before.torn {
            troubles.push(format!("{name}: the text is broken, or a key stands twice"));
        }
        if after.objects != before.objects {
            troubles.push(format!("{name}: an object was lost"));
        }
        if mended.report.findings.iter().any(|resolved| resolved.remedy.is_some()) {
            troubles.push(format!("{name}: something is left to be fixed"));
        }
        changed += usize::from(!same);
    }
    assert!(changed > 50, "only {changed} texts were fixed at all");
    report(troubles);
}

/// Judges a text, and lets `spoil` change the report of what it became.
fn mend_one(text: &str, spoil: &dyn Fn(&str, &mut Report)) -> (String, Report) {
    let mut sources = Sources::default();
    sources.add("run.yaml", Origin::default(), Encoding::Utf8, text);
    let roles = [FileRole::Judged];
    let judge = |sources: &Sources| {
        let repository = Repository::read(sources, &roles, Setting::default());
        let mut report = check(&repository, sources, &CheckSettings::default());
        spoil(sources.as_slice()[0].text(), &mut report);
        report
    };
    let mended = apply_fixes(&sources, &roles, Safety::Consent, &judge);
    (mended.sources.as_slice()[0].text().to_owned(), mended.report)
}

#[test]
fn a_fix_that_does_harm_is_given_up_and_the_others_are_made() {
    let (kept, report) = mend_one(BAD, &|text, report| {
        if text != BAD {
            report.coverage.objects.clear();
        }
    });
    assert_eq!(kept, BAD, "an object would be lost by every fix");
    assert!(report.fixed.is_empty() && report.findings.iter().all(|one| one.remedy.is_none()));

    let (mended, report) = mend_one(BAD, &|text, report| {
        if text.contains("state: Run") {
            let more = report.findings.iter().cloned().map(|mut one| {
                one.finding.severity = Severity::Error;
                one
            });
            let more: Vec<_> = more.take(1).collect();
            report.findings.extend(more.iter().cycle().take(9).cloned());
        }
    });
    assert!(!mended.contains("state: Run") && mended.contains("Index: \"3\""), "{mended}");
    assert_eq!(report.fixed.len(), 2);
}

#[test]
fn line_ends_and_byte_order_marks_stay() {
    let fixed = |text: &str| mend_one(text, &|_, _| {}).0;
    let plain = fixed(BAD);
    let windows = |text: &str| text.replace('\n', "\r\n");
    assert_eq!(fixed(&windows(BAD)), windows(&plain));
    assert_eq!(fixed(&format!("\u{feff}{BAD}")), format!("\u{feff}{plain}"));
    assert_eq!(fixed(BAD.trim_end()), plain.trim_end());
}

const BAD: &str = "# keep me\napiVersion: placement.kubernetes-fleet.io/v1beta1\nkind: ClusterStagedUpdateRun\nmetadata:\n  name: shop-2\n  namespace: shop\nspec:\n  placementName: shop\n  stagedRolloutStrategyName: rings\n  resourceSnapshotIndex: 3\n";

/// A folder of its own for a test, which is gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fleetlens-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file for the test");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn run(options: &[&str], path: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fleetlens"))
        .arg("check")
        .args(options)
        .arg(path)
        .output()
        .expect("the program runs")
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file is there")
}

#[test]
fn fix_writes_what_is_safe_and_tells_what_is_left() {
    let folder = Folder::new("safe");
    let file = folder.file("run.yaml", BAD);
    let shown = run(&["--diff"], &file);
    assert_eq!(shown.status.code(), Some(1), "the file as it is has an error");
    let diff = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(diff.contains("\n-  namespace: shop\n") && diff.contains("Index: \"3\"\n"), "{diff}");
    assert_eq!(text(&file), BAD, "--diff writes nothing");

    let fixed = run(&["--fix"], &file);
    let safe = BAD.replace("  namespace: shop\n", "").replace("Index: 3", "Index: \"3\"");
    assert_eq!(text(&file), safe);
    assert_eq!(fixed.status.code(), Some(0));
    let told = String::from_utf8_lossy(&fixed.stdout).into_owned();
    assert!(told.contains("2 fixed. 1 fixable with --fix=all."), "{told}");

    run(&["--fix=all"], &file);
    assert_eq!(text(&file), format!("{safe}  state: Run\n"));
    assert_eq!(names_in(&folder.0), ["run.yaml"], "nothing is left beside the file");
}

#[test]
fn standard_input_is_never_fixed() {
    let refused = run(&["--fix"], Path::new("-"));
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--diff"));
}

#[cfg(unix)]
#[test]
fn links_are_followed_within_the_tree_only_and_modes_are_kept() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let (folder, other) = (Folder::new("links"), Folder::new("elsewhere"));
    let far = other.file("far.yaml", BAD);
    let near = folder.file("near.yaml", BAD);
    std::fs::set_permissions(&near, std::fs::Permissions::from_mode(0o640)).expect("a mode");
    symlink(&far, folder.0.join("out.yaml")).expect("a link");
    symlink(&near, folder.0.join("in.yaml")).expect("a link");

    let refused = run(&["--fix"], &folder.0.join("out.yaml"));
    assert_eq!(text(&far), BAD);
    assert_eq!(refused.status.code(), Some(1), "the error is still there");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("outside of the tree"));

    run(&["--fix"], &folder.0.join("in.yaml"));
    assert_ne!(text(&near), BAD);
    let mode = std::fs::metadata(&near).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    let link = std::fs::symlink_metadata(folder.0.join("in.yaml")).expect("it is there");
    assert!(link.is_symlink(), "the link stays a link");
}
