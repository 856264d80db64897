//! Captures that were cut: what is lost is no proof.
//!
//! Each file of each story is cut in the middle of a line, or at the end of one, or loses a line, in turns. What the
//! whole capture does not accuse of, the cut one does not either. `tests/cuts/run.py` does all of it at many places.

mod holes;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::config::Config;
use fleetlens::internals::engine::judge;
use fleetlens::internals::finding::{Certainty, Finding, Severity};

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
        let found = accusations(&Path::new("testdata/regress").join(case));
        assert!(!found.contains(code), "{case}: {found:?}");
    }
}

fn accuses_of_nothing_new(harm: Harm) {
    let mut troubles = Vec::new();
    for (turn, story) in names_in("testdata/bundles").into_iter().enumerate() {
        let capture = Path::new("testdata/bundles").join(&story).join("capture");
        let whole = accusations(&capture);
        let files = text_files(&capture).into_iter().enumerate();
        for (index, file) in files.filter(|(index, _)| (index + turn) % 3 == harm as usize) {
            let text = std::fs::read(&file).expect("a file of the story");
            let Some(rest) = harmed(&text, harm, 1 + index % (PIECES - 1)) else { continue };
            let kept = String::from_utf8_lossy(&rest);
            let copy = copy_without(&capture, &file, Some(&*kept));
            let mut new: Vec<String> =
                accusations(copy.path()).difference(&whole).cloned().collect();
            new.retain(|code| !UNEXPLAINED.contains(&&**code));
            if !new.is_empty() {
                troubles.push(format!("{}, {harm:?} {}: {new:?}", file.display(), rest.len()));
            }
        }
    }
    report(troubles);
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

/// Copies a capture of which a file has lost something, or everything.
fn copy_without(capture: &Path, file: &Path, rest: Option<&str>) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a folder for the copy");
    for other in files(capture) {
        let inside = other.strip_prefix(capture).expect("a path within the story");
        let place = copy.path().join(inside);
        std::fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        if other != file {
            std::fs::copy(&other, &place).expect("a copy");
        } else if let Some(rest) = rest {
            std::fs::write(&place, rest).expect("what is left of the file");
        }
    }
    copy
}

/// Returns the codes of the errors that a capture is shown to have.
fn accusations(folder: &Path) -> BTreeSet<String> {
    let bundle = Bundle::open(&[folder.to_string_lossy().into_owned()]).expect("a readable story");
    let findings = judge(&bundle, &Config::default()).findings;
    let accuses = |finding: &Finding| {
        finding.severity == Severity::Error && finding.certainty == Certainty::Shown
    };
    let errors = findings.into_iter().filter(|it| accuses(&it.finding));
    errors.map(|it| it.finding.code.to_owned()).collect()
}

/// Returns a place at the border of a piece, moved back into a line.
fn within_a_line(text: &[u8], piece: usize) -> Option<usize> {
    let wanted = text.len() * piece / PIECES;
    let inside = |end: &usize| text.get(end - 1).is_some_and(|byte| !byte.is_ascii_whitespace());
    (1..=wanted).rev().find(inside)
}

fn text_files(folder: &Path) -> Vec<PathBuf> {
    let texts = ["yaml", "json", "txt"];
    let is_text =
        |file: &PathBuf| file.extension().is_some_and(|it| texts.iter().any(|t| it == *t));
    files(folder).into_iter().filter(is_text).collect()
}

/// Returns the files of a folder, those of its folders included.
fn files(folder: &Path) -> Vec<PathBuf> {
    let inside = |name: String| {
        let path = folder.join(name);
        if path.is_dir() { files(&path) } else { vec![path] }
    };
    names_in(folder).into_iter().flat_map(inside).collect()
}
