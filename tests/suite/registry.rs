//! Promises about the rules as a whole, and the generated list of them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use fleetlens::internals::engine::run_rules;
use fleetlens::internals::graph;
use fleetlens::internals::rule::{Reads, RuleScope, World};
use fleetlens::internals::rules;

use crate::bless::{golden, names_in, report};
use crate::judged::open;

/// A rule as its source file declares it.
struct Declared {
    code: String,
    path: String,
}

fn declared() -> Vec<Declared> {
    let mut found = Vec::new();
    for area in names_in("src/rules").into_iter().filter(|name| !name.ends_with(".rs")) {
        for file in names_in(format!("src/rules/{area}")) {
            let text =
                std::fs::read_to_string(format!("src/rules/{area}/{file}")).unwrap_or_default();
            let Some((_, after)) = text.split_once("pub static ") else { continue };
            let id = after.split(' ').next().unwrap_or_default();
            let Some((_, code)) = after.split_once("code: \"") else { continue };
            let code = code.split('"').next().unwrap_or_default().to_owned();
            found.push(Declared {
                code,
                path: format!("{area}::{}::{id}", file.trim_end_matches(".rs")),
            });
        }
    }
    found.sort_by(|left, right| left.code.cmp(&right.code));
    found
}

#[test]
fn the_list_of_rules_is_fresh() {
    let text = std::fs::read_to_string("src/rules.rs").expect("src/rules.rs is there");
    let (head, rest) =
        text.split_once("pub static ALL: &[&Rule] = &[\n").expect("the list has its head");
    let (_, tail) = rest.split_once("];\n").expect("the list has its end");
    let mut list = String::new();
    for rule in declared() {
        let _ = writeln!(list, "    &{},", rule.path);
    }
    report(
        golden(
            Path::new("src/rules.rs"),
            &format!("{head}pub static ALL: &[&Rule] = &[\n{list}];\n{tail}"),
        )
        .err()
        .into_iter()
        .collect(),
    );
}

#[test]
fn every_area_names_its_files() {
    let mut troubles = Vec::new();
    for area in names_in("src/rules").into_iter().filter(|name| !name.ends_with(".rs")) {
        let path = format!("src/rules/{area}.rs");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let head: String = text
            .lines()
            .take_while(|line| line.starts_with("//!") || line.is_empty())
            .map(|line| format!("{line}\n"))
            .collect();
        let rest: Vec<&str> = text
            .lines()
            .skip(head.lines().count())
            .filter(|line| !line.starts_with("pub mod "))
            .collect();
        let mut fresh = format!("{}\n\n", head.trim_end());
        for file in
            names_in(format!("src/rules/{area}")).iter().filter(|name| name.ends_with(".rs"))
        {
            let _ = writeln!(fresh, "pub mod {};", file.trim_end_matches(".rs"));
        }
        let rest = rest.join("\n");
        if !rest.trim().is_empty() {
            let _ = write!(fresh, "\n{}\n", rest.trim());
        }
        troubles.extend(golden(Path::new(&path), &fresh).err());
    }
    report(troubles);
}

#[test]
fn codes_are_unique_sorted_and_well_formed() {
    let codes: Vec<&str> = rules::ALL.iter().map(|rule| rule.code).collect();
    let names: BTreeSet<&str> = rules::ALL.iter().map(|rule| rule.name).collect();
    assert_eq!(names.len(), codes.len(), "names are unique");
    assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "codes are unique and sorted");
    for code in &codes {
        let digits = code.strip_prefix("FL").unwrap_or_default();
        assert!(digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()), "{code}");
    }
    report(
        golden(
            Path::new("testdata/codes.txt"),
            &rules::ALL
                .iter()
                .map(|rule| format!("{} {}\n", rule.code, rule.name))
                .collect::<String>(),
        )
        .err()
        .into_iter()
        .collect(),
    );
}

/// Numbers that rules once had, or may have had: reports and suppressions out there still name them.
const RETIRED: [&str; 4] = ["FL0402", "FL0739", "FL1110", "FL1205"];

#[test]
fn no_number_of_a_retired_rule_is_used_again() {
    let used = rules::ALL.iter().map(|rule| rule.code).filter(|code| RETIRED.contains(code));
    report(used.map(|code| format!("{code} had another meaning once")).collect());
}

#[test]
fn every_rule_has_a_family() {
    let orphans = rules::ALL.iter().filter(|rule| rule.family().is_none());
    report(orphans.map(|rule| format!("{} is of no family", rule.code)).collect());
}

#[test]
fn rules_about_manifests_and_no_others_declare_a_layer() {
    let odd = |rule: &&&fleetlens::internals::rule::Rule| {
        rule.layer.is_some() != (rule.scope() == RuleScope::Manifest)
    };
    report(rules::ALL.iter().filter(odd).map(|rule| rule.code.to_owned()).collect());
}

#[test]
fn file_static_and_name_agree() {
    let mut troubles = Vec::new();
    for rule in declared() {
        let mut parts = rule.path.rsplit("::");
        let (id, file) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let known = rules::ALL.iter().find(|known| known.code == rule.code);
        let name = known.map(|known| known.name.replace('-', "_")).unwrap_or_default();
        if name != file || name.to_uppercase() != id {
            troubles.push(format!("{}: file {file}, static {id}, name {name}", rule.code));
        }
    }
    report(troubles);
}

#[test]
fn every_page_has_its_headings() {
    let mut troubles = Vec::new();
    for rule in rules::ALL {
        for heading in ["## Why it matters", "## What to do"] {
            if !rule.page.contains(heading) {
                troubles.push(format!("the page of {} lacks {heading:?}", rule.code));
            }
        }
        if rule.summary().is_empty() || !rule.summary().ends_with('.') {
            troubles.push(format!("the page of {} does not start with a sentence", rule.code));
        }
    }
    report(troubles);
}

/// A rule declares what it asks for itself; its subject, the first kind, may also come with a fact that it asks
/// for. What a fact is made of is declared beside the fact.
#[test]
fn declared_reads_are_the_recorded_reads() {
    let mut recorded = vec![Reads::default(); rules::ALL.len()];
    for story in names_in("testdata/bundles") {
        record(&mut recorded, &format!("testdata/bundles/{story}/capture"));
    }
    let folders = names_in("testdata/rules");
    cases(&folders, "bad").iter().for_each(|case| record(&mut recorded, case));
    // What no finding needed may be asked where a rule stays silent.
    let lacking: Vec<String> = disagreements(&recorded)
        .iter()
        .flat_map(|(code, _)| folders.iter().filter(move |folder| folder.starts_with(code)))
        .cloned()
        .collect();
    cases(&lacking, "good").iter().for_each(|case| record(&mut recorded, case));
    report(disagreements(&recorded).into_iter().map(|(_, told)| told).collect());
}

/// Returns the cases of some folders whose names begin with a word.
fn cases(folders: &[String], word: &str) -> Vec<String> {
    let mut cases = Vec::new();
    for folder in folders {
        let names = names_in(format!("testdata/rules/{folder}")).into_iter();
        let names = names.filter(|name| name.starts_with(word) && !name.ends_with(".txt"));
        let names = names.filter(|name| !name.contains(".fixed."));
        cases.extend(names.map(|name| format!("testdata/rules/{folder}/{name}")));
    }
    cases
}

/// Adds what each rule reads of an input.
fn record(recorded: &mut [Reads], input: &str) {
    let opened = open(input).expect("testdata can be read");
    let graph = graph::build(&opened.bundle, None);
    let world = World::of_capture(&graph, &opened.bundle);
    for (slot, outcome) in recorded.iter_mut().zip(run_rules(rules::ALL, &world)) {
        slot.asked.extend(outcome.reads.asked);
        slot.by_facts.extend(outcome.reads.by_facts);
    }
}

/// Returns the rules that do not read what they declare, by their codes.
fn disagreements(recorded: &[Reads]) -> Vec<(&'static str, String)> {
    let mut troubles = Vec::new();
    let all = rules::ALL.iter().zip(recorded);
    for (rule, reads) in all.filter(|(rule, _)| rule.scope() == RuleScope::Bundle) {
        let declared: BTreeSet<_> = rule.reads.iter().copied().collect();
        let subject = rule.reads.first().filter(|kind| reads.by_facts.contains(kind));
        let read: BTreeSet<_> = reads.asked.iter().chain(subject).copied().collect();
        if declared != read {
            let told = format!("{} declares {declared:?} and reads {read:?}", rule.code);
            troubles.push((rule.code, told));
        }
    }
    troubles
}
