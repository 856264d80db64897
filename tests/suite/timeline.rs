//! The timeline of whole captures: `testdata/bundles/<story>/timeline.txt` where there is one, its
//! order, its narrowing, and that no text of the input reaches a terminal as it is.

use std::path::Path;

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::config::Focus;
use fleetlens::internals::graph;
use fleetlens::internals::report::timeline::{render, render_json};
use fleetlens::internals::views::timeline::{Period, Timeline, timeline};

use crate::bless::{golden, report};

/// The stories whose timeline is a golden: one of objects alone, one with a log.
const STORIES: [&str; 2] = ["run-approval-stale-before", "place-rollout-held"];

fn open(story: &str) -> Bundle {
    Bundle::open(&[format!("testdata/bundles/{story}/capture")]).expect("the story can be read")
}

fn tell(bundle: &Bundle, focus: &Focus, period: &Period) -> Timeline {
    timeline(&graph::build(bundle, None), focus, period)
}

#[test]
fn timelines_are_told_as_expected() {
    let mut troubles = Vec::new();
    for story in STORIES {
        let bundle = open(story);
        let found = tell(&bundle, &Focus::default(), &Period::default());
        let path = Path::new("testdata/bundles").join(story).join("timeline.txt");
        troubles.extend(golden(&path, &render(&found, &bundle.sources, 100)).err());
    }
    report(troubles);
}

#[test]
fn every_entry_has_the_agreed_keys_and_the_times_rise() {
    for story in STORIES {
        let bundle = open(story);
        let found = tell(&bundle, &Focus::default(), &Period::default());
        let text = render_json(&found, &bundle.sources);
        let entries: Vec<serde_json::Value> = serde_json::from_str(&text).expect("JSON");
        assert!(entries.len() > 10, "{story}");
        let mut last = None;
        for entry in &entries {
            let mut keys: Vec<&str> =
                entry.as_object().expect("an object").keys().map(String::as_str).collect();
            keys.sort_unstable();
            assert_eq!(keys, ["line", "object", "path", "precision", "source", "time", "what"]);
            let time = entry["time"].as_str().and_then(|time| time.get(..19)).map(str::to_owned);
            assert!(last <= time, "{story}: {last:?} before {time:?}");
            last = time;
        }
    }
}

#[test]
fn within_a_second_the_way_of_the_work_is_kept() {
    let bundle = open("run-approval-stale-before");
    let found = tell(&bundle, &Focus::default(), &Period::default());
    let at = |kind: &str, what: &str| {
        let is = |key: &fleetlens::internals::model::key::ObjectKey| key.kind.ends_with(kind);
        let told = found.moments.iter().position(|moment| {
            moment.object.as_ref().is_some_and(is) && moment.what.starts_with(what)
        });
        told.unwrap_or_else(|| panic!("{kind} {what} is told"))
    };
    assert!(at("StagedUpdateRun", "is created") < at("ApprovalRequest", "is created"));
    assert!(at("ApprovalRequest", "is created") < at("StagedUpdateRun", "Initialized True"));
    assert!(at("StagedUpdateRun", "Initialized") < at("StagedUpdateRun", "Progressing"));
    assert!(at("StagedUpdateRun", "Progressing") < at("ApprovalRequest", "Approved"));
}

#[test]
fn a_focus_and_a_period_leave_out_the_rest() {
    let bundle = open("run-approval-stale-before");
    let run = Focus { run: Some("checkout-8-2-0".to_owned()), ..Focus::default() };
    let found = tell(&bundle, &run, &Period::default());
    let strangers = found.moments.iter().filter_map(|moment| moment.object.as_ref());
    let strangers: Vec<_> = strangers.filter(|key| !key.name.starts_with("checkout")).collect();
    assert!(strangers.is_empty() && !found.moments.is_empty(), "{strangers:?}");
    let cluster = Focus { cluster: Some("member2".to_owned()), ..Focus::default() };
    let found = tell(&bundle, &cluster, &Period::default());
    let foreign = found.moments.iter().find(|moment| moment.what.contains("member3"));
    assert!(foreign.is_none() && !found.moments.is_empty(), "{foreign:?}");
    let since = "2026-11-16T12:25:37Z".parse().ok();
    let found = tell(&bundle, &Focus::default(), &Period { since, until: since });
    assert!(found.moments.iter().all(|moment| Some(moment.time) == since));
    assert!(!found.moments.is_empty());
}

#[test]
fn no_escape_of_a_log_reaches_the_table() {
    let line = "2026-11-16T12:24:32Z E1116 12:24:32.080985   21859 updaterun/execution.go:588] \
                \"binding is not up-to-date\" err=\"\u{1b}[31mred\u{202e}\" updateRun=\"a\u{1b}]0;x\"\n";
    let mut sources = fleetlens::internals::source::Sources::default();
    let origin = fleetlens::internals::source::Origin::default();
    sources.add(
        "hub-agent.log",
        origin,
        fleetlens::internals::source::Encoding::Utf8,
        line.repeat(3),
    );
    let bundle = Bundle::parse(sources, &|_| true);
    let found = tell(&bundle, &Focus::default(), &Period::default());
    assert_eq!(found.moments.len(), 3, "the lines are read");
    let text = render(&found, &bundle.sources, 100) + &render_json(&found, &bundle.sources);
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    assert!(text.contains("×3"), "{text}");
}

#[test]
fn a_status_stands_after_the_lines_of_its_second() {
    let run = "apiVersion: placement.kubernetes-fleet.io/v1beta1\nkind: ClusterStagedUpdateRun\n\
               metadata: {name: r1, creationTimestamp: '2026-11-16T12:24:32Z'}\nstatus:\n  conditions:\n  \
               - {type: Initialized, status: 'True', lastTransitionTime: '2026-11-16T12:24:32Z', reason: R, message: m}\n";
    let log = "2026-11-16T12:24:32.9Z I1116 12:24:32.080985       1 updaterun/controller.go:139] \
               \"Initialized the updateRun\" state=\"Run\" updateRun=\"r1\"\n\
               2026-11-16T12:24:33.1Z I1116 12:24:33.000001       1 updaterun/controller.go:157] \
               \"The updateRun is validated\" updateRun=\"r1\"\n";
    let bundle = parse(&[("run.yaml", run), ("hub-agent.log", log)]);
    let found = tell(&bundle, &Focus::default(), &Period::default());
    let told: Vec<&str> = found.moments.iter().map(|moment| moment.origin.word()).collect();
    assert_eq!(told, ["creation", "log", "condition", "log"]);
}

#[test]
fn an_event_that_a_log_repeats_is_about_its_object() {
    let log = "2026-11-16T12:24:32Z\tDEBUG\tevents\tStarted rolling out the latest resources\t\
               {\"type\": \"Normal\", \"object\": {\"kind\":\"ClusterResourcePlacement\",\"name\":\"web\"}, \"reason\": \"R\"}\n";
    let bundle = parse(&[("hub-agent.log", log)]);
    let focus = Focus { placement: Some("web".to_owned()), ..Focus::default() };
    let found = tell(&bundle, &focus, &Period::default());
    let object = found.moments.first().and_then(|moment| moment.object.as_ref()).expect("told");
    assert_eq!((&*object.kind, &*object.name), ("ClusterResourcePlacement", "web"));
    let other = Focus { placement: Some("other".to_owned()), ..Focus::default() };
    assert!(tell(&bundle, &other, &Period::default()).moments.is_empty());
}

#[test]
fn no_secret_of_a_log_reaches_the_table() {
    let log = "2026-11-16T12:24:32Z E1116 12:24:32.080985       1 updaterun/execution.go:588] \
               \"binding is not up-to-date\" err=\"token=abcdefgh12345678\" updateRun=\"a\"\n";
    let bundle = parse(&[("hub-agent.log", log)]);
    let found = tell(&bundle, &Focus::default(), &Period::default());
    let text = render(&found, &bundle.sources, 200) + &render_json(&found, &bundle.sources);
    assert!(text.contains("***") && !text.contains("abcdefgh"), "{text}");
}

fn parse(files: &[(&str, &str)]) -> Bundle {
    let mut sources = fleetlens::internals::source::Sources::default();
    for (path, text) in files {
        let origin = fleetlens::internals::source::Origin::default();
        sources.add(*path, origin, fleetlens::internals::source::Encoding::Utf8, *text);
    }
    Bundle::parse(sources, &|_| true)
}

fn line(time: &str, stage: &str) -> String {
    format!(
        "I1116 {time}.000001   1 updaterun/execution.go:115] \"There is no before stage task for this stage\" stage=\"{stage}\" updateRun=\"shop-7\"\n"
    )
}

#[test]
fn a_log_without_a_year_keeps_to_itself() {
    let run = "apiVersion: placement.kubernetes-fleet.io/v1beta1\nkind: ClusterStagedUpdateRun\nmetadata:\n  name: shop-7\n";
    let text = line("12:00:01", "dev") + &line("12:00:02", "dev") + &line("12:09:02", "prod");
    let bundle = parse(&[("hub-agent.log", &text), ("run.yaml", run)]);
    let found = tell(&bundle, &Focus::default(), &Period::default());
    assert!(found.moments.is_empty(), "nothing tells the year");
    let shown = render(&found, &bundle.sources, 100);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "hub-agent.log, by its own clock: nothing tells its year and zone");
    assert_eq!(lines[1], "11-16");
    assert!(lines[2].contains("(stage dev) (×2, last 12:00:02)"), "{shown}");
    assert_eq!(lines[3].trim(), "… 9m without a trace …");
    let entries: Vec<serde_json::Value> =
        serde_json::from_str(&render_json(&found, &bundle.sources)).expect("JSON");
    assert_eq!(entries.len(), 3);
    assert!(entries[0]["time"].is_null());
    assert_eq!(entries[0]["civil"], "11-16T12:00:01.000001");
    let since = "2026-11-16T12:00:00Z".parse().ok();
    let found = tell(&bundle, &Focus::default(), &Period { since, until: None });
    assert_eq!((found.undated.len(), found.left_out), (0, 3), "no period holds a civil time");
}

#[test]
fn eighty_columns_are_enough() {
    for story in STORIES {
        let bundle = open(story);
        let found = tell(&bundle, &Focus::default(), &Period::default());
        let shown = render(&found, &bundle.sources, 80);
        // A single word may be longer than any line.
        let long = shown.lines().filter(|line| line.chars().count() > 80);
        let long: Vec<&str> = long.filter(|line| line.trim().contains("  ")).collect();
        assert!(long.is_empty(), "{story}: {long:?}");
        assert!(shown.lines().count() > found.moments.len() / 2, "{story}");
    }
}
