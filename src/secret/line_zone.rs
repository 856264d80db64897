//! Zones of YAML and describe text, by indentation alone: a broken document has them too.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::base64::looks_coded;
use super::credential::{is_sensitive_name, named_values};
use super::flow_values;
use super::is_variable;
use super::line_prefix::{LinePrefix, is_comparison};
use super::row::KeyedLine;
use super::secret_fields::{DATA, METADATA, Under, names_secret};
use super::signs::SIGNS;
use super::unsettled_signs::{Signs, is_whole_word};

/// How the key ends under which it stands.
const APPLIED_KEY: &str = "last-applied-configuration";

/// No parser takes what is indented further, and objects in each other are walked once for each of them.
const DEEPEST_COLUMN: usize = 300;

/// Finds all signs in one pass.
static FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    // Only leftmost matches are looked for by whole vectors of bytes.
    let leftmost = AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(SIGNS);
    leftmost.expect("a few fixed words")
});

/// The fields in which a difference is told.
const DIFFERENCE: [&str; 2] = ["valueinhub", "valueinmember"];

/// Finds the zones that the lines of a text show; also tells the signs behind which braces or escapes may hide more.
pub(super) fn zones(text: &str) -> (Vec<Range<usize>>, Signs) {
    let mut finder = Finder {
        text,
        zones: Vec::new(),
        done: BTreeMap::new(),
        whole: 0..0,
        hidden: 0..0,
        identified: 0..0,
        unowned: 0..0,
        kinds: BTreeMap::new(),
        parents: BTreeMap::new(),
        compared: None,
    };
    let mut line = 0..0;
    let mut signs = Signs::default();
    // Up to where something that was applied last is hidden: it tells its own kind.
    let mut applied = 0;
    for sign in FINDER.find_iter(text) {
        let word = text.get(sign.range()).unwrap_or_default();
        let is_data = word.starts_with(['d', 'D']);
        if is_data && (sign.start() < applied || !is_whole_word(text, sign.start())) {
            continue;
        }
        let known = line.contains(&sign.start()) && line.end > 0;
        let row = (!known).then(|| KeyedLine::at(text, sign.start(), LinePrefix::None));
        let is_key = row
            .as_ref()
            .is_some_and(|row| row.key.ends_with(APPLIED_KEY) && row.value.start >= sign.end());
        // What tells another kind in a line of its own is no Secret; one that is has a sign of its own.
        let is_owned = is_data
            && row.as_ref().is_some_and(|row| row.is_key("data") && finder.tells_kind_below(row));
        if !is_key && !is_owned {
            signs.note(text, sign.range());
        }
        let Some(row) = row else { continue };
        line = row.line.start..row.line.end.max(row.line.start + 1);
        if word == "Secret" {
            finder.told_secret(&row);
        } else if is_data && !is_owned {
            finder.data_of_unknown(&row);
        }
        finder.credential(&row);
        if is_key {
            applied = finder.zones.last().map_or(0, |zone| zone.end);
        }
    }
    (finder.zones, signs)
}

struct Finder<'t> {
    text: &'t str,
    zones: Vec<Range<usize>>,
    /// The last block of each column, so that none is walked twice.
    done: BTreeMap<usize, Range<usize>>,
    /// The last object that was walked because it selects Secrets.
    whole: Range<usize>,
    /// The last lines of which all values were hidden.
    hidden: Range<usize>,
    /// The last object that was walked because a Secret is identified in it.
    identified: Range<usize>,
    /// The last object that was walked because it does not tell its kind.
    unowned: Range<usize>,
    /// The last lines of each column in which a kind was looked for, and whether it was found, so that none is walked twice.
    kinds: BTreeMap<usize, (Range<usize>, bool)>,
    /// The last lines of each column that were walked up, and the row under which they stand, so that none is walked twice.
    parents: BTreeMap<usize, (Range<usize>, Option<KeyedLine<'t>>)>,
    /// Whether the text is a comparison, once somebody asks.
    compared: Option<bool>,
}

impl<'t> Finder<'t> {
    /// Looks whether a line with the word says that an object is a Secret, or selects some.
    fn told_secret(&mut self, row: &KeyedLine<'t>) {
        let text = self.text;
        let compared = *self.compared.get_or_insert_with(|| is_comparison(text));
        let line = text.as_bytes().get(row.line.clone()).unwrap_or_default();
        for margin in LinePrefix::of(line, compared) {
            let row = KeyedLine::at(text, row.line.start, margin);
            if row.is_key("kind") && row.bare(text) == "Secret" {
                return self.secret(&row);
            }
            if row.is_key("kind") && row.bare(text) == "SecretList" {
                return self.list_of_secrets(&row);
            }
            let above = row.before(text).filter(|above| {
                row.key.is_empty() && row.bare(text) == "Secret" && above.goes_on_below(text)
            });
            if let Some(above) = above.filter(|above| above.is_key("kind")) {
                return self.secret(&above);
            }
            let value = text.get(row.value.clone()).unwrap_or_default();
            if value.starts_with(['{', '[']) && names_secret(value) {
                return self.spoken_of(&row);
            }
        }
    }

    /// Hides what gives itself away as a credential by the name beside it.
    fn credential(&mut self, row: &KeyedLine<'t>) {
        let text = self.text;
        if row.is_key("name") && is_sensitive_name(row.bare(text)) {
            self.variable(row);
        } else if row.key.ends_with(APPLIED_KEY) {
            self.value(row);
        } else if row.is_key("path") && is_variable(row.bare(text)) {
            self.beside(row);
        } else {
            let line = text.get(row.line.clone()).unwrap_or_default();
            match line.find("-----BEGIN ") {
                Some(begin) => self.private_key(row.line.start + begin),
                None if line.contains("--") => self.flags(row),
                None => {}
            }
        }
    }

    /// Hides the data of an object that does not tell its kind, since the text was cut: it may be that of a Secret.
    fn data_of_unknown(&mut self, row: &KeyedLine<'t>) {
        let text = self.text;
        if !DATA.iter().any(|key| row.is_key(key)) {
            return;
        }
        if row.is_key("stringdata") {
            // Nothing but a Secret has it.
            return self.value_by_keys(row);
        }
        if self.unowned.contains(&row.line.start) {
            return;
        }
        let block = self.block(row);
        self.unowned = block.clone();
        let tells = |it: &KeyedLine<'_>| it.column == row.column && it.is_key("kind");
        if self.rows(block, row.margin()).any(|it| tells(&it)) {
            return;
        }
        let mut below = row.after(text);
        while let Some(next) = below
            .filter(|next| (next.is_blank() || next.column > row.column) && !next.is_border(text))
        {
            if looks_coded(next.bare(text)) {
                self.zones.push(next.value.clone());
            }
            below = next.after(text);
        }
    }

    /// Says whether the key `kind` follows in the column of a row, as the API server prints it; deeper lines are passed over quickly.
    fn tells_kind_below(&mut self, row: &KeyedLine<'t>) -> bool {
        let from = row.line.start;
        match self.kinds.get(&row.column) {
            Some((walked, found)) if walked.contains(&from) => return *found,
            _ => {}
        }
        let (end, found) = self.walk_to_kind(row);
        self.kinds.insert(row.column, (from..end, found));
        found
    }

    /// Walks down from a row to the key `kind` in its column, or out of its block; returns where, and which of the two.
    fn walk_to_kind(&self, row: &KeyedLine<'t>) -> (usize, bool) {
        let bytes = self.text.as_bytes();
        let mut at = row.line.end;
        while let Some(length) = bytes.get(at..).and_then(|rest| memchr::memchr(b'\n', rest)) {
            at += length + 1;
            let rest = bytes.get(at..).unwrap_or_default();
            let own = rest.iter().take(row.column + 1).take_while(|byte| **byte == b' ').count();
            let starts = rest.get(own).copied().unwrap_or(b'\n');
            if own > row.column || starts == b'\n' {
                continue;
            }
            let leaves = own < row.column || starts == b'-';
            if leaves || KeyedLine::at(self.text, at, row.margin()).is_key("kind") {
                return (at, !leaves);
            }
        }
        (bytes.len(), false)
    }

    /// Hides what the object around `kind: Secret` holds.
    fn secret(&mut self, row: &KeyedLine<'t>) {
        if row.column > DEEPEST_COLUMN {
            return;
        }
        let known = self.done.get(&row.column);
        if known.is_some_and(|block| block.contains(&row.line.start)) {
            return;
        }
        let block = self.block(row);
        self.done.insert(row.column, block.clone());
        self.fields(block.clone(), row);
        self.differences(block.clone(), row.margin(), false);
        if let Some(parent) = self.parent(block.start, row) {
            self.spoken_of(&parent);
        }
    }

    /// Hides the data of the items of a list that tells the kind for all of them.
    fn list_of_secrets(&mut self, row: &KeyedLine<'t>) {
        let known = self.done.get(&row.column);
        if known.is_some_and(|block| block.contains(&row.line.start)) {
            return;
        }
        let block = self.block(row);
        self.done.insert(row.column, block.clone());
        let is_data = |row: &KeyedLine<'_>| DATA.iter().any(|key| row.is_key(key));
        for row in self.rows(block, row.margin()).filter(is_data) {
            self.value_by_keys(&row);
        }
    }

    /// Hides what is said of a Secret beside the key under which it is named.
    fn spoken_of(&mut self, parent: &KeyedLine<'t>) {
        let margin = parent.margin();
        if parent.is_key("identifier") {
            if !self.identified.contains(&parent.line.start) {
                self.identified = self.block(parent);
                self.differences(self.identified.clone(), margin, false);
            }
        } else if parent.key.ends_with("electors") && !self.whole.contains(&parent.line.start) {
            let mut top = parent.clone();
            while let Some(above) = self.parent(top.line.start, &top) {
                top = above;
                if top.is_key("spec") {
                    break;
                }
            }
            self.whole = self.block(&top);
            self.differences(self.whole.clone(), margin, true);
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
    fn parent(&mut self, start: usize, of: &KeyedLine<'t>) -> Option<KeyedLine<'t>> {
        let mut row = KeyedLine::at(self.text, start, of.margin());
        let known = self.parents.get(&of.column).filter(|(_, parent)| {
            parent.as_ref().is_none_or(|parent| parent.margin() == of.margin())
        });
        let (mut top, mut parent) = (0, None);
        while let Some(above) = row.before(self.text) {
            if let Some((walked, found)) =
                known.filter(|(walked, _)| walked.contains(&above.line.start))
            {
                (top, parent) = (walked.start, found.clone());
                break;
            }
            if above.is_border(self.text) {
                top = row.line.start;
                break;
            }
            if !above.is_blank() && above.column < of.column {
                (top, parent) = (row.line.start, Some(above));
                break;
            }
            row = above;
        }
        self.parents.insert(of.column, (top..start, parent.clone()));
        parent
    }

    fn rows(
        &self,
        block: Range<usize>,
        margin: LinePrefix,
    ) -> impl Iterator<Item = KeyedLine<'t>> + use<'t> {
        let text = self.text;
        let first = Some(KeyedLine::at(text, block.start, margin));
        let rows = std::iter::successors(first, move |row| row.after(text));
        rows.take_while(move |row| row.line.start < block.end)
    }

    /// Hides the values under `data` and `stringData` of the map to which a key belongs. Of a whole object, everything is hidden that
    /// is known not to be its data, since the line with that word may be lost.
    fn fields(&mut self, block: Range<usize>, of: &KeyedLine<'t>) {
        let rows = Vec::from_iter(self.rows(block, of.margin()).filter(|row| !row.is_blank()));
        let own = |row: &KeyedLine<'_>| row.column == of.column && !row.key.is_empty();
        let is_object = rows
            .iter()
            .any(|row| own(row) && (row.is_key("metadata") || row.is_key("apiversion")))
            && !rows.iter().any(|row| own(row) && (row.is_key("name") || row.is_key("conditions")));
        // What stands before the first key is the rest of a field whose beginning was cut off.
        let mut under = Under::Data;
        let mut child = None;
        for row in rows {
            if own(&row) {
                under = Under::of(&row, is_object);
                child = None;
                if under == Under::Data {
                    self.zones.push(row.value);
                }
                continue;
            }
            let first = *child.get_or_insert(row.column);
            let keyed = !row.key.is_empty() && row.column <= first;
            if under == Under::Metadata && keyed && row.column > of.column {
                let known = METADATA.iter().any(|key| row.is_key(key));
                if !known && looks_coded(row.bare(self.text)) {
                    self.zones.push(row.value);
                }
            } else if under == Under::Data || (under == Under::Scalar && keyed) {
                self.zones.push(if keyed { row.value } else { row.start..row.line.end });
            }
        }
    }

    /// Hides the values of the keys below a row, or the one beside it.
    fn value_by_keys(&mut self, row: &KeyedLine<'t>) {
        if self.hidden.contains(&row.line.start) {
            return;
        }
        self.hidden = row.line.clone();
        self.zones.push(row.value.clone());
        let mut child = None;
        let mut below = row.after(self.text);
        while let Some(next) = below.filter(|next| {
            (next.is_blank() || next.column > row.column) && !next.is_border(self.text)
        }) {
            let first = *child.get_or_insert(next.column);
            let keyed = !next.key.is_empty() && next.column <= first;
            self.zones.push(if keyed { next.value.clone() } else { next.start..next.line.end });
            self.hidden.end = next.line.end;
            below = next.after(self.text);
        }
    }

    /// Hides the values of differences, and of patches where asked.
    fn differences(&mut self, block: Range<usize>, margin: LinePrefix, patches: bool) {
        let mut patch = None;
        for row in self.rows(block, margin) {
            if row.is_key("path") || row.is_key("op") {
                patch = Some(row.column);
            }
            let patched = patches && row.is_key("value") && patch == Some(row.column);
            if patched || DIFFERENCE.iter().any(|key| row.is_key(key)) {
                self.value(&row);
            } else {
                self.zones.extend(flow_values::of_keys(self.text, row.line, patches));
            }
        }
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

    /// Hides what an argument tells, or the one behind it.
    fn flags(&mut self, row: &KeyedLine<'t>) {
        let text = self.text;
        let flag = row.bare(text);
        if row.dash.is_some() && flag.starts_with("--") && !flag.contains(['=', ' ', ',']) {
            let next = row.after(text).filter(|next| next.dash == row.dash);
            return self.zones.extend(next.map(|next| next.start..next.value.end));
        }
        let line = text.get(row.line.clone()).unwrap_or_default();
        let shift = |it: Range<usize>| row.line.start + it.start..row.line.start + it.end;
        self.zones.extend(named_values(line).into_iter().map(shift));
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
        let ends = |line: &str| {
            ["-----END", "-----BEGIN", ":", "{", "$"].iter().any(|it| line.contains(it))
        };
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
            self.zones.push(next.start..next.line.end);
            below = next.after(self.text);
        }
    }
}
