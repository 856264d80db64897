//! [`SourceFile`], its line index, and the [`Sources`] arena.
//!
//! Two forms of text behind one interface: a whole file, and a log of which only some lines were
//! kept. Offsets of a log count in the kept text; its line numbers are those of the original file.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use smol_str::SmolStr;

use super::char_index::CharIndex;
use super::line_index::LineIndex;
use super::{SourceId, Span};
use crate::secret::{HIDDEN, SecretValues, apart, credentials, find_hidden, hide, zones};

/// How the bytes of a file were turned into text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Encoding {
    /// UTF-8 throughout: offsets are those of the file as it was sent.
    #[default]
    Utf8,
    /// UTF-8 with some invalid bytes, each shown as `?`: offsets are those of the file.
    Utf8Invalid,
    /// UTF-16, little endian: offsets count in the decoded text.
    Utf16Le,
    /// UTF-16, big endian: offsets count in the decoded text.
    Utf16Be,
}

/// Where a file comes from, as far as its path in the bundle tells.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Origin {
    /// `Some("hub")` for the hub, `Some(name)` for a member cluster, `None` when the path does not say.
    pub cluster: Option<SmolStr>,
    /// The namespace that a namespaced dump or a pod log belongs to.
    pub namespace: Option<SmolStr>,
    /// The pod of a log.
    pub pod: Option<SmolStr>,
    /// The container of a log.
    pub container: Option<SmolStr>,
    /// Whether this is the log of the container's previous life.
    pub previous: bool,
    /// When it was written, in seconds since 1970, if the archive that holds it says so.
    pub modified: Option<i64>,
    /// The name of the bundle layout that matched, for `dump`.
    pub layout: Option<&'static str>,
}

/// A place in a file as people count: both from one, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line in the original file.
    pub line: u32,
    /// The character in that line.
    pub column: u32,
}

/// How long a line is whose characters are counted once for all places in it.
const LONG_LINE: usize = 16 << 10;

/// One file of the bundle, decoded.
#[derive(Debug)]
pub struct SourceFile {
    id: SourceId,
    path: SmolStr,
    origin: Origin,
    encoding: Encoding,
    text: Arc<String>,
    /// Where the lines of `text` begin, once somebody asks.
    lines: OnceLock<LineIndex>,
    /// How many characters stand where, once somebody asks for a place in a long line.
    chars: OnceLock<CharIndex>,
    /// For a sparse log, the original number of each kept line; empty for a whole file.
    line_numbers: Vec<u32>,
    /// What of the text belongs to Secrets, once somebody asks.
    zones: OnceLock<Vec<Range<usize>>>,
    /// The values of all Secrets, once somebody asked.
    known: Arc<OnceLock<SecretValues>>,
}

impl SourceFile {
    /// Returns the number of this source.
    pub fn id(&self) -> SourceId {
        self.id
    }

    /// Returns the path as given, archive members joined with `/`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns what the path says about cluster, namespace and pod.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns how the text was decoded.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the decoded text (of a sparse log: the kept lines).
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the decoded text, to be kept by what is made of it.
    pub fn shared_text(&self) -> &Arc<String> {
        &self.text
    }

    /// Says whether only some lines of the file were kept.
    pub fn is_sparse(&self) -> bool {
        !self.line_numbers.is_empty()
    }

    /// Returns the span of the whole text.
    pub fn span(&self) -> Span {
        Span::new(self.id, 0, self.text.len())
    }

    /// Returns the text under a span, or `""` if the span is not of this file.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Returns the parts of the text that belong to Secrets, in order.
    fn zones(&self) -> &[Range<usize>] {
        self.zones.get_or_init(|| zones(&self.text))
    }

    fn is_in_zone(&self, at: usize) -> bool {
        let zones = self.zones();
        let next = zones.partition_point(|zone| zone.end <= at);
        zones.get(next).is_some_and(|zone| zone.contains(&at))
    }

    /// Finds what of a range must not be shown: data of Secrets, their values, and credentials.
    ///
    /// A credential is known by what stands around it, so some lines before and after are looked at too.
    fn hidden(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let zones = self.zones();
        let first = zones.partition_point(|zone| zone.end <= range.start);
        let inside = zones.get(first..).unwrap_or_default().iter();
        let mut found: Vec<_> = inside.take_while(|zone| zone.start < range.end).cloned().collect();
        let (from, to) = self.window(&range);
        let text = self.text.get(from..to).unwrap_or_default();
        let known = self.known.get().map(|known| known.find(text)).unwrap_or_default();
        let shift = |found: Range<usize>| found.start + from..found.end + from;
        found.extend(credentials(text).into_iter().chain(known).map(shift));
        apart(found)
    }

    /// Widens a range by some lines, unless they are too long.
    fn window(&self, range: &Range<usize>) -> (usize, usize) {
        const LINES: usize = 2;
        const LONGEST: usize = 4096;
        let at = |offset: usize| self.line_index(u32::try_from(offset).unwrap_or(u32::MAX));
        let from = self.line_span(at(range.start).saturating_sub(LINES)).lo as usize;
        let to = self.line_span(at(range.end) + LINES).hi as usize;
        let from = if range.start - from.min(range.start) > LONGEST {
            (range.start.saturating_sub(LONGEST)..=range.start)
                .find(|&at| self.text.is_char_boundary(at))
                .unwrap_or(range.start)
        } else {
            from.min(range.start)
        };
        let to = if to.saturating_sub(range.end) > LONGEST {
            (range.end..=range.end + LONGEST)
                .rev()
                .find(|&at| self.text.is_char_boundary(at))
                .unwrap_or(range.end)
        } else {
            to.max(range.end)
        };
        (from, to)
    }

    /// Returns the text under a span as it may be shown: the data of Secrets and credentials are hidden.
    pub fn shown(&self, span: Span) -> String {
        let [text, ..] = self.shown_around(span, span.hi, span.hi);
        text
    }

    /// Returns a text as it may be shown in three parts: before a place, the place, and behind it.
    pub fn shown_around(&self, whole: Span, from: u32, to: u32) -> [String; 3] {
        let hidden = self.hidden(whole.range());
        let cuts = [whole.lo, from, to, whole.hi].map(|at| at as usize);
        let mut told = usize::MAX;
        let mut parts = [const { String::new() }; 3];
        // The place comes first: what is hidden there is told there.
        for index in [1, 0, 2] {
            let (Some(&lo), Some(&hi)) = (cuts.get(index), cuts.get(index + 1)) else { continue };
            let Some(part) = parts.get_mut(index) else { continue };
            let mut at = lo;
            let first = hidden.partition_point(|range| range.end <= lo);
            for range in hidden.get(first..).unwrap_or_default() {
                if range.start >= hi {
                    break;
                }
                part.push_str(self.text.get(at..range.start.max(at)).unwrap_or_default());
                let again = index != 1 && range.start < cuts[2] && range.end > cuts[1];
                if !again && told != range.start {
                    part.push_str(HIDDEN);
                    told = range.start;
                }
                at = range.end;
            }
            part.push_str(self.text.get(at..hi.max(at)).unwrap_or_default());
        }
        parts
    }

    fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// Returns the index of the kept line that holds `offset`.
    pub fn line_index(&self, offset: u32) -> usize {
        self.lines().line_at(&self.text, offset as usize)
    }

    /// Returns how many lines are kept.
    pub fn line_count(&self) -> usize {
        self.lines().count()
    }

    /// Returns the span of a kept line, without its line break.
    pub fn line_span(&self, index: usize) -> Span {
        let lo = self.lines().start_of(&self.text, index);
        let hi = self.lines().start_of(&self.text, index.saturating_add(1));
        let line = self.text.get(lo..hi).unwrap_or_default();
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        Span::new(self.id, lo, lo + line.len())
    }

    /// Returns a span without the blanks around its text.
    pub fn without_blanks(&self, span: Span) -> Span {
        let text = self.slice(span);
        let blanks = text.len() - text.trim_start().len();
        let lo = span.lo as usize + blanks;
        Span::new(self.id, lo, lo + text.trim().len())
    }

    /// Returns the original number of a kept line, from one.
    pub fn line_number(&self, index: usize) -> u32 {
        let whole = u32::try_from(index + 1).unwrap_or(u32::MAX);
        self.line_numbers.get(index).copied().unwrap_or(whole)
    }

    /// Returns line and column of an offset.
    pub fn position(&self, offset: u32) -> Position {
        self.position_in(self.line_index(offset), offset)
    }

    /// Returns line and column of both ends of a span; most end in the line in which they begin.
    pub fn positions(&self, span: Span) -> (Position, Position) {
        let index = self.line_index(span.lo);
        let text = self.text.get(span.range());
        let is_one_line = text.is_some_and(|text| memchr::memchr(b'\n', text.as_bytes()).is_none());
        let last = if is_one_line { index } else { self.line_index(span.hi) };
        (self.position_in(index, span.lo), self.position_in(last, span.hi))
    }

    fn position_in(&self, index: usize, offset: u32) -> Position {
        let start = self.lines().start_of(&self.text, index);
        let before = self.text.get(start..offset as usize).unwrap_or_default();
        let count = if before.len() > LONG_LINE {
            let chars = self.chars.get_or_init(|| CharIndex::new(&self.text));
            chars.before(&self.text, offset as usize) - chars.before(&self.text, start)
        } else {
            before.chars().count()
        };
        let column = u32::try_from(count + 1).unwrap_or(u32::MAX);
        Position { line: self.line_number(index), column }
    }
}

/// Everything that was read, in path order.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    /// The values of all Secrets, once somebody asks.
    known: Arc<OnceLock<SecretValues>>,
    /// What else is done to a finished report, if the user asked for it.
    rewrite: OnceLock<Rewrite>,
}

/// Rewrites a finished report.
#[derive(Default)]
struct Rewrite(Option<Box<RewriteText>>);

/// Makes another text of one, or says in which line of it something is left that must not be shown.
pub type RewriteText = dyn Fn(&str) -> Result<String, usize> + Send + Sync;

impl std::fmt::Debug for Rewrite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Rewrite")
    }
}

impl Sources {
    /// Has every finished report rewritten, to put pseudonyms into it.
    pub fn rewrite_by(&self, rewrite: Box<RewriteText>) {
        // The first one stays: a report is rewritten once.
        let _ = self.rewrite.set(Rewrite(Some(rewrite)));
    }

    /// Returns the same files once more, to be read in another way.
    #[must_use]
    pub fn copy(&self) -> Self {
        let mut copy = Self::default();
        for file in &self.files {
            copy.add(&*file.path, file.origin.clone(), file.encoding, file.text());
        }
        copy
    }

    /// Adds a whole file.
    pub fn add(
        &mut self,
        path: impl Into<SmolStr>,
        origin: Origin,
        encoding: Encoding,
        text: impl Into<String>,
    ) -> SourceId {
        self.push(path.into(), origin, encoding, text.into(), Vec::new())
    }

    /// Adds a log of which only some lines were kept; `line_numbers` holds one number per line of `text`.
    pub fn add_sparse(
        &mut self,
        path: impl Into<SmolStr>,
        origin: Origin,
        encoding: Encoding,
        text: impl Into<String>,
        line_numbers: Vec<u32>,
    ) -> SourceId {
        self.push(path.into(), origin, encoding, text.into(), line_numbers)
    }

    fn push(
        &mut self,
        path: SmolStr,
        origin: Origin,
        encoding: Encoding,
        text: String,
        line_numbers: Vec<u32>,
    ) -> SourceId {
        let id = SourceId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        let (lines, chars, zones) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let known = Arc::clone(&self.known);
        self.files.push(SourceFile {
            id,
            path,
            origin,
            encoding,
            text: Arc::new(text),
            lines,
            chars,
            line_numbers,
            zones,
            known,
        });
        id
    }

    /// Returns a source by its number.
    pub fn get(&self, id: SourceId) -> &SourceFile {
        self.files.get(id.0 as usize).expect("a SourceId is only ever made by this arena")
    }

    /// Returns all sources in path order.
    pub fn iter(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// Returns all sources as a slice, for parallel work.
    pub fn as_slice(&self) -> &[SourceFile] {
        &self.files
    }

    /// Hides the values of Secrets and credentials in a text that goes into a report.
    pub fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        // A message may hold an object that stands in no file.
        let mut found = find_hidden(text);
        found.extend(self.known().find(text));
        if found.is_empty() { text.into() } else { hide(text, &apart(found)).into() }
    }

    /// Hides the values of Secrets, and nothing else, in a finished report.
    pub fn hide_known<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.known().hide(text)
    }

    /// Finds the values of Secrets in another text.
    pub fn find_values(&self, text: &str) -> Vec<Range<usize>> {
        self.known().find(text)
    }

    fn known(&self) -> &SecretValues {
        self.known.get_or_init(|| self.find_known())
    }

    /// Makes the last change to a finished report before it leaves: no value of a Secret, and pseudonyms if asked for.
    ///
    /// A line in which a name is left is an error.
    pub fn finish<'t>(&self, text: &'t str) -> Result<Cow<'t, str>, usize> {
        let hidden = self.hide_known(text);
        match self.rewrite.get().and_then(|rewrite| rewrite.0.as_ref()) {
            Some(rewrite) => rewrite(&hidden).map(Cow::Owned),
            None => Ok(hidden),
        }
    }

    fn find_known(&self) -> SecretValues {
        let values = self
            .files
            .iter()
            .flat_map(|file| file.zones().iter().filter_map(|zone| file.text.get(zone.clone())));
        let names = OnceCell::new();
        SecretValues::new(values, &|value| {
            is_plain_name(value) && names.get_or_init(|| self.names()).contains(value)
        })
    }

    /// Collects what stands somewhere as the name of an object or of a namespace.
    fn names(&self) -> HashSet<&str> {
        const HEADS: [&str; 5] =
            ["name: ", "namespace: ", "\"name\":\"", "\"name\": \"", "\"namespace\": \""];
        let mut names = HashSet::new();
        for (file, head) in self.files.iter().flat_map(|file| HEADS.map(|head| (file, head))) {
            for at in memchr::memmem::find_iter(file.text.as_bytes(), head) {
                let rest = file.text.get(at + head.len()..).unwrap_or_default();
                let name = rest.split(|c| !is_plain(c)).next().unwrap_or_default();
                if is_plain_name(name) && !file.is_in_zone(at) {
                    names.insert(name);
                }
            }
        }
        names
    }

    /// Returns the text under a span.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.source).slice(span)
    }
}

/// Says whether a text can be the name of an object.
fn is_plain_name(text: &str) -> bool {
    (1..=253).contains(&text.len()) && text.chars().all(is_plain)
}

fn is_plain(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.'
}

#[cfg(test)]
mod tests;
