//! Formats that are attached to tickets: goldens of six stories, and what a hostile bundle cannot do to them.

use std::path::Path;

use fleetlens::bundle::Bundle;
use fleetlens::config::Config;
use fleetlens::engine::compare::compare;
use fleetlens::engine::{Report, judge, judge_graph};
use fleetlens::report::{html, markdown, reply};

use crate::bless::{golden, names_in, report};
use crate::machine_formats::STORIES;

fn judged(path: &str) -> (Bundle, Report) {
    let bundle = Bundle::open(&[path.to_owned()]).expect("a story can be read");
    let report = judge(&bundle, &Config::default());
    (bundle, report)
}

/// Returns the text of a page without its style, script and tags, a line per block.
fn text_of(page: &str) -> String {
    let body = page.split_once("<body>").map_or(page, |(_, body)| body);
    let body = body.split("<script>").next().unwrap_or_default();
    let mut out = String::new();
    let mut tag = false;
    for c in body.chars() {
        match c {
            '<' => {
                tag = true;
                out.push('\n');
            }
            '>' if tag => tag = false,
            _ if !tag => out.push(c),
            _ => {}
        }
    }
    let lines = out.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn six_stories_are_told_in_tickets_as_expected() {
    let mut troubles = Vec::new();
    for story in STORIES {
        let (bundle, judged) = judged(&format!("testdata/bundles/{story}/capture"));
        let folder = Path::new("testdata/reports").join(story);
        let page = html::render(&judged, &bundle.sources);
        assert!(page.len() < 300_000, "{story}: {} bytes", page.len());
        let ticket = markdown::render(&judged, &bundle.sources);
        let answer = reply::render(&judged);
        assert!(unfolded(&ticket) <= 60, "{story}: {} lines", unfolded(&ticket));
        let headline = answer.lines().next().unwrap_or_default();
        assert!(!headline.contains("FL0"), "{story}: a code in the headline");
        for (name, text) in
            [("ticket.md", ticket), ("reply.md", answer), ("page.txt", text_of(&page))]
        {
            troubles.extend(golden(&folder.join(name), &text).err());
        }
    }
    report(troubles);
}

/// Counts the lines with text that a reader sees before unfolding anything.
fn unfolded(ticket: &str) -> usize {
    let mut folded = false;
    let mut count = 0;
    for line in ticket.lines() {
        folded |= line.starts_with("<details>");
        count += usize::from(!folded && !line.trim().is_empty());
        folded &= line != "</details>";
    }
    count
}

#[test]
fn no_irreversible_command_reaches_a_customer() {
    for story in names_in("testdata/bundles") {
        let (_, judged) = judged(&format!("testdata/bundles/{story}/capture"));
        let answer = reply::render(&judged);
        assert!(!answer.contains("kubectl delete"), "{story}:\n{answer}");
        assert!(!answer.contains("testdata"), "{story}: a path of ours");
    }
}

/// What an input may hold that a page or a ticket must not take for its own.
const HOSTILE: [&str; 7] = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "</details></sub>",
    "```\n# heading",
    "[a](javascript:alert(1))",
    "\u{202e}@team",
];

#[test]
fn nothing_of_a_hostile_bundle_becomes_markup() {
    for hostile in HOSTILE {
        let text = std::fs::read_to_string(
            "testdata/bundles/run-approval-stale-before/capture/clusterstagedupdateruns.yaml",
        )
        .expect("a story");
        let text = text.replace(
            "message: The updateRun is waiting",
            &format!(
                "message: {}",
                serde_json::json!(format!("{hostile} The updateRun is waiting"))
            ),
        );
        let folder = tempfile::tempdir().expect("a folder");
        let quoted = text.replace("waiting\" for", "waiting for");
        std::fs::write(folder.path().join("runs.yaml"), quoted).expect("a file");
        std::fs::write(folder.path().join("notes.txt"), hostile).expect("a file");
        let (bundle, judged) = judged(&folder.path().to_string_lossy());
        let page = html::render(&judged, &bundle.sources);
        let body = page.split_once("<body>").expect("a body").1;
        assert_eq!(body.matches("<script").count(), 1, "{hostile}");
        assert!(!body.contains("<img") && !body.contains("onerror=\""), "{hostile}");
        let ticket = markdown::render(&judged, &bundle.sources);
        assert!(!ticket.contains("<script") && !ticket.contains("<img"), "{hostile}");
        assert!(!ticket.lines().any(|line| line.trim_start() == "# heading"), "{hostile}");
        assert!(!page.contains('\u{202e}') && !ticket.contains('\u{202e}'), "{hostile}");
    }
}

#[test]
fn two_bundles_are_compared_by_meaning() {
    let bundle = |story: &str| {
        Bundle::open(&[format!("testdata/bundles/{story}/capture")]).expect("a story")
    };
    let (old, new) = (bundle("run-stuck-two-reasons"), bundle("run-preempted"));
    let graph = |bundle: &Bundle| fleetlens::graph::build(bundle, None);
    let (old_graph, new_graph) = (graph(&old), graph(&new));
    let one = judge_graph(&old, &old_graph, &Config::default());
    let two = judge_graph(&new, &new_graph, &Config::default());
    let itself = compare(&one, &one, |key| old_graph.sightings.contains_key(key));
    assert!(itself.moved.is_empty() && itself.new.is_empty() && itself.gone.is_empty());
    assert_eq!(itself.still.len(), one.verdict.causes.len());
    let other = compare(&one, &two, |key| new_graph.sightings.contains_key(key));
    assert_eq!(other.new.len(), two.verdict.causes.len());
    // The newer bundle is of another part of the fleet: nothing there shows a repair.
    assert!(other.gone.is_empty(), "{:?}", other.gone);
    assert_eq!(other.unknown.len(), one.verdict.causes.len());
}
