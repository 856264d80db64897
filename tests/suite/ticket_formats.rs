//! Formats that are attached to tickets: goldens of six stories, and what a hostile bundle cannot do to them.

use std::path::Path;
use std::sync::LazyLock;

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::config::Config;
use fleetlens::internals::engine::compare::compare;
use fleetlens::internals::engine::report_history;
use fleetlens::internals::engine::{Report, judge_graph};
use fleetlens::internals::finding::Risk;
use fleetlens::internals::report::{html, markdown, reply};

use crate::bless::{golden, names_in, report};
use crate::machine_formats::STORIES;

fn judged(path: &str) -> (Bundle, Report) {
    let bundle = Bundle::open(&[path.to_owned()]).expect("a story can be read");
    let (graph, config) = (fleetlens::internals::graph::build(&bundle, None), Config::default());
    let mut report = judge_graph(&bundle, &graph, &config);
    report.history = report_history(&graph, &bundle.sources, &report, &config.focus);
    (bundle, report)
}

/// The captures of all stories and tickets, judged.
static CAPTURES: LazyLock<Vec<(String, Bundle, Report)>> = LazyLock::new(|| {
    let folders = ["testdata/bundles", "testdata/pastes"];
    let all = folders.iter().flat_map(|folder| {
        names_in(folder).into_iter().map(move |story| format!("{folder}/{story}/capture"))
    });
    let judge = |path: String| {
        let (bundle, report) = judged(&path);
        (path, bundle, report)
    };
    all.filter(|path| Path::new(path).exists()).map(judge).collect()
});

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
        let ticket = markdown::render(&judged, &bundle.sources);
        for (name, text) in [
            ("ticket.md", ticket),
            ("reply.md", reply::render(&judged)),
            ("page.txt", text_of(&page)),
        ] {
            let text = text.replace(fleetlens::internals::grammar::digest(), "DIGEST");
            troubles.extend(golden(&folder.join(name), &text).err());
        }
    }
    report(troubles);
}

#[test]
fn the_ticket_in_the_readme_is_one() {
    let readme = std::fs::read_to_string("README.md").expect("a README");
    let shown = readme.split("````").nth(1).and_then(|block| block.strip_prefix("markdown\n"));
    let golden = std::fs::read_to_string("testdata/reports/run-approval-stale-before/ticket.md");
    assert!(golden.expect("a ticket").starts_with(shown.expect("a ticket in the README")));
}

/// Counts the lines that a reader sees before unfolding anything.
fn unfolded(ticket: &str) -> usize {
    let mut folded = false;
    let mut count = 0;
    for line in ticket.lines() {
        folded |= line.starts_with("<details>");
        count += usize::from(!folded);
        folded &= line != "</details>";
    }
    count
}

#[test]
fn tickets_and_pages_keep_to_their_size() {
    let mut troubles = Vec::new();
    for (path, bundle, judged) in &*CAPTURES {
        let lines = unfolded(&markdown::render(judged, &bundle.sources));
        if lines > 60 {
            troubles.push(format!("{path}: {lines} lines stand open in the ticket"));
        }
        let size = html::render(judged, &bundle.sources).len();
        if size > 300_000 {
            troubles.push(format!("{path}: a page of {size} bytes"));
        }
    }
    report(troubles);
}

#[test]
fn a_reply_is_short_and_fit_for_a_customer() {
    let mut troubles = Vec::new();
    for (path, bundle, judged) in &*CAPTURES {
        let answer = reply::render(judged);
        let mut wrong = |words: String| troubles.push(format!("{path}: {words}\n{answer}"));
        let lines = answer.lines().count();
        if !(8..=15).contains(&lines) {
            wrong(format!("{lines} lines"));
        }
        let (words, data) = answer.rsplit_once("_Case data: ").expect("a last line");
        if words.contains("FL0") || data.contains('\n') && data.trim_end().contains('\n') {
            wrong("a code in its words".to_owned());
        }
        for source in bundle.sources.iter() {
            let name = source.path().rsplit('/').next().unwrap_or_default();
            let is_file = name.contains('.') && !answer.contains(&format!("create -f {name}"));
            if answer.contains(source.path()) || (is_file && answer.contains(name)) {
                wrong(format!("the path {name}"));
            }
        }
        for command in judged.findings.iter().flat_map(|it| it.finding.commands()) {
            if command.risk() == Risk::Destructive && answer.contains(&command.posix()) {
                wrong(format!("cannot be undone: {}", command.posix()));
            }
        }
    }
    report(troubles);
}

/// Copies a story below a folder.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for name in names_in(from) {
        let (source, target) = (from.join(&name), to.join(&name));
        if source.is_dir() {
            copy(&source, &target);
        } else {
            std::fs::copy(&source, &target).expect("a file");
        }
    }
}

#[test]
fn a_reply_tells_nothing_of_other_teams() {
    let folder = tempfile::tempdir().expect("a folder");
    let stories = Path::new("testdata/bundles");
    copy(&stories.join("run-stuck-image-pull/capture"), folder.path());
    // Of another team's rollout only the list of the hub came along.
    let runs = "run-preempted/capture/clusterstagedupdateruns.yaml";
    std::fs::copy(stories.join(runs), folder.path().join("all-runs.yaml")).expect("a file");
    let (bundle, judged) = judged(&folder.path().to_string_lossy());
    let foreign = judged.findings.iter().filter(|it| it.elsewhere).count();
    assert!(foreign > 0, "no finding on the rest of the hub");
    assert!(markdown::render(&judged, &bundle.sources).contains("remit-1-5-0"));
    let answer = reply::render(&judged);
    assert!(!answer.contains("remit"), "{answer}");
    assert!((8..=15).contains(&answer.lines().count()), "{answer}");
}

/// What an input may hold that a page or a ticket must not take for its own.
const HOSTILE: [&str; 16] = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "</details></sub>",
    "```\n# heading",
    "[a](javascript:alert(1))",
    "\u{202e}@team",
    "`@team` `",
    "a|b|@c",
    "https://evil.example/x",
    "www.evil.example",
    "{code}x{code} {color:red}",
    "#12 !4 ~label %1 $5 &6",
    "**bold** _it_ ~~gone~~",
    "![x](http://evil.example/y.png)",
    "--- ===",
];

/// Returns what of a ticket is neither in a block of code nor in code within a line.
fn outside_code(ticket: &str) -> String {
    let mut out = String::new();
    let mut fence: Option<usize> = None;
    for line in ticket.lines() {
        let bare = line.trim_start();
        let ticks = bare.chars().take_while(|c| *c == '`').count();
        match fence {
            Some(open) if ticks >= open && bare.len() == ticks => fence = None,
            Some(_) => {}
            None if ticks >= 3 && !bare.get(ticks..).unwrap_or_default().contains('`') => {
                fence = Some(ticks)
            }
            // The title of what is folded is HTML: backticks mean nothing in it.
            None if line.starts_with("<details>") => out.push_str(&without_elements(line)),
            None => out.push_str(&without_spans(line)),
        }
        out.push('\n');
    }
    assert_eq!(fence, None, "a block of code stays open:\n{ticket}");
    out
}

/// Takes elements of code out of a line of HTML.
fn without_elements(line: &str) -> String {
    let mut parts = line.split("<code>");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (inner, rest) = part.split_once("</code>").expect("code that ends");
        assert!(!inner.contains('<'), "{line}");
        out.push_str(rest);
    }
    out.replace(['`', '_', '*', '[', '{', '~', '$'], "")
}

/// Takes code spans out of a line as CommonMark finds them: a run of backticks up to the next run of the same length.
fn without_spans(line: &str) -> String {
    let run = |text: &str| text.chars().take_while(|c| *c == '`').count();
    let (mut out, mut rest) = (String::new(), line);
    while let Some(at) = rest.find(['`', '\\']) {
        let (before, here) = rest.split_at(at);
        out.push_str(before);
        if here.starts_with('\\') {
            let end = here.char_indices().nth(2).map_or(here.len(), |(at, _)| at);
            rest = here.split_at(end).1;
            continue;
        }
        let ticks = run(here);
        let inner = here.split_at(ticks).1;
        let mut from = 0;
        let mut end = None;
        while let Some(next) = inner.get(from..).and_then(|text| text.find('`')) {
            let length = run(inner.get(from + next..).unwrap_or_default());
            if length == ticks {
                end = Some(from + next + length);
                break;
            }
            from += next + length;
        }
        let Some(end) = end else { panic!("an open code span: {line}") };
        out.push('\u{b7}');
        rest = inner.split_at(end).1;
    }
    out + rest
}

/// Says what of a ticket a service would make something of.
fn alive(ticket: &str) -> Vec<String> {
    let mut text = outside_code(ticket);
    for ours in ["<details>", "</details>", "<summary>", "</summary>", "<sub>", "</sub>"] {
        text = text.replace(ours, "");
    }
    let text = text.replace("**", "").replace("_Case data", "Case data").replace("._\n", ".\n");
    let signs = ["<", "@", "://", "www.", "[", "{", "~", "$", "*", "_", " !4", "&6"];
    let mut found: Vec<String> =
        signs.iter().filter(|sign| text.contains(*sign)).map(|sign| (*sign).to_owned()).collect();
    found.extend(text.lines().skip(1).filter(|line| line.contains('#')).map(str::to_owned));
    found
}

#[test]
fn nothing_of_a_hostile_bundle_becomes_markup() {
    let story = "testdata/bundles/run-approval-stale-before/capture";
    for hostile in HOSTILE {
        let folder = tempfile::tempdir().expect("a folder");
        let json = |text: &str| serde_json::json!(text).to_string();
        for name in names_in(story) {
            let text = std::fs::read_to_string(Path::new(story).join(&name)).expect("a story");
            // In messages, in names of stages and clusters, of placements and of who approved.
            let text = text
                .replace(
                    "message: The updateRun is waiting for",
                    &format!("message: {}\n    other: waiting", json(&format!("{hostile} waits"))),
                )
                .replace(
                    "stageName: dev",
                    &format!("stageName: {}", json(&format!("dev {hostile}"))),
                )
                .replace("clusterName: member1", &format!("clusterName: {}", json(hostile)))
                .replace("message: approved by", &format!("message: {} #", json(hostile)))
                .replace(
                    "placementName: checkout-placement",
                    &format!("placementName: {}", json(hostile)),
                );
            std::fs::write(folder.path().join(&name), text).expect("a file");
        }
        std::fs::write(folder.path().join("notes.txt"), hostile).expect("a file");
        let (bundle, judged) = judged(&folder.path().to_string_lossy());
        assert!(!judged.findings.is_empty(), "{hostile}");
        let page = html::render(&judged, &bundle.sources);
        let body = page.split_once("<body>").expect("a body").1;
        assert_eq!(body.matches("<script").count(), 1, "{hostile}");
        assert!(!body.contains("<img") && !body.contains("onerror=\""), "{hostile}");
        assert!(!page.contains('\u{202e}'), "{hostile}");
        let ticket = markdown::render(&judged, &bundle.sources);
        for text in [ticket, reply::render(&judged)] {
            let found = alive(&text);
            assert!(found.is_empty(), "{hostile}: {found:?}\n{text}");
            let bare = outside_code(&text);
            assert_eq!(bare.matches("</details>").count(), bare.matches("<details>").count());
            assert!(!text.contains('\u{202e}'), "{hostile}");
        }
    }
}

#[test]
fn a_gate_that_opened_is_told_and_its_finding_is_gone() {
    let story = Path::new("testdata/bundles/run-approval-stale-before/capture");
    let folder = tempfile::tempdir().expect("a folder");
    for name in names_in(story) {
        let text = std::fs::read_to_string(story.join(&name)).expect("a file");
        let text = text
            .replace(
                "    reason: UpdateRunWaiting\n    status: \"False\"",
                "    reason: UpdateRunProgressing\n    status: \"True\"",
            )
            .replace(
                "      reason: StageUpdatingWaiting\n      status: \"False\"",
                "      reason: StageUpdatingStarted\n      status: \"True\"",
            )
            .replace("observedGeneration: 0", "observedGeneration: 1");
        std::fs::write(folder.path().join(&name), text).expect("a file");
    }
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fleetlens"));
        let done = command.args(arguments).output().expect("it runs");
        (done.status.code(), String::from_utf8_lossy(&done.stdout).into_owned())
    };
    let (old, new) = (story.to_string_lossy(), folder.path().to_string_lossy());
    for (format, words) in [
        ("human", "gate before stage dev opened"),
        ("markdown", "gate before stage dev opened"),
        ("json", "\"gate_opened\": \"before stage dev\""),
    ] {
        let (_, text) = run(&["diff", &old, &new, "-o", format]);
        assert!(text.contains(words) && text.contains("FL0501"), "{text}");
    }
    let report = folder.path().join("report.json").to_string_lossy().into_owned();
    run(&["analyze", &old, "-q", "-o", &format!("json={report}")]);
    let (code, text) = run(&["verify", &report, &old]);
    assert!(
        code == Some(0) && text.contains("holds  FL0501") && text.contains("the same"),
        "{text}"
    );
    let (code, text) = run(&["verify", &report, &new]);
    assert!(
        code == Some(1) && text.contains("gone   FL0501") && text.contains("another"),
        "{text}"
    );
}

#[test]
fn two_bundles_are_compared_by_meaning() {
    let bundle = |story: &str| {
        Bundle::open(&[format!("testdata/bundles/{story}/capture")]).expect("a story")
    };
    let (old, new) = (bundle("run-stuck-two-reasons"), bundle("run-preempted"));
    let graph = |bundle: &Bundle| fleetlens::internals::graph::build(bundle, None);
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
