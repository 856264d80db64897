//! Captures that were cut: what is lost is no proof.
//!
//! Each file of each story is cut in the middle of a line, or at the end of one, or loses a line, in turns. What the
//! whole capture does not accuse of, the cut one does not either. `tests/cuts/run.py` does it at many places.

mod holes;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use fleetlens::internals::bundle::{Bundle, KeptLog};
use fleetlens::internals::engine::run_rules;
use fleetlens::internals::finding::{Certainty, Finding, Severity};
use fleetlens::internals::graph;
use fleetlens::internals::rule::{RuleScope, World};
use fleetlens::internals::rules;
use fleetlens::internals::source::{Encoding, Origin, Sources};
use fleetlens::internals::syntax::Parsed;
use fleetlens::internals::syntax::detect::parse_source;

use crate::bless::{names_in, report};

/// Into how many pieces a file is cut; the first file is cut at the first border, the next one at the next.
const PIECES: usize = 4;

/// Rules that say what an object or a log says, and that nothing tells why: with less text there is less to tell.
const UNEXPLAINED: [&str; 2] = ["FL0118", "FL0735"];

/// What happens to a file on its way.
#[derive(Clone, Copy, Debug)]
enum Harm {
    /// It ends in the middle of a line.
    Torn,
    /// It ends behind a line, so that nothing of its last line is torn.
    Ended,
    /// One line is gone.
    Holed,
}

#[test]
fn a_cut_file_accuses_of_nothing_new() {
    accuses_of_nothing_new(Harm::Torn);
}

#[test]
fn a_file_cut_at_a_line_end_accuses_of_nothing_new() {
    accuses_of_nothing_new(Harm::Ended);
}

#[test]
fn a_lost_line_accuses_of_nothing_new() {
    accuses_of_nothing_new(Harm::Holed);
}

/// Cuts that once made an error of what was lost: a condition without its type, a stage without its name, half a name.
#[test]
fn what_was_cut_off_is_no_error() {
    for (case, code) in [
        ("false-FL0117-line-end", "FL0117"),
        ("false-FL0204-empty-stage", "FL0204"),
        ("false-FL0508-value-cut", "FL0508"),
    ] {
        let found = accusations(&open(&Path::new("testdata/regress").join(case)));
        assert!(!found.contains(code), "{case}: {found:?}");
    }
}

fn accuses_of_nothing_new(harm: Harm) {
    let mut troubles = Vec::new();
    for (turn, story) in STORIES.iter().enumerate() {
        let texts = story.files.iter().enumerate().filter(|(_, file)| file.is_text());
        for (index, file) in texts {
            // One of the three harms befalls each file.
            if (index + turn) % 3 != harm as usize {
                continue;
            }
            let piece = 1 + (index / 3 + turn) % (PIECES - 1);
            let Some(rest) = harmed(file.text.as_bytes(), harm, piece) else { continue };
            let kept = String::from_utf8_lossy(&rest);
            let mut new = story.new_accusations(index, Some(&*kept));
            new.retain(|code| !UNEXPLAINED.contains(&&**code));
            if !new.is_empty() {
                let (story, path) = (&story.name, &file.path);
                troubles.push(format!("{story}/{path}, {harm:?} {}: {new:?}", rest.len()));
            }
        }
    }
    report(troubles);
}

/// A story in memory, so that a file of it is harmed without a copy of the others.
struct Story {
    name: String,
    files: Vec<StoryFile>,
    /// What was read in each file.
    parsed: Vec<Parsed>,
    logs: Vec<KeptLog>,
    whole: BTreeSet<String>,
}

struct StoryFile {
    path: String,
    origin: Origin,
    text: String,
}

static STORIES: LazyLock<Vec<Story>> =
    LazyLock::new(|| names_in("testdata/bundles").into_iter().map(Story::read).collect());

impl Story {
    fn read(name: String) -> Self {
        let capture = Path::new("testdata/bundles").join(&name).join("capture");
        let bundle = open(&capture);
        let files = bundle.sources.iter().map(|source| StoryFile {
            path: source.path().to_owned(),
            origin: source.origin().clone(),
            // Of a log, the lines that were kept.
            text: source.text().to_owned(),
        });
        let (files, whole) = (files.collect(), accusations(&bundle));
        Self { name, files, parsed: bundle.parsed, logs: bundle.logs, whole }
    }

    /// Returns what the capture is accused of that it is not with all of a file; without `rest`, the file was not sent.
    fn new_accusations(&self, harmed: usize, rest: Option<&str>) -> Vec<String> {
        self.accusations(harmed, rest).difference(&self.whole).cloned().collect()
    }

    fn accusations(&self, harmed: usize, rest: Option<&str>) -> BTreeSet<String> {
        let mut sources = Sources::default();
        for (index, file) in self.files.iter().enumerate() {
            let text = if index == harmed { rest } else { Some(&*file.text) };
            if let Some(text) = text {
                sources.add(file.path.as_str(), file.origin.clone(), Encoding::Utf8, text);
            }
        }
        // Everything else is as it was, unless there is a file less or the harm is done to a log.
        let harmed = sources.as_slice().get(harmed).filter(|_| rest.is_some());
        let harmed = harmed.filter(|file| self.logs.iter().all(|log| log.source != file.id()));
        let bundle = match harmed.map(|file| (file.id(), parse_source(file, &|_| true))) {
            Some((id, fresh)) if fresh.logs.is_empty() => {
                let (mut parsed, logs) = (self.parsed.clone(), self.logs.clone());
                parsed[id.0 as usize] = fresh;
                Bundle { sources, parsed, logs, ..Bundle::default() }
            }
            _ => Bundle::parse(sources, &|_| true),
        };
        accusations(&bundle)
    }
}

impl StoryFile {
    fn is_text(&self) -> bool {
        [".yaml", ".json", ".txt"].iter().any(|end| self.path.ends_with(end))
    }
}

fn open(folder: &Path) -> Bundle {
    Bundle::open(&[folder.to_string_lossy().into_owned()]).expect("a readable story")
}

/// Returns what is left of a text that is harmed at the border of a piece.
fn harmed(text: &[u8], harm: Harm, piece: usize) -> Option<Vec<u8>> {
    let within = within_a_line(text, piece)?;
    let line = text.get(..within)?.iter().rposition(|byte| *byte == b'\n')? + 1;
    match harm {
        Harm::Torn => text.get(..within).map(<[u8]>::to_vec),
        Harm::Ended => text.get(..line).map(<[u8]>::to_vec),
        Harm::Holed => {
            let end = line + text.get(line..)?.iter().position(|byte| *byte == b'\n')? + 1;
            Some([text.get(..line)?, text.get(end..)?].concat())
        }
    }
}

/// Returns the codes of the errors that a capture is shown to have. The rules say so; the report that is made of their
/// findings would add none and takes half as long again.
fn accusations(bundle: &Bundle) -> BTreeSet<String> {
    let graph = graph::build(bundle, None);
    let world = World::of_capture(&graph, bundle);
    let able = rules::ALL.iter().copied().filter(|rule| rule.scope() == RuleScope::Bundle);
    let able: Vec<_> = able.filter(|rule| world.has_subject(rule)).collect();
    let outcomes = run_rules(&able, &world);
    let accuses = |finding: &&Finding| {
        finding.severity == Severity::Error && finding.certainty == Certainty::Shown
    };
    for outcome in &outcomes {
        assert_eq!(outcome.panic, None, "{} breaks down", outcome.rule.code);
    }
    let findings = outcomes.iter().flat_map(|outcome| &outcome.findings).filter(accuses);
    findings.map(|finding| finding.code.to_owned()).collect()
}

/// Returns a place at the border of a piece, moved back into a line.
fn within_a_line(text: &[u8], piece: usize) -> Option<usize> {
    let wanted = text.len() * piece / PIECES;
    let inside = |end: &usize| text.get(end - 1).is_some_and(|byte| !byte.is_ascii_whitespace());
    (1..=wanted).rev().find(inside)
}
