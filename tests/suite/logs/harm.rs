//! Lines of real logs with bytes that no agent writes: no rule breaks, and nothing steers a terminal.

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::config::{Config, Focus};
use fleetlens::internals::engine::judge;
use fleetlens::internals::graph;
use fleetlens::internals::report::{concise, github, human, json, timeline as table};
use fleetlens::internals::source::{Encoding, Origin, Sources};
use fleetlens::internals::views::timeline::{Period, timeline};
use proptest::prelude::*;

use crate::bless;

/// The lines of the logs that the rules are tested with: each means something.
fn lines() -> Vec<String> {
    let rules = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/rules");
    let mut lines = Vec::new();
    for rule in bless::names_in(rules.clone()).into_iter().filter(|name| name.starts_with("FL09")) {
        for case in bless::names_in(rules.join(&rule)) {
            let log = rules.join(&rule).join(&case).join("hub-agent.log");
            let text = std::fs::read_to_string(log).unwrap_or_default();
            lines.extend(text.lines().map(str::to_owned));
        }
    }
    lines
}

fn harmed() -> impl Strategy<Value = String> {
    let evil = prop_oneof![
        Just("\u{1b}[31m".to_owned()),
        Just("\u{9b}2J\u{202e}".to_owned()),
        Just("\u{1b}]0;x\u{7}".to_owned()),
        Just("\r\u{8}\u{8}".to_owned()),
        Just("\"".to_owned()),
        Just("\\u001b[1m".to_owned()),
        Just("\u{0}é\u{feff}".to_owned()),
        Just(" updateRun=\"a/b/c\" binding={\"name\":".to_owned()),
    ];
    (proptest::sample::select(lines()), evil, any::<proptest::sample::Index>()).prop_map(
        |(line, evil, at)| {
            let at = at.index(line.len() + 1);
            let at = (0..=at).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
            format!("{}{evil}{}\n", &line[..at], &line[at..])
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_a_log_holds_is_shown_without_harm(lines in proptest::collection::vec(harmed(), 1..40)) {
        let mut sources = Sources::default();
        sources.add("hub-agent.log", Origin::default(), Encoding::Utf8, lines.concat());
        let bundle = Bundle::parse(sources, &|_| true);
        let report = judge(&bundle, &Config::default());
        let broken = report.findings.iter().find(|found| found.finding.name == "broken-rule");
        prop_assert!(broken.is_none(), "{:?}", broken.map(|found| &found.finding.message));
        let look = human::Look { asks: human::Asks::Listed, ..human::Look::plain(80) };
        let found = timeline(&graph::build(&bundle, None), &Focus::default(), &Period::default());
        for text in [
            human::render(&report, &bundle.sources, look),
            concise::render(&report),
            json::render(&report, &bundle.sources),
            github::render(&report),
            table::render(&found, &bundle.sources, 80),
            table::render(&found, &bundle.sources, 120),
            table::render_json(&found, &bundle.sources),
        ] {
            let harm = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{feff}');
            prop_assert!(!text.contains(harm), "{:?}", text);
        }
    }
}
