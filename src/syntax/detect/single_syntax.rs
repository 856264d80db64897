//! Whether a whole file is of one syntax.
//!
//! Most files of a bundle are: they go to their parser as they are, and pay one pass over the lines
//! at their left margin for the certainty that nothing else is mixed in.
//! Invariant: no file is copied here, and nothing is compiled.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::source::SourceFile;
use crate::syntax::log::envelope::{Writing, find_enclosed};
use crate::syntax::shallow_lines::shallow_lines;
use crate::syntax::transcript::logline::{is_kubectl_noise, is_log_line};
use crate::syntax::transcript::shape::{
    is_cut, is_describe_name, is_root_key, is_table_header, is_yaml_margin, label, yaml_key,
};
use crate::syntax::transcript::{SectionSyntax, begins_json, is_foreign};

/// How many lines decide whether a file is a log.
const SAMPLE: usize = 20;

/// How many lines of a JSON text are searched for a log record; an object of one record is some ten lines long.
const EXPORT_SAMPLE: usize = 100;

/// Nobody edits larger texts by hand.
const EDITED: usize = 1 << 20;

/// Returns the one form of a whole source, or `None` if it is mixed or not known.
pub(super) fn whole_form(source: &SourceFile) -> Option<SectionSyntax> {
    let text = source.text().trim_start_matches('\u{feff}');
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    if is_log(text) {
        return (!has_margin(text, breaks_log)).then_some(SectionSyntax::Log);
    }
    // What an editor made of the quotes has to be undone first.
    let holds = |quote: &str| memchr::memmem::find(text.as_bytes(), quote.as_bytes()).is_some();
    if text.len() < EDITED && (holds("“") || holds("”")) {
        return None;
    }
    let path = source.path();
    if begins_json(first) && is_export(text) {
        return Some(SectionSyntax::Log);
    }
    if begins_json(first) && !is_table_header(first) {
        return is_pure(text).then_some(SectionSyntax::Json);
    }
    if is_table_header(first) {
        let talks = text.len() < EDITED && has_margin(text, is_prose);
        return (is_pure(text) && !talks).then_some(SectionSyntax::Table);
    }
    if is_describe_name(first) && follows_describe(text) {
        return is_pure(text).then_some(SectionSyntax::Describe);
    }
    if is_yaml(text) {
        return Some(SectionSyntax::Yaml);
    }
    let ends = |ending: &str| path.len() > ending.len() && path.ends_with(ending);
    if ends(".yaml") || ends(".yml") {
        return is_pure(text).then_some(SectionSyntax::Yaml);
    }
    // A log without heads (`-skip_headers`) is known by its name alone.
    let named = ends(".log") || path.contains(".log.") || source.origin().container.is_some();
    (named && !has_margin(text, breaks_log)).then_some(SectionSyntax::Log)
}

/// Says whether a text, or the first block of a file, is a log.
pub fn is_log(text: &str) -> bool {
    let heading = |line: &&str| {
        line.trim().is_empty() || line.starts_with('#') || line.starts_with("==== START logs")
    };
    let mut lines = text.lines().skip_while(heading).take(SAMPLE).peekable();
    let is_record = |line: &str| is_log_line(line) && !is_kubectl_noise(line);
    if lines.peek().is_some_and(|line| is_record(line)) {
        return true;
    }
    // The first record may be cut anywhere, and its tail may be several lines long.
    let (mut all, mut records) = (0, 0);
    for line in lines.skip(1) {
        all += 1;
        records += usize::from(is_record(line));
    }
    all > 0 && records * 2 > all
}

/// Says whether a JSON text is the export of a log system: its strings are log records, and it holds no object.
pub(super) fn is_export(text: &str) -> bool {
    let mut lines = text.lines().take(EXPORT_SAMPLE);
    lines.any(|line| find_enclosed(line).is_some_and(|found| found.writing != Writing::Plain))
        && !text.contains("\"apiVersion\"")
}

/// Says whether no line of a text belongs in a transcript, and nothing was cut out of it.
fn is_pure(text: &str) -> bool {
    !has_margin(text, |line| is_foreign(line) || line.starts_with('\u{a0}')) && !has_cut(text)
}

/// Says whether a line is more of a sentence than of a row.
fn is_prose(line: &str) -> bool {
    line.split("  ").any(|cell| cell.split(' ').filter(|word| !word.is_empty()).count() > 5)
}

/// Says whether a test holds for some line at the left margin.
fn has_margin(text: &str, test: impl Fn(&str) -> bool) -> bool {
    let mut margins = margins(text);
    margins.any(test)
}

/// Returns the lines that do not start with a blank.
fn margins(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let at_margin = |start: &usize| {
        bytes.get(*start).is_some_and(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
    };
    shallow_lines(text).filter(at_margin).filter_map(move |start| {
        let rest = bytes.get(start..)?;
        let end = memchr::memchr(b'\n', rest).map_or(bytes.len(), |at| start + at);
        text.get(start..end).map(str::trim_end)
    })
}

fn breaks_log(line: &str) -> bool {
    let first = line.as_bytes().first();
    // Nearly every line of a log is settled by its first character.
    let may = first
        .is_some_and(|byte| matches!(byte, b'$' | b'P' | b'`' | b'~' | b'N' | b'L' | b'a' | b'k'));
    may && (is_table_header(line)
        || is_describe_name(line)
        || yaml_key(line) == Some("apiVersion")
        || (is_foreign(line) && !line.starts_with("No ")))
}

fn follows_describe(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).skip(1);
    lines.next().is_some_and(|line| label(line).is_some())
}

/// Says whether every line at the margin is YAML, and some key is that of an object.
fn is_yaml(text: &str) -> bool {
    let mut is_object = false;
    for line in margins(text) {
        if !is_yaml_margin(line) {
            return false;
        }
        is_object = is_object || yaml_key(line).is_some_and(is_root_key);
    }
    is_object && !has_cut(text)
}

/// What a line that stands for others holds, by the part of it that other lines seldom hold.
const SIGNS_OF_CUTS: [&str; 6] = ["...", "…", "snip>", "snip]", "uncated", "omitted"];

/// Finds all of them in one pass, which pays where the text is large.
static CUTS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let leftmost = AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(SIGNS_OF_CUTS);
    leftmost.expect("a few fixed words")
});

/// Says whether the writer left lines out; the end marker of a marked YAML stream does not count.
fn has_cut(text: &str) -> bool {
    let marked = text.starts_with("---");
    let cuts = |line: &str| is_cut(line) && !(marked && line == "...");
    if text.len() > EDITED {
        return some_line(text, CUTS.find_iter(text).map(|sign| sign.start()), cuts);
    }
    SIGNS_OF_CUTS
        .iter()
        .any(|sign| some_line(text, memchr::memmem::find_iter(text.as_bytes(), sign), cuts))
}

/// Says whether a test holds for some line in which something was found; each is looked at once, however long it is.
fn some_line(text: &str, found: impl Iterator<Item = usize>, test: impl Fn(&str) -> bool) -> bool {
    let mut done = 0;
    for at in found {
        let Some((before, behind)) = text.split_at_checked(at).filter(|_| at >= done) else {
            continue;
        };
        let start = memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |at| at + 1);
        done = at + memchr::memchr(b'\n', behind.as_bytes()).unwrap_or(behind.len());
        if text.get(start..done).is_some_and(|line| test(line.trim_end())) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_that_quotes_a_log_line_is_no_export() {
        let record = r#"{"log":"E1116 12:00:00.000000       1 main.go:10] \"boom\" err=\"x\"\n"}"#;
        assert!(is_export(record));
        let pod = format!(r#"{{"apiVersion":"v1","kind":"Pod","status":{record}}}"#);
        assert!(!is_export(&pod));
    }
}
