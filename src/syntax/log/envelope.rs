//! Records that stand in the middle of a line, behind or inside whatever a log system put around them.
//!
//! Log systems are many: their exports are rows of CSV, objects of JSON, or words in front of the line. A klog
//! head is so peculiar that it is found without knowing which one it was. Owns finding it, and how the
//! text around it writes quotes. Invariant: only the first part of a line is searched.

use std::ops::Range;

use super::quote;
use super::time::stamp_len;
use crate::syntax::klog;

/// How far into a line a record may begin.
const REACH: usize = 2048;

/// How far the head of a record reaches: level, time, number of the process, source file.
const HEAD: usize = 160;

/// How the text of a record is written where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writing {
    /// As it is.
    Plain,
    /// As a string of JSON.
    Json,
    /// As a quoted field of CSV: quotes are doubled.
    Csv,
}

/// A record inside of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Enclosed {
    /// Where its text stands, without the quotes around it.
    pub(crate) range: Range<usize>,
    pub(crate) writing: Writing,
    /// The timestamp in front of it.
    pub(crate) stamp: Option<Range<usize>>,
}

/// Finds the record in a line that begins with something else.
pub(crate) fn find_enclosed(line: &str) -> Option<Enclosed> {
    let bytes = line.as_bytes();
    let reach = bytes.get(..REACH).unwrap_or(bytes);
    let start = memchr::memmem::find_iter(reach, b".go:").find_map(|caller| {
        let from = caller.saturating_sub(HEAD).max(1);
        (from..caller).find(|start| is_head(line, *start))
    })?;
    let (end, writing) = end_of(line, start);
    Some(Enclosed { range: start..end, writing, stamp: find_stamp(line, start) })
}

fn is_head(line: &str, start: usize) -> bool {
    let bytes = line.as_bytes();
    let level = bytes.get(start).is_some_and(|byte| b"IWEF".contains(byte));
    let free = start.checked_sub(1).and_then(|before| bytes.get(before));
    let free = free.is_some_and(|before| !before.is_ascii_alphanumeric());
    // The cut of an escape (`\nE1116 …`) is no border, but what follows it is the next record.
    level && free && line.get(start..).is_some_and(|text| klog::parse_head(text).is_some())
}

fn end_of(line: &str, start: usize) -> (usize, Writing) {
    let bytes = line.as_bytes();
    let plain = (line.trim_end_matches(['`', ' ', '\r']).len(), Writing::Plain);
    if bytes.get(start - 1) != Some(&b'"') {
        return plain;
    }
    let csv = csv_end(bytes, start);
    let json = quote::quoted(bytes, start - 1).map(|inside| inside.end);
    // A string of JSON never has two quotes side by side: each has its backslash.
    let doubled = |end: &usize| line.get(start..*end).is_some_and(|field| field.contains("\"\""));
    match (csv.filter(doubled), json) {
        (Some(end), _) => (end, Writing::Csv),
        (None, Some(end)) => (end, Writing::Json),
        (None, None) => plain,
    }
}

/// Returns where a field of CSV ends: at a quote that no other one follows.
fn csv_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += memchr::memchr(b'"', bytes.get(at..)?)?;
        if bytes.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

/// Finds the last timestamp with year and zone in front of a record.
fn find_stamp(line: &str, start: usize) -> Option<Range<usize>> {
    let bytes = line.as_bytes().get(..start)?;
    let borders = (0..start).rev().filter(|at| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        before.is_none_or(|byte| !byte.is_ascii_alphanumeric())
    });
    borders.filter_map(|at| stamp_len(bytes.get(at..)?).map(|len| at..at + len)).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KLOG: &str = "E1116 12:29:40.303978   21859 updaterun/execution.go:275] ";

    #[test]
    fn records_are_found_behind_and_inside_of_what_log_systems_write() {
        let stamp = "2026-11-16T12:29:40.303978Z";
        for (line, writing, text) in [
            (
                format!("fleet-system/hub-agent-1 {KLOG}\"m\" k=\"v\""),
                Writing::Plain,
                "\"m\" k=\"v\"",
            ),
            (format!("+ {KLOG}plain"), Writing::Plain, "plain"),
            (format!("```{KLOG}plain```"), Writing::Plain, "plain"),
            (
                format!("{stamp},p,I,\"{KLOG}\"\"m\"\" k=\"\"v\"\"\",x"),
                Writing::Csv,
                "\"\"m\"\" k=\"\"v\"\"",
            ),
            (
                format!("    \"line\": \"{KLOG}\\\"m\\\" k=\\\"v\\\"\","),
                Writing::Json,
                "\\\"m\\\" k=\\\"v\\\"",
            ),
            (format!("[\"{stamp}\",\"{KLOG}plain\"]"), Writing::Json, "plain"),
        ] {
            let found = find_enclosed(&line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(found.writing, writing, "{line}");
            assert_eq!(line.get(found.range), Some(&*format!("{KLOG}{text}")), "{line}");
            let has_stamp = line.contains(stamp);
            assert_eq!(
                found.stamp.and_then(|at| line.get(at)),
                has_stamp.then_some(stamp),
                "{line}"
            );
        }
    }

    #[test]
    fn other_lines_hold_no_record() {
        for line in [
            "",
            "main.main()",
            "\t/src/cmd/hubagent/main.go:120 +0x1d",
            "see E1116 in main.go:12 please",
            "aE1116 12:29:40.303978   21859 updaterun/execution.go:275] x",
        ] {
            assert_eq!(find_enclosed(line), None, "{line}");
        }
    }
}
