//! Names of objects in the text that people wrote around the output they sent, and in the commands they ran.
//!
//! Owns the text between the documents and log lines of a file. A name that is also a word of the language (`web`)
//! counts only where it is meant as a name: in a command, in quotes, or behind the word for what it is.

use std::collections::BTreeSet;

use crate::bundle::Bundle;
use crate::grammar::kind::find_resource;
use crate::source::{SourceFile, Span};
use crate::syntax::Parsed;
use crate::syntax::transcript::command_of;

/// How much text around the output of a file is read.
const MOST: usize = 1 << 20;

/// Returns those of some names that prose or a command of the bundle names.
pub(super) fn find_named<'n>(bundle: &Bundle, names: &BTreeSet<&'n str>) -> BTreeSet<&'n str> {
    let mut found = BTreeSet::new();
    for (source, parsed) in bundle.sources.iter().zip(&bundle.parsed) {
        if !source.is_sparse() {
            for line in lines_around(source, parsed) {
                find_in_line(line, names, &mut found);
            }
        }
    }
    found
}

/// Returns the lines of a file that belong to no document and no log.
fn lines_around<'s>(source: &'s SourceFile, parsed: &Parsed) -> Vec<&'s str> {
    let documents = parsed.documents.iter().map(|document| document.span);
    let mut taken: Vec<Span> =
        documents.chain(parsed.logs.iter().map(|section| section.span)).collect();
    taken.sort_by_key(|span| span.lo);
    let text = source.text();
    let (mut lines, mut at, mut read) = (Vec::new(), 0, 0);
    let mut add = |from: usize, to: usize| {
        let gap = text.get(from..to).unwrap_or_default();
        read += gap.len();
        if read <= MOST {
            lines.extend(gap.lines());
        }
    };
    for span in taken {
        add(at, (span.lo as usize).max(at));
        at = at.max(span.hi as usize);
    }
    add(at, text.len());
    lines
}

fn find_in_line<'n>(line: &str, names: &BTreeSet<&'n str>, found: &mut BTreeSet<&'n str>) {
    let mut is_command = None;
    let mut before = "";
    for word in line.split(|at: char| at.is_whitespace() || matches!(at, ',' | ';' | '(' | ')')) {
        let (kind, word) = word.split_once('/').unwrap_or((before, word));
        let bare = word.trim_matches(|at: char| !at.is_ascii_alphanumeric());
        if let Some(name) = names.get(bare) {
            let is_word = bare.bytes().all(|at| at.is_ascii_alphabetic());
            let is_meant = !is_word
                || word.starts_with(['`', '"', '\''])
                || is_kind(kind)
                || *is_command.get_or_insert_with(|| command_of(line).is_some());
            if is_meant {
                found.insert(*name);
            }
        }
        before = bare;
    }
}

/// Says whether a word tells what the name behind it is the name of.
fn is_kind(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    matches!(&*word, "run" | "rollout" | "placement") || find_resource(&word).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(line: &str) -> Vec<&'static str> {
        let mut found = BTreeSet::new();
        find_in_line(line, &BTreeSet::from(["web", "web-run-2", "shop"]), &mut found);
        found.into_iter().collect()
    }

    #[test]
    fn names_are_told_from_words() {
        assert_eq!(named("Our run web-run-2 hangs since noon."), ["web-run-2"]);
        assert_eq!(named("Our web shop hangs since noon."), [""; 0]);
        assert_eq!(named("The placement web hangs, `shop` does not."), ["shop", "web"]);
        assert_eq!(named("$ kubectl describe crp web"), ["web"]);
        assert_eq!(named("see csur/web-run-2"), ["web-run-2"]);
        assert_eq!(named("web-run-22 and my-web-run-2"), [""; 0]);
    }
}
