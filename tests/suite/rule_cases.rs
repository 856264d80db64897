//! Every rule has a folder `testdata/rules/<CODE>-<name>/` with `bad*` and `good*` inputs.
//!
//! A bad input yields the code and its report (of this rule alone) is the golden `<case>.txt`; a good
//! input does not yield the code, and of its family at most what `testdata/neighbours.txt` lists, with the
//! reason why the rule beside it speaks.

use std::collections::BTreeSet;
use std::path::Path;

use fleetlens::internals::config::Config;
use fleetlens::internals::engine::judge;
use fleetlens::internals::finding::{Finding, Severity};
use fleetlens::internals::report::human::{self, Asks, Detail, Look};
use fleetlens::internals::rule::{Check, Rule, RuleScope, World};
use fleetlens::internals::rules;

use crate::bless::{Neighbours, chosen, golden, is_of_one_rule, names_in, neighbours, report};
use crate::judged::open;

const LOOK: Look = Look { asks: Asks::Listed, detail: Detail::All, ..Look::plain(80) };

#[test]
fn every_rule_finds_its_bad_cases_and_spares_its_good_ones() {
    let mut troubles = Vec::new();
    let mut spoken = Neighbours::new();
    for rule in chosen(RuleScope::Bundle) {
        let folder = format!("testdata/rules/{}-{}", rule.code, rule.name);
        let names = names_in(&folder);
        let cases = |word: &str| -> Vec<String> {
            let is_case = |name: &&String| name.starts_with(word) && !name.ends_with(".txt");
            names.iter().filter(is_case).cloned().collect()
        };
        for word in ["bad", "good"] {
            // A rule that breaks down is made in the test of the engine, not by an input.
            if cases(word).is_empty() && rule.name != "broken-rule" {
                troubles.push(format!("{folder} has no {word} case"));
            }
        }
        for case in cases("bad") {
            troubles.extend(judge_bad(&folder, &case, rule.code).err());
        }
        for case in cases("good") {
            match judge_good(&folder, &case, rule.code) {
                Ok(told) if told.is_empty() => {}
                Ok(told) => spoken.push((format!("{}-{}/{case}", rule.code, rule.name), told)),
                Err(trouble) => troubles.push(trouble),
            }
        }
    }
    if !is_of_one_rule() {
        troubles.extend(neighbours(Path::new("testdata/neighbours.txt"), &spoken));
    }
    report(troubles);
}

#[test]
fn no_folder_without_a_rule() {
    let known: Vec<String> =
        rules::ALL.iter().map(|rule| format!("{}-{}", rule.code, rule.name)).collect();
    let orphans = names_in("testdata/rules").into_iter().filter(|name| !known.contains(name));
    report(orphans.map(|name| format!("testdata/rules/{name} belongs to no rule")).collect());
}

fn judge_bad(folder: &str, case: &str, code: &str) -> Result<(), String> {
    let opened = open(&format!("{folder}/{case}"))?;
    let config = Config { select: vec![code.to_owned()], ..Config::default() };
    let found = judge(&opened.bundle, &config);
    if !found.findings.iter().any(|resolved| resolved.finding.code == code) {
        return Err(format!("{folder}/{case} does not yield {code}"));
    }
    for resolved in &found.findings {
        let finding = &resolved.finding;
        for text in [&finding.message, &finding.why, &finding.then, &finding.hint] {
            if !is_sentence(text) {
                return Err(format!(
                    "{folder}/{case}: {} does not say a sentence: {text}",
                    finding.code
                ));
            }
        }
    }
    let text = human::render(&found, &opened.bundle.sources, LOOK);
    golden(&Path::new(folder).join(format!("{case}.txt")), &text)
}

/// Says whether a text begins and ends as a sentence does; the name of an object may stand first, as it is written.
fn is_sentence(text: &str) -> bool {
    let stops = ['.', '…', '!', '?', '"', '`', ')'];
    let doubled = ["  ", " .", " ,", "the the "].iter().any(|fault| {
        // A field may begin with a dot.
        text.match_indices(fault).any(|(at, fault)| {
            let behind = text[at + fault.len()..].chars().next();
            *fault != *" ." || behind.is_none_or(char::is_whitespace)
        })
    });
    text.is_empty() || (text.ends_with(stops) && !text.starts_with("the ") && !doubled)
}

/// Returns the other codes of the family that a good case yields.
fn judge_good(folder: &str, case: &str, code: &str) -> Result<String, String> {
    let opened = open(&format!("{folder}/{case}"))?;
    let found = opened.report();
    let findings = || found.findings.iter().map(|resolved| &resolved.finding);
    if let Some(finding) = findings().find(|finding| finding.code == code) {
        return Err(format!("{folder}/{case} yields {code}: {}", finding.message));
    }
    let family = |finding: &&Finding| finding.code.get(..4) == code.get(..4);
    let codes: BTreeSet<&str> = findings().filter(family).map(|finding| finding.code).collect();
    Ok(codes.into_iter().collect::<Vec<_>>().join(" "))
}

#[test]
fn a_rule_that_breaks_down_does_not_take_the_others_with_it() {
    static BREAKS: Rule = Rule {
        code: "FL9999",
        name: "breaks",
        severity: Severity::Error,
        reads: &[],
        page: "Breaks.",
        layer: None,
        check: Check::Input(|_| panic!("on purpose")),
    };
    let opened = open("testdata/rules/FL0501-stale-approval/bad").expect("the case can be read");
    let bundle = &opened.bundle;
    let graph = fleetlens::internals::graph::build(bundle, None);
    let world = World::of_capture(&graph, bundle);
    let sound = rules::find_rule("FL0501").expect("the rule is there");
    let outcomes = fleetlens::internals::engine::run_rules(&[&BREAKS, sound], &world);
    assert_eq!(outcomes[0].panic.as_deref(), Some("on purpose"));
    assert!(!outcomes[1].findings.is_empty());
}

#[test]
fn what_one_rule_explains_is_not_left_over_for_another() {
    let opened = open("testdata/rules/FL0702-admission-denied/bad").expect("the case is there");
    let bundle = &opened.bundle;
    let graph = fleetlens::internals::graph::build(bundle, None);
    let world = World::of_capture(&graph, bundle);
    let rule = |code: &str| rules::find_rule(code).expect("the rule is there");
    let run = |rules: &[&'static Rule]| fleetlens::internals::engine::run_rules(rules, &world);
    let alone = run(&[rule("FL0719")]);
    assert!(!alone[0].findings.is_empty(), "nobody has told it");
    // The order in which rules are named does not matter: those that look at what is left run last.
    let both = run(&[rule("FL0719"), rule("FL0702")]);
    assert!(both[0].findings.is_empty(), "the other rule has told it");
    assert!(!both[1].findings.is_empty());
    let config = Config { select: vec!["FL0719".to_owned()], ..Config::default() };
    assert!(judge(bundle, &config).findings.is_empty(), "chosen or not, the other rule knows it");
}
