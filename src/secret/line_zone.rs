//! Zones of YAML and describe text, by indentation alone: a broken document has them too.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::credential::is_sensitive_name;
use super::is_variable;
use super::row::KeyedLine;

/// With what a configuration that was applied before is kept, in YAML and in JSON.
const LAST_APPLIED: &str = "last-applied";

/// What stands in the path of an environment variable.
const PATH_OF_VARIABLE: &str = "/env/";

/// Words without which a text has no zone.
static SIGNS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    // Only leftmost matches are looked for by whole vectors of bytes. No word goes over a line, so that the lines are the same.
    let words = [
        "Secret",
        "PASSWORD",
        "SECRET",
        "TOKEN",
        "_KEY",
        "PASSWD",
        "_PWD",
        "CREDENTIAL",
        LAST_APPLIED,
        "PRIVATE KEY",
        PATH_OF_VARIABLE,
    ];
    let leftmost = AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(words);
    leftmost.expect("a few fixed words")
});

/// The fields of a Secret that hold its data.
const DATA: [&str; 2] = ["data", "stringdata"];

/// The fields in which a difference is told.
const DIFFERENCE: [&str; 2] = ["valueinhub", "valueinmember"];

/// Finds the zones that the lines of a text show; also says whether some may be in JSON within it.
pub(super) fn zones(text: &str) -> (Vec<Range<usize>>, bool) {
    let mut finder = Finder { text, zones: Vec::new(), done: BTreeMap::new(), whole: 0..0 };
    let mut line = 0..0;
    let mut in_json = false;
    for sign in SIGNS.find_iter(text) {
        in_json = in_json || speaks_in_json(text, sign.range());
        if line.contains(&sign.start()) && line.end > 0 {
            continue;
        }
        let row = KeyedLine::at(text, sign.start());
        line = row.line.start..row.line.end.max(row.line.start + 1);
        if row.is_key("kind") && row.bare(text) == "Secret" {
            finder.secret(&row);
        } else if row.is_key("name") && is_sensitive_name(row.bare(text)) {
            finder.variable(&row);
        } else if row.key.ends_with("last-applied-configuration") {
            finder.value(&row);
        } else if row.is_key("path") && is_variable(row.bare(text)) {
            finder.beside(&row);
        } else if let Some(begin) =
            text.get(row.line.clone()).and_then(|line| line.find("-----BEGIN "))
        {
            finder.private_key(row.line.start + begin);
        }
    }
    (finder.zones, in_json)
}

/// Says whether a sign is one that JSON may hold a zone behind.
fn speaks_in_json(text: &str, sign: Range<usize>) -> bool {
    let quoted = || {
        let around = sign.start.saturating_sub(1)..sign.end + 1;
        text.as_bytes().get(around) == Some(b"\"Secret\"")
    };
    matches!(text.get(sign.clone()), Some(LAST_APPLIED | PATH_OF_VARIABLE)) || quoted()
}

struct Finder<'t> {
    text: &'t str,
    zones: Vec<Range<usize>>,
    /// The last block of each column, so that none is walked twice.
    done: BTreeMap<usize, Range<usize>>,
    /// The last object that was walked because it selects Secrets.
    whole: Range<usize>,
}

impl<'t> Finder<'t> {
    /// Hides what the object around `kind: Secret` holds.
    fn secret(&mut self, row: &KeyedLine<'t>) {
        let known = self.done.get(&row.column);
        if known.is_some_and(|block| block.contains(&row.line.start)) {
            return;
        }
        let block = self.block(row);
        self.done.insert(row.column, block.clone());
        self.fields(block.clone(), row.column);
        self.differences(block.clone(), false);
        let Some(parent) = self.parent(block.start, row.column) else { return };
        if parent.is_key("identifier") {
            let around = self.block(&parent);
            self.differences(around, false);
        } else if parent.key.ends_with("electors") && !self.whole.contains(&row.line.start) {
            let mut top = parent;
            while let Some(above) = self.parent(top.line.start, top.column) {
                top = above;
                if top.is_key("spec") {
                    break;
                }
            }
            self.whole = self.block(&top);
            self.differences(self.whole.clone(), true);
        }
    }

    /// Returns the lines of the map that a row's key belongs to.
    fn block(&self, row: &KeyedLine<'t>) -> Range<usize> {
        let column = row.column;
        let starts = |row: &KeyedLine<'_>| row.dash.is_some_and(|dash| dash < column);
        let outside = |row: &KeyedLine<'_>| {
            (!row.is_blank() && row.column < column) || row.is_border(self.text)
        };
        let mut first = row.clone();
        while !(starts(&first) && first.column == column) {
            match first.before(self.text) {
                Some(above) if !outside(&above) => first = above,
                _ => break,
            }
        }
        let mut last = row.clone();
        while let Some(below) = last.after(self.text) {
            if outside(&below) || (starts(&below) && below.column <= column) {
                break;
            }
            last = below;
        }
        first.line.start..last.line.end
    }

    /// Returns the row of the key under which a block stands.
    fn parent(&self, start: usize, column: usize) -> Option<KeyedLine<'t>> {
        let mut row = KeyedLine::at(self.text, start);
        loop {
            row = row.before(self.text)?;
            if row.is_border(self.text) {
                return None;
            }
            if !row.is_blank() && row.column < column {
                return Some(row);
            }
        }
    }

    fn rows(&self, block: Range<usize>) -> impl Iterator<Item = KeyedLine<'t>> + use<'t> {
        let text = self.text;
        let first = Some(KeyedLine::at(text, block.start));
        let rows = std::iter::successors(first, move |row| row.after(text));
        rows.take_while(move |row| row.line.start < block.end)
    }

    /// Hides the values under `data` and `stringData` of a map whose keys stand in a column.
    fn fields(&mut self, block: Range<usize>, column: usize) {
        let (mut inside, mut child) = (false, None);
        let mut found = Vec::new();
        for row in self.rows(block) {
            if row.is_blank() {
                continue;
            }
            if row.column == column && !row.key.is_empty() {
                inside = DATA.iter().any(|key| row.is_key(key));
                child = None;
                if inside {
                    found.push(row.value);
                }
            } else if inside {
                let child = *child.get_or_insert(row.column);
                let keyed = !row.key.is_empty() && row.column <= child;
                found.push(if keyed {
                    row.value
                } else {
                    row.line.start + row.column..row.line.end
                });
            }
        }
        self.zones.extend(found);
    }

    /// Hides the values of differences, and of patches where asked.
    fn differences(&mut self, block: Range<usize>, patches: bool) {
        let mut patch = None;
        let rows: Vec<KeyedLine<'t>> = self
            .rows(block)
            .filter(|row| {
                if row.is_key("path") || row.is_key("op") {
                    patch = Some(row.column);
                }
                let patched = patches && row.is_key("value") && patch == Some(row.column);
                patched || DIFFERENCE.iter().any(|key| row.is_key(key))
            })
            .collect();
        rows.iter().for_each(|row| self.value(row));
    }

    /// Hides the values beside a path: one of an environment variable, whose name it does not tell.
    fn beside(&mut self, path: &KeyedLine<'t>) {
        let mut next = path.after(self.text);
        while let Some(row) = next.filter(|row| row.dash.is_none() && row.column >= path.column) {
            if row.column == path.column && DIFFERENCE.iter().any(|key| row.is_key(key)) {
                self.value(&row);
            }
            next = row.after(self.text);
        }
    }

    /// Hides the value beside a name that tells a credential.
    fn variable(&mut self, name: &KeyedLine<'t>) {
        let beside = |row: &KeyedLine<'_>| row.column == name.column && row.is_key("value");
        let next = name.after(self.text).filter(|row| row.dash.is_none() && beside(row));
        let before = name.dash.is_none().then(|| name.before(self.text)).flatten();
        if let Some(row) = next.or_else(|| before.filter(beside)) {
            self.value(&row);
        }
    }

    /// Hides the body of a private key that begins here: to its end, or as long as it can go on.
    fn private_key(&mut self, begin: usize) {
        let rest = self.text.get(begin..).unwrap_or_default();
        let Some(head) =
            rest.find("PRIVATE KEY").and_then(|at| Some(at + rest.get(at..)?.find("-----")? + 5))
        else {
            return;
        };
        let body = rest.get(head..).unwrap_or_default();
        let ends = |line: &str| line.contains("-----END") || line.contains([':', '{', '$']);
        let mut end = 0;
        for line in body.split_inclusive('\n') {
            if end > 0 && ends(line) {
                end += line.find("-----END").unwrap_or_default();
                break;
            }
            let own = line.find("-----END");
            end += own.unwrap_or(line.len());
            if own.is_some() {
                break;
            }
        }
        self.zones.push(begin + head..begin + head + end);
    }

    /// Hides the value of a row, with the lines that it goes on for.
    fn value(&mut self, row: &KeyedLine<'t>) {
        self.zones.push(row.value.clone());
        let mut below = row.after(self.text);
        while let Some(next) = below {
            let inside = next.is_blank() || next.column > row.column;
            if !inside || next.is_border(self.text) {
                break;
            }
            self.zones.push(next.line.start + next.column..next.line.end);
            below = next.after(self.text);
        }
    }
}
