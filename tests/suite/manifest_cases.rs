//! Every rule about manifests has `bad*` and `good*` inputs in `testdata/rules/<CODE>-<name>/`.
//!
//! An input is a file, or a folder in which `old*` holds what is stored so far, `context*` what else
//! is there, `fleetlens.toml` and `baseline.json` steer the check of the whole folder (on 2027-01-01),
//! and everything else is judged. A bad input yields the code, and the report of this rule alone is
//! the golden `<case>.txt`; a good input does not yield the code, and of its family at most what
//! `testdata/neighbours-manifests.txt` lists. Where the rule offers a fix, the
//! files after all fixes of this rule are the goldens `<case>.fixed.yaml`.

use std::collections::BTreeSet;
use std::path::Path;

use fleetlens::internals::check::{Baseline, CheckExtent, CheckSettings, apply_fixes, check};
use fleetlens::internals::config::{FileConfig, Policy};
use fleetlens::internals::engine::Report;
use fleetlens::internals::finding::Safety;
use fleetlens::internals::manifest::{FileRole, Repository, Setting};
use fleetlens::internals::report::human::{self, Asks, Detail, Look};
use fleetlens::internals::rule::RuleScope;
use fleetlens::internals::source::{Encoding, Origin, Sources};

use crate::bless::{Neighbours, chosen, golden, is_of_one_rule, names_in, neighbours, report};

/// Files that are not judged but say how.
const STEERING: [&str; 2] = ["fleetlens.toml", "baseline.json"];

const LOOK: Look = Look { asks: Asks::Listed, detail: Detail::All, ..Look::plain(80) };

#[test]
fn every_manifest_rule_finds_its_bad_cases_and_spares_its_good_ones() {
    let mut troubles = Vec::new();
    let mut spoken = Neighbours::new();
    for rule in chosen(RuleScope::Manifest) {
        let folder = format!("testdata/rules/{}-{}", rule.code, rule.name);
        for word in ["bad", "good"] {
            let is_case = |name: &String| {
                name.starts_with(word) && !name.ends_with(".txt") && !name.contains(".fixed.")
            };
            let cases: Vec<String> = names_in(&folder).into_iter().filter(is_case).collect();
            if cases.is_empty() {
                troubles.push(format!("{folder} has no {word} case"));
            }
            for case in cases {
                let (found, sources) = judge(&folder, &case, rule.code);
                let yields = !found.findings.is_empty();
                if yields != (word == "bad") {
                    troubles.push(format!("{folder}/{case} yields {}: {yields}", rule.code));
                } else if yields {
                    let stem = case.strip_suffix(".yaml").unwrap_or(&case);
                    let text = human::render(&found, &sources, LOOK);
                    let path = Path::new(&folder).join(format!("{stem}.txt"));
                    troubles.extend(golden(&path, &text).err());
                    troubles.extend(fixed(&folder, &case, rule.code, &found));
                } else if let Some(told) = told_by_family(&folder, &case, rule.code) {
                    spoken.push((format!("{}-{}/{case}", rule.code, rule.name), told));
                }
            }
        }
    }
    if !is_of_one_rule() {
        troubles.extend(neighbours(Path::new("testdata/neighbours-manifests.txt"), &spoken));
    }
    report(troubles);
}

/// Returns the codes of a rule's family that a case yields.
fn told_by_family(folder: &str, case: &str, code: &str) -> Option<String> {
    let (sources, roles) = read(folder, case);
    let found = judge_sources(&sources, &roles, None, case);
    let codes = found.findings.iter().map(|resolved| resolved.finding.code);
    let codes: BTreeSet<&str> = codes.filter(|it| it.get(..4) == code.get(..4)).collect();
    (!codes.is_empty()).then(|| codes.into_iter().collect::<Vec<_>>().join(" "))
}

/// Makes all fixes of a case, and says what is wrong with them.
fn fixed(folder: &str, case: &str, code: &str, found: &Report) -> Vec<String> {
    if found.findings.iter().all(|resolved| resolved.remedy.is_none()) {
        return Vec::new();
    }
    let (sources, roles) = read(folder, case);
    let judge = |sources: &Sources| judge_sources(sources, &roles, Some(code), case);
    let mended = apply_fixes(&sources, &roles, Safety::Consent, &judge);
    let mut troubles = Vec::new();
    if mended.report.fixed.is_empty() {
        troubles.push(format!("{folder}/{case}: the fix was given up"));
    }
    if mended.report.findings.iter().any(|resolved| resolved.remedy.is_some()) {
        troubles.push(format!("{folder}/{case}: a fix is left after fixing"));
    }
    for (old, new) in sources.iter().zip(mended.sources.iter()) {
        if old.text() == new.text() {
            continue;
        }
        let stem = case.strip_suffix(".yaml").unwrap_or(case);
        let name = if sources.iter().count() == 1 {
            format!("{stem}.fixed.yaml")
        } else {
            format!("{stem}.fixed.{}", old.path())
        };
        troubles.extend(golden(&Path::new(folder).join(name), new.text()).err());
    }
    let again = apply_fixes(&mended.sources, &roles, Safety::Consent, &judge);
    if !again.report.fixed.is_empty() {
        troubles.push(format!("{folder}/{case}: fixing twice changes more than once"));
    }
    troubles
}

fn judge(folder: &str, case: &str, code: &str) -> (Report, Sources) {
    let (sources, roles) = read(folder, case);
    (judge_sources(&sources, &roles, Some(code), case), sources)
}

fn judge_sources(sources: &Sources, roles: &[FileRole], code: Option<&str>, case: &str) -> Report {
    let steering = |name: &str| sources.iter().find(|source| source.path() == name);
    let file = steering(STEERING[0]).map(FileConfig::parse);
    let file = file.transpose().expect("a configuration can be read").unwrap_or_default();
    let baseline = steering(STEERING[1]).map(Baseline::parse);
    let baseline = baseline.transpose().expect("a baseline can be read");
    let repository = Repository::read(sources, roles, Setting::default());
    let today = Some(jiff::civil::date(2027, 1, 1));
    let settings = CheckSettings {
        select: code.map(str::to_owned).into_iter().collect(),
        policy: Policy { today, ..file.policy },
        baseline,
        extent: CheckExtent::Whole,
        ..CheckSettings::default()
    };
    let mut found = check(&repository, sources, &settings);
    found.coverage.inputs = vec![case.to_owned()];
    found
}

fn read(folder: &str, case: &str) -> (Sources, Vec<FileRole>) {
    let mut sources = Sources::default();
    let mut roles = Vec::new();
    let path = format!("{folder}/{case}");
    let files = if Path::new(&path).is_dir() {
        names_in(&path).into_iter().map(|name| (format!("{path}/{name}"), name)).collect()
    } else {
        vec![(path, case.to_owned())]
    };
    for (path, name) in files {
        let text = std::fs::read_to_string(&path).expect("testdata can be read");
        sources.add(name.clone(), Origin::default(), Encoding::Utf8, text);
        roles.push(match name {
            name if name.starts_with("old") => FileRole::Old,
            name if name.starts_with("context") => FileRole::Context,
            name if STEERING.contains(&name.as_str()) => FileRole::Config,
            _ => FileRole::Judged,
        });
    }
    (sources, roles)
}
