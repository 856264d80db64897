//! Whole captures: `testdata/bundles/<story>/capture`, judged by all rules.
//!
//! The report is the golden `expected.txt`; it must not depend on the number of threads.

use std::path::Path;

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::config::Config;
use fleetlens::internals::engine::judge;
use fleetlens::internals::report::human::{self, Asks, Detail, Look};
use fleetlens::internals::report::json;

use crate::bless::{golden, names_in, report};
use crate::judged::open;

const LOOK: Look = Look { asks: Asks::Listed, detail: Detail::Brief, ..Look::plain(80) };

#[test]
fn every_story_is_told_as_expected() {
    let mut troubles = Vec::new();
    for story in names_in("testdata/bundles") {
        let folder = Path::new("testdata/bundles").join(&story);
        match open(&folder.join("capture").to_string_lossy()) {
            Ok(opened) => {
                let text = human::render(opened.report(), &opened.bundle.sources, LOOK);
                troubles.extend(golden(&folder.join("expected.txt"), &text).err());
            }
            Err(error) => troubles.push(format!("{story}: {error}")),
        }
    }
    report(troubles);
}

#[test]
fn one_thread_and_many_give_the_same_bytes() {
    for story in names_in("testdata/bundles") {
        let path = format!("testdata/bundles/{story}/capture");
        let alone = || {
            let bundle = Bundle::open(std::slice::from_ref(&path)).expect("the story can be read");
            json::render(&judge(&bundle, &Config::default()), &bundle.sources)
        };
        let single = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one");
        let opened = open(&path).expect("the story can be read");
        let together = json::render(opened.report(), &opened.bundle.sources);
        assert_eq!(single.install(alone), together, "{story}");
    }
}
