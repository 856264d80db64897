//! What a report says first: who is not well and why, what is as planned, what is well.

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::config::Config;
use fleetlens::internals::engine::judge;
use fleetlens::internals::engine::verdict::{Health, Standing};

use crate::judged;

/// Tells the verdict of a story in a few lines.
fn tell(story: &str) -> Vec<String> {
    let opened = judged::story(story);
    let report = opened.report();
    let verdict = &report.verdict;
    let line = |word: &str, standing: &Standing| {
        let codes: Vec<&str> = standing.reasons.iter().map(|reason| reason.code).collect();
        let (name, state, words) = (&standing.name, standing.state.word(), &standing.words);
        format!("{word}: {name} {state} {words} [{}]", codes.join(" "))
    };
    let mut lines: Vec<String> = Vec::new();
    lines.extend(verdict.unwell.iter().map(|it| line("unwell", it)));
    lines.extend(verdict.planned.iter().map(|it| line("planned", it)));
    lines.extend(verdict.succeeded.iter().map(|it| line("succeeded", it)));
    lines.extend(verdict.available.iter().map(|it| line("available", it)));
    lines.extend(verdict.causes.iter().enumerate().map(|(index, cause)| {
        let code = |finding: &usize| report.findings[*finding].finding.code;
        let symptoms: Vec<&str> = cause.symptoms.iter().map(code).collect();
        let number = index + 1;
        format!("{number}: {} {:?} {}", code(&cause.finding), cause.holds, symptoms.join(" "))
    }));
    lines
}

#[test]
fn a_run_that_is_stuck_for_two_reasons_has_two_causes() {
    assert_eq!(
        tell("run-stuck-two-reasons"),
        [
            "unwell: ingest-2-0-1 STUCK in stage prod since 12:33:29Z, 2 of 4 clusters updated [FL0701 FL0708]",
            "1: FL0701 [0] FL0720 FL0401",
            "2: FL0708 [0] FL0401",
        ]
    );
}

#[test]
fn a_placement_that_waits_for_a_silent_agent_is_blocked() {
    assert_eq!(
        tell("place-agent-dead-rollout"),
        [
            "unwell: tax-engine BLOCKED rollout not started on member3 and member4 since 12:43:42Z [FL0750]",
            "1: FL0750 [0] FL0734 FL0623",
        ]
    );
}

#[test]
fn what_is_well_is_counted() {
    let told = tell("place-healthy-pdb-envelope");
    assert!(told.iter().all(|line| line.starts_with("available: ")), "{told:?}");
    assert!(!told.is_empty());
}

#[test]
fn rows_alone_are_never_called_well() {
    let told = |text: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("clusterresourceplacements.txt");
        std::fs::write(&path, text).expect("a file can be written");
        let bundle = Bundle::open(&[path.display().to_string()]).expect("rows can be read");
        let report = judge(&bundle, &Config::default());
        let states: Vec<&str> =
            report.verdict.planned.iter().map(|standing| standing.state.word()).collect();
        (report.health(), states.join(" "), report.asks.len())
    };
    let head = "NAME   GEN   TYPE      SCHEDULED   SCHEDULED-GEN   WORK-SYNCHRONIZED   WORK-SYNCHRONIZED-GEN   AVAILABLE   AVAILABLE-GEN   AGE\n";
    let row = |available: &str| {
        format!(
            "{head}web    1     PickAll   True        1               True                1                       {available:<12}1               52s\n"
        )
    };
    assert_eq!(told(&row("True")), (Health::Rows, String::new(), 1));
    // It may become available: nothing is blocked, and nothing is well.
    assert_eq!(told(&row("False")), (Health::Unsettled, "IN PROGRESS".to_owned(), 1));
}
