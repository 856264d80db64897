//! `fleetlens explain CODE --sample`: the samples are bad cases of the rules that stand in one text.
//!
//! What the rules point at in them is what `fleetlens explain FIELD` says of a field.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fleetlens::internals::grammar::kind::find_kind;
use fleetlens::internals::rule::{Rule, RuleScope};
use fleetlens::internals::rules;
use fleetlens::types::{Place, ResolvedFinding, Surroundings};
use fleetlens::{AnalyzeOptions, CheckOptions, Input, analyze, check};

use crate::bless::{golden, names_in, report};

/// Larger cases are no samples.
const LARGEST: usize = 12_000;

/// At least so many of a hundred rules have one; the others need an archive, an edit, several logs or a fleet around.
const SHARE: usize = 90;

#[test]
fn every_rule_has_a_sample_that_it_finds_something_in() {
    let mut troubles = Vec::new();
    let mut kept = BTreeSet::new();
    let mut fields = String::new();
    let mut without = Vec::new();
    for rule in rules::ALL {
        match smallest(rule) {
            Some((text, findings)) => {
                let name = format!("{}.txt", rule.code);
                let path = Path::new("grammar/samples").join(&name);
                troubles.extend(golden(&path, &text).err());
                kept.insert(name);
                for field in pointed(&findings) {
                    fields.push_str(&format!("{} {field}\n", rule.code));
                }
            }
            None => without.push(rule.code),
        }
    }
    let there = names_in("grammar/samples").into_iter().filter(|name| !kept.contains(name));
    troubles.extend(there.map(|name| format!("grammar/samples/{name} is the sample of no rule")));
    if kept.len() * 100 < rules::ALL.len() * SHARE {
        troubles.push(format!("no case is a sample of {}", without.join(", ")));
    }
    troubles.extend(golden(Path::new("grammar/pointed.txt"), &fields).err());
    report(troubles);
}

/// Returns the plainest and smallest bad case of a rule that yields its code as one text, and what it yields.
fn smallest(rule: &Rule) -> Option<(String, Vec<ResolvedFinding>)> {
    let folder = format!("testdata/rules/{}-{}", rule.code, rule.name);
    let cases = names_in(&folder).into_iter().filter(|name| name.starts_with("bad"));
    let cases = cases.filter(|name| !name.ends_with(".txt") && !name.contains(".fixed."));
    let mut texts: Vec<(bool, String)> = cases
        .filter_map(|case| {
            // The case without a further name is the plain one.
            let special = case.trim_end_matches(".yaml") != "bad";
            Some((special, in_one_text(&Path::new(&folder).join(case))?))
        })
        .collect();
    texts.retain(|(_, text)| text.len() <= LARGEST);
    texts.sort_by_key(|(special, text)| (*special, text.len(), text.clone()));
    texts.into_iter().find_map(|(_, text)| {
        let findings = judged(rule, &text);
        (!findings.is_empty()).then_some((text, findings))
    })
}

/// Joins the files of a case: one file as it is, several if all of them are YAML.
fn in_one_text(case: &Path) -> Option<String> {
    let files = files_below(case);
    let yaml = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "yaml");
    let text = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        ["yaml", "json", "txt", "md", "log"].contains(&ending)
    };
    if !files.iter().all(text) || files.len() > 1 && !files.iter().all(yaml) {
        return None;
    }
    let texts: Option<Vec<String>> =
        files.iter().map(|path| std::fs::read_to_string(path).ok()).collect();
    let whole = |text: String| if text.ends_with('\n') { text } else { text + "\n" };
    Some(texts?.into_iter().map(whole).collect::<Vec<_>>().join("---\n"))
}

fn files_below(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    names_in(path).iter().flat_map(|name| files_below(&path.join(name))).collect()
}

/// Returns the findings of a rule in one text.
fn judged(rule: &Rule, text: &str) -> Vec<ResolvedFinding> {
    let inputs = [Input::bytes("<stdin>", text)];
    let select = vec![rule.code.to_owned()];
    let found = match rule.scope() {
        RuleScope::Manifest => {
            let surroundings = Surroundings::Unknown;
            check(&inputs, &CheckOptions { select, surroundings, ..CheckOptions::default() })
        }
        RuleScope::Bundle => {
            analyze(&inputs, &AnalyzeOptions { select, ..AnalyzeOptions::default() })
        }
    };
    let Ok(found) = found else { return Vec::new() };
    let own = |resolved: &ResolvedFinding| resolved.finding.code == rule.code;
    found.report.findings.into_iter().filter(own).collect()
}

/// Returns the fields at which findings point: the family of their kind, and their path without indexes.
fn pointed(findings: &[ResolvedFinding]) -> BTreeSet<String> {
    let places =
        findings.iter().flat_map(|found| std::iter::once(&found.primary).chain(&found.related));
    let field = |place: &Place| {
        let spec = find_kind(&place.object.as_ref()?.kind)?;
        let steps = place.pointer.split('/').skip(1);
        let steps: Vec<&str> =
            steps.filter(|step| !step.bytes().all(|byte| byte.is_ascii_digit())).collect();
        let known = spec.is_fleet() && !steps.is_empty();
        known.then(|| format!("{} {}", spec.family.name(), steps.join(".")))
    };
    places.filter_map(field).collect()
}
