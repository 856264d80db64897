//! Links from codes to the pages of rules: where a terminal understands them, and nowhere else.

use std::process::Command;

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::config::{Config, Pages};
use fleetlens::internals::engine::judge;
use fleetlens::internals::report::human::{Detail, Look, render};
use fleetlens::internals::report::sarif;
use serde_json::Value;

const STORY: &str = "testdata/bundles/run-stuck-two-reasons/capture";
const ADDRESS: &str = "https://docs.example/rules/{code}.html";

fn judged(pages: Pages) -> (Bundle, fleetlens::internals::engine::Report) {
    let bundle = Bundle::open(&[STORY.to_owned()]).expect("a story can be read");
    let mut report = judge(&bundle, &Config::default());
    report.pages = pages;
    (bundle, report)
}

/// Takes the links out again.
fn unlinked(text: &str) -> String {
    let mut pieces = text.split("\u{1b}]8;;");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| {
        text + piece.split_once("\u{1b}\\").expect("the address of a link ends").1
    })
}

#[test]
fn codes_lead_to_their_pages_and_nothing_else_changes() {
    let (bundle, report) = judged(Pages::new(ADDRESS).expect("an address"));
    let plain = Look { detail: Detail::All, ..Look::plain(80) };
    let linked = render(&report, &bundle.sources, Look { links: true, ..plain });
    let target = "\u{1b}]8;;https://docs.example/rules/FL0701.html\u{1b}\\FL0701\u{1b}]8;;\u{1b}\\";
    assert!(linked.matches(target).count() >= 2, "{linked}");
    assert_eq!(unlinked(&linked), render(&report, &bundle.sources, plain));
}

#[test]
fn without_an_address_there_is_no_link() {
    let (bundle, report) = judged(Pages::default());
    let text = render(&report, &bundle.sources, Look { links: true, ..Look::plain(80) });
    assert!(!text.contains('\u{1b}'), "{text}");
    assert!(!sarif::render(&report, &bundle.sources).contains("helpUri"));
}

#[test]
fn programs_get_the_same_address() {
    let (bundle, report) = judged(Pages::new(ADDRESS).expect("an address"));
    let log: Value = serde_json::from_str(&sarif::render(&report, &bundle.sources)).expect("JSON");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    for rule in rules {
        let code = rule["id"].as_str().expect("a code");
        assert_eq!(rule["helpUri"], format!("https://docs.example/rules/{code}.html"));
    }
}

#[test]
fn a_pipe_gets_no_link_and_a_bad_address_is_refused() {
    let run = |address: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fleetlens"));
        command.env("FLEETLENS_PAGES", address).env("FORCE_HYPERLINK", "1");
        command.args([STORY, "--color", "always"]).output().expect("it runs")
    };
    let piped = run(ADDRESS);
    assert!(!String::from_utf8_lossy(&piped.stdout).contains("\u{1b}]8"), "a pipe is no terminal");
    let refused = run("docs.example");
    assert_eq!(refused.status.code(), Some(2));
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        told.contains("FLEETLENS_PAGES is no address: it has to begin with https://"),
        "{told}"
    );
}
