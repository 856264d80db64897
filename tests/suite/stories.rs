//! Whole captures: `testdata/bundles/<story>/capture`, judged by all rules.
//!
//! The report is the golden `expected.txt`; it must not depend on the number of threads.

use std::path::Path;

use fleetlens::bundle::Bundle;
use fleetlens::config::Config;
use fleetlens::engine::judge;
use fleetlens::report::human::{self, Asks, Color, Look};
use fleetlens::report::json;
use regex::Regex;

use crate::bless::{golden, names_in, report};

const LOOK: Look = Look { width: 100, color: Color::None, asks: Asks::Listed };

#[test]
fn every_story_is_told_as_expected() {
    let mut troubles = Vec::new();
    for story in names_in("testdata/bundles") {
        let folder = Path::new("testdata/bundles").join(&story);
        match Bundle::open(&[folder.join("capture").to_string_lossy().into_owned()]) {
            Ok(bundle) => {
                let text =
                    human::render(&judge(&bundle, &Config::default()), &bundle.sources, LOOK);
                let text = without_rule_counts(&text);
                troubles.extend(golden(&folder.join("expected.txt"), &text).err());
            }
            Err(error) => troubles.push(format!("{story}: {error}")),
        }
    }
    report(troubles);
}

/// Takes out how many rules were judged and how many not: a new rule changes no story that it has no part in.
fn without_rule_counts(text: &str) -> String {
    let counts = Regex::new(r"\d+ (rules judged|not judged)").expect("a pattern");
    counts.replace_all(text, "N $1").into_owned()
}

#[test]
fn one_thread_and_many_give_the_same_bytes() {
    for story in names_in("testdata/bundles") {
        let path = format!("testdata/bundles/{story}/capture");
        let tell = || {
            let bundle = Bundle::open(std::slice::from_ref(&path)).expect("the story can be read");
            json::render(&judge(&bundle, &Config::default()), &bundle.sources)
        };
        let single = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one");
        assert_eq!(single.install(tell), tell(), "{story}");
    }
}
