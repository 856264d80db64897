//! What the report says of a log as a whole: how its time was found, how much of it was understood, and which
//! objects its unknown lines were attached to.

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::config::{Config, Focus};
use fleetlens::internals::engine::{LogReading, judge, log_readings};
use fleetlens::internals::graph;
use fleetlens::internals::report::{json, timeline as table};
use fleetlens::internals::source::{Encoding, Origin, Sources};
use fleetlens::internals::views::timeline::{Period, timeline};

/// A bundle of files that are in memory.
fn bundle(files: &[(&str, &str)]) -> Bundle {
    let mut sources = Sources::default();
    for (path, text) in files {
        sources.add(*path, Origin::default(), Encoding::Utf8, *text);
    }
    Bundle::parse(sources, &|_| true)
}

fn read(files: &[(&str, &str)]) -> Vec<LogReading> {
    let bundle = bundle(files);
    log_readings(&bundle, &graph::build(&bundle, None))
}

fn klog(time: &str) -> String {
    format!(
        "I{time}.000000       1 updaterun/controller.go:157] \"The updateRun is validated\" updateRun=\"web-7\"\n"
    )
}

const RUN: &str = "apiVersion: placement.kubernetes-fleet.io/v1beta1\nkind: ClusterStagedUpdateRun\nmetadata:\n  name: web-7\n  uid: 0d3c6d3e-9f0a-4a52-8f4d-2b7a2b9a6c11\n  creationTimestamp: \"2026-11-15T22:40:00Z\"\n";

#[test]
fn every_step_of_the_ladder_is_said() {
    let timing = |files: &[(&str, &str)]| read(files).remove(0).timing;
    let plain = klog("1115 22:44:08") + &klog("1115 22:44:10");
    let zap = "2026-11-15T22:44:09Z\tINFO\tStarting\n";
    let between = klog("1115 22:44:08") + zap + &klog("1115 22:44:10");
    let stamped = format!("2026-11-15T21:42:08Z {}", klog("1115 22:44:08")).repeat(3);
    assert_eq!(
        timing(&[("hub-agent.log", &stamped)]),
        "year and zone from the timestamps in front of the lines (UTC+01); its clock is 2m ahead of the timestamps in front of the lines"
    );
    assert_eq!(
        timing(&[("hub-agent.log", &between)]),
        "year and zone from lines of another format in the same log"
    );
    assert_eq!(
        timing(&[("hub-agent.log", &plain), ("run.yaml", RUN)]),
        "year from the capture time, zone assumed to be UTC"
    );
    assert_eq!(
        timing(&[("0.log.20261115-225000", &plain)]),
        "year from the rotation in the file name, zone assumed to be UTC"
    );
    assert_eq!(
        timing(&[("hub-agent.log", &plain)]),
        "year and zone not known: its times stay civil and are not compared with others"
    );
    assert_eq!(timing(&[("hub-agent.log", &zap.repeat(3))]), "times with year and zone");
    let mut sources = Sources::default();
    let packed = Origin { modified: Some(1_763_300_000), ..Origin::default() };
    sources.add("bundle.tgz/hub-agent.log", packed, Encoding::Utf8, plain);
    let bundle = Bundle::parse(sources, &|_| true);
    let log = log_readings(&bundle, &graph::build(&bundle, None)).remove(0);
    assert_eq!(
        (log.year, &*log.timing),
        (Some(2025), "year from the modification time of the file, zone assumed to be UTC")
    );
}

#[test]
fn a_log_over_the_turn_of_the_year_goes_on() {
    let text = klog("1231 23:59:58") + &klog("0101 00:00:03");
    let run = RUN.replace("2026-11-15T22:40:00Z", "2027-01-01T00:10:00Z");
    let log = read(&[("hub-agent.log", &text), ("run.yaml", &run)]).remove(0);
    assert_eq!(log.year, Some(2026), "the year of the first record");
    let covers = log.covers.map(|(first, last)| [first.to_string(), last.to_string()]);
    assert_eq!(covers.unwrap(), ["2026-12-31T23:59:58Z", "2027-01-01T00:00:03Z"]);
}

#[test]
fn unknown_lines_are_attached_to_the_objects_that_they_mention() {
    let head = "1115 22:44:08.000000       1 x/y.go:1]";
    let text = format!(
        "I{head} \"Not in any catalogue\" whom=\"web-7\"\nI{head} nothing of interest here\nE{head} sync of 0d3c6d3e-9f0a-4a52-8f4d-2b7a2b9a6c11 failed\nI{head} \"Odd\" updateRun=\"/web-7\"\nI{head} web-7 as a bare word\n"
    );
    let bundle = bundle(&[("hub-agent.log", &text), ("run.yaml", RUN)]);
    let graph = graph::build(&bundle, None);
    let log = log_readings(&bundle, &graph).remove(0);
    assert_eq!((log.records, log.understood, log.attached), (5, 0, 3));
    let focus = Focus { run: Some("web-7".to_owned()), ..Focus::default() };
    let found = timeline(&graph, &focus, &Period::default());
    let whats: Vec<&str> = found.moments.iter().map(|moment| moment.what.as_str()).collect();
    assert_eq!(
        whats,
        [
            "is created",
            "Not in any catalogue",
            "sync of 0d3c6d3e-9f0a-4a52-8f4d-2b7a2b9a6c11 failed",
            "Odd"
        ]
    );
    assert!(
        found
            .moments
            .iter()
            .all(|moment| { moment.object.as_ref().is_some_and(|key| &*key.name == "web-7") })
    );
}

#[test]
fn the_lines_of_a_member_agent_tell_its_cluster() {
    let line = |member: &str| {
        format!(
            "E1115 22:44:08.000000       1 workapplier/apply.go:1] \"Failed to apply the manifest\" work=\"fleet-member-{member}/web-work\" err=\"no\"\n"
        )
    };
    let one = read(&[("member-agent.log", &line("south"))]).remove(0);
    assert_eq!((one.agent, one.cluster.as_deref()), (Some("member-agent"), Some("south")));
    let two = read(&[("member-agent.log", &(line("south") + &line("north")))]).remove(0);
    assert_eq!(two.cluster, None, "two names tell nothing");
}

#[test]
fn no_byte_of_a_log_reaches_a_report_as_an_escape() {
    let evil = "\u{1b}]0;x\u{7}\u{9b}31m\u{202e}";
    let line = format!(
        "E1115 22:44:08.000000       1 updaterun/execution.go:255] \"The binding has been changed during updating\" err=\"{evil}\" binding=\"b{evil}\" updateRun=\"r{evil}\"\n"
    );
    let bundle = bundle(&[(&format!("{evil}hub-agent.log"), &(line + &klog("1115 22:44:08")))]);
    let report = judge(&bundle, &Config::default());
    assert!(!report.findings.is_empty(), "the line is understood");
    let look = fleetlens::internals::report::human::Look {
        asks: fleetlens::internals::report::human::Asks::Listed,
        ..fleetlens::internals::report::human::Look::plain(80)
    };
    let graph = graph::build(&bundle, None);
    let found = timeline(&graph, &Focus::default(), &Period::default());
    for text in [
        fleetlens::internals::report::human::render(&report, &bundle.sources, look),
        fleetlens::internals::report::concise::render(&report),
        json::render(&report, &bundle.sources),
        table::render(&found, &bundle.sources, 80),
        table::render_json(&found, &bundle.sources),
    ] {
        assert!(!text.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{text}");
    }
}

#[test]
fn the_lines_that_say_what_a_finding_says_stand_beside_it() {
    let words = "cannot continue the updateRun: the policy snapshot index used in the updateRun is outdated, latest: 1, recorded: 0";
    let folded = words.replace("updateRun is outdated", "updateRun\n      is outdated");
    let run = format!(
        "{RUN}spec:\n  placementName: web\nstatus:\n  policySnapshotIndexUsed: \"0\"\n  conditions:\n  - type: Initialized\n    status: \"True\"\n    lastTransitionTime: \"2026-11-15T22:40:01Z\"\n  - type: Succeeded\n    status: \"False\"\n    reason: UpdateRunFailed\n    lastTransitionTime: \"2026-11-15T22:44:08Z\"\n    message: '{folded}'\n"
    );
    let line = |err: &str| {
        format!(
            "E1115 22:44:08.000000       1 updaterun/controller.go:150] \"Failed to validate the updateRun\" err=\"{err}\" updateRun=\"web-7\"\n"
        )
    };
    let log = klog("1115 22:44:07")
        + &line("failed to list the bindings of the placement web, and more of this kind")
        + &line(words)
        + &line(words);
    let bundle = bundle(&[("hub-agent.log", &log), ("run.yaml", &run)]);
    let report = judge(&bundle, &Config::default());
    let finding = report.findings.iter().find(|found| found.finding.code == "FL0202");
    let finding = finding.expect("the changed policy is found");
    let lines: Vec<u32> = (finding.related.iter())
        .filter(|place| place.path == "hub-agent.log")
        .map(|place| place.start.line)
        .collect();
    assert_eq!(lines, [3, 4], "the first and the last line with these words, and no other");
}

#[test]
fn what_was_left_out_of_a_log_is_not_held_against_a_binding() {
    let status = |binding: &str, second: usize, failed: &str| {
        format!(
            "I1115 22:{:02}:{:02}.000000       1 workgenerator/controller.go:318] \"Successfully updated the binding status\" binding=\"{binding}\" bindingStatus={{{failed}\"conditions\":[]}}\n",
            second / 60,
            second % 60
        )
    };
    let failed = "\"failedPlacements\":[{\"kind\":\"ConfigMap\",\"namespace\":\"web\",\"name\":\"c\",\"condition\":{\"type\":\"Applied\",\"status\":\"False\",\"message\":\"no\"}}],";
    let accused = |others: usize| {
        let fill = |from: usize| (from..from + others).map(|at| status("b", at, "")).collect();
        let fill: [String; 2] = [fill(100), fill(1000)];
        // The words about the first binding are taken back between the two stretches that are kept.
        let text = status("a", 1, failed) + &fill[0] + &status("a", 900, "") + &fill[1];
        let text = text + &status("c", 2000, failed) + &status("b", 2100, "");
        let report = judge(&bundle(&[("hub-agent.log", &text)]), &Config::default());
        let findings = report.findings.iter().filter(|it| it.finding.code == "FL0918");
        findings.map(|it| it.finding.message.clone()).collect::<Vec<_>>()
    };
    for others in [3, 600] {
        let found = accused(others);
        assert!(matches!(found.as_slice(), [only] if only.contains("Binding c ")), "{found:?}");
    }
}

#[test]
fn a_log_of_which_lines_were_dropped_shows_no_impossible_step() {
    let path = "testdata/rules/FL0915-illegal-step-in-log/bad-after-end/hub-agent.log";
    let own = std::fs::read_to_string(path).expect("testdata");
    let told = |others: usize| {
        let line = |number: usize| {
            format!(
                "I1116 11:00:01.000000       1 updaterun/controller.go:139] \"Initialized the updateRun\" state=\"Run\" updateRun=\"other-{number}\"\n"
            )
        };
        let text: String = (0..others).map(line).chain([own.clone()]).collect();
        let found = judge(&bundle(&[("hub-agent.log", &text)]), &Config::default());
        found.findings.iter().any(|resolved| resolved.finding.code == "FL0915")
    };
    assert!(told(10));
    assert!(!told(2000), "of so many lines alike, some are counted and not kept");
}
