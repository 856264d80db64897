//! Zones between braces, in JSON and in YAML, on one line or many, whole or cut: braces, quotes and colons are all that is looked at.

use std::ops::Range;

use super::base64::looks_coded;
use super::credential::is_sensitive_name;
use super::is_variable;

/// Deeper objects are not looked into; parsers refuse them long before.
const DEEPEST: usize = 4096;

/// How often a text may be read over in search of braces that are never closed.
const PASSES: usize = 8;

/// Finds the zones that the objects of a text show; `signs` says, in order, where words stand without which there is none,
/// if that is known.
pub(super) fn zones(text: &str, signs: Option<&[usize]>) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    let mut left = text.len().saturating_mul(PASSES);
    let mut line = 0..0;
    while let Some((start, is_value)) = next_start(text, at, &mut line) {
        let end = line.end;
        let whole = if left > 0 { text } else { text.get(..end).unwrap_or(text) };
        let mut scan = Scan::new(whole, start, signs);
        let mut closed = scan.run();
        left = left.saturating_sub(scan.at - start);
        if !closed && !is_value && whole.len() > end {
            // A brace of a sentence: what is open ends with its line.
            scan = Scan::new(text.get(..end).unwrap_or(text), start, signs);
            closed = scan.run();
        }
        at = if closed { scan.at.max(start + 1) } else { scan.text.len() };
        found.append(&mut scan.zones);
    }
    found
}

/// Finds the next brace or bracket that may open something; also says whether it stands where a value does, and not within a sentence.
///
/// `line` is the line of the one before, and becomes that of this one: a line of many braces is not searched for each of them.
fn next_start(text: &str, from: usize, line: &mut Range<usize>) -> Option<(usize, bool)> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        at += memchr::memchr2(b'{', b'[', bytes.get(at..)?)?;
        if at >= line.end {
            let start = memchr::memrchr(b'\n', bytes.get(..at)?).map_or(0, |at| at + 1);
            let end = memchr::memchr(b'\n', bytes.get(at..)?).map_or(text.len(), |end| at + end);
            *line = start..end;
        }
        let line = bytes.get(line.start..at)?;
        let before = line.trim_ascii_end();
        let before = before.strip_suffix(b"\"").or(before.strip_suffix(b"'")).unwrap_or(before);
        let before = before.trim_ascii_end();
        let is_value = before.iter().all(|byte| b" \t-\xef\xbb\xbf".contains(byte))
            || (before.ends_with(b":") && before.len() < line.len())
            || before.ends_with(b" -");
        if is_value || bytes.get(at) == Some(&b'{') {
            return Some((at, is_value));
        }
        at += 1;
    }
}

/// An object or list that is open.
#[derive(Default)]
struct Frame<'t> {
    /// Whether it is an object.
    object: bool,
    /// The key under which it stands.
    key: &'t str,
    /// The last key in it.
    last: &'t str,
    /// Whether a value is expected.
    after_colon: bool,
    tells_kind: bool,
    secret: bool,
    /// Whether it is a list that tells the kind for all of its items.
    secrets: bool,
    identifies_secret: bool,
    selects_secret: bool,
    sensitive: bool,
    patch: bool,
    variable: bool,
    /// The offset of its first byte.
    start: usize,
    /// Whether it stands below `data` or `stringData`.
    below_data: bool,
    /// Whether it stands below the value of a difference or patch.
    below_value: bool,
    /// The fields `data` and `stringData` of it, with their names.
    fields: Vec<(Range<usize>, &'t str)>,
    /// Values of differences below it.
    differences: Vec<Range<usize>>,
    /// Values of patches below it.
    patches: Vec<Range<usize>>,
    /// Its own `value`.
    value: Vec<Range<usize>>,
}

struct Scan<'t> {
    text: &'t str,
    /// Where the words stand that are signs of zones, if that is known.
    signs: Option<&'t [usize]>,
    /// Up to where the end of an item was looked for in vain.
    searched: usize,
    at: usize,
    stack: Vec<Frame<'t>>,
    /// Scalars below a field `data` or `stringData`, or the value of a difference or patch, that are not hidden so far, in order.
    leaves: Vec<Range<usize>>,
    zones: Vec<Range<usize>>,
}

/// How far items are indented at most, to be passed over in one step.
const WIDEST_MARGIN: usize = 32;

fn is_data(key: &str) -> bool {
    matches!(key, "data" | "stringData")
}

/// Says whether a field tells the value of a difference or patch.
fn is_value(key: &str) -> bool {
    matches!(key, "value" | "valueInHub" | "valueInMember")
}

impl<'t> Scan<'t> {
    fn new(text: &'t str, at: usize, signs: Option<&'t [usize]>) -> Self {
        let (stack, leaves, zones) = (Vec::new(), Vec::new(), Vec::new());
        Self { text, signs, searched: 0, at, stack, leaves, zones }
    }

    /// Reads until what is open is closed, or the text ends; says which.
    fn run(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'{' | b'[' => self.open(byte == b'{'),
                b'}' | b']' => self.close(),
                b'"' | b'\'' => self.string(byte),
                b':' => self.with_top(|top| top.after_colon = true),
                b',' => self.with_top(|top| top.after_colon = false),
                byte if byte.is_ascii_whitespace() => {}
                _ => self.bare(),
            }
            self.at += 1;
            if self.stack.is_empty() {
                return true;
            }
        }
        self.at = bytes.len();
        while !self.stack.is_empty() {
            self.close();
        }
        false
    }

    fn with_top(&mut self, change: impl FnOnce(&mut Frame<'t>)) {
        if let Some(top) = self.stack.last_mut() {
            change(top);
        }
    }

    fn open(&mut self, object: bool) {
        if self.stack.len() >= DEEPEST {
            self.at = self.text.len();
            return;
        }
        let (key, below, below_value) = match self.stack.last() {
            Some(top) if top.object => (top.last, top.below_data, top.below_value),
            Some(top) => (top.key, top.below_data, top.below_value),
            None => Default::default(),
        };
        if let Some(end) = self.end_of_harmless_item(key).filter(|_| object) {
            self.at = end;
            return;
        }
        let below_data = below || is_data(key);
        let below_value = below_value || is_value(key);
        let start = self.at;
        self.stack.push(Frame { object, key, start, below_data, below_value, ..Frame::default() });
    }

    /// Returns where the item of a list of objects ends that begins here, if it is printed as kubectl does and has no sign.
    ///
    /// A line break is never part of a JSON string, so a brace in the column of the first is the one that closes it.
    fn end_of_harmless_item(&mut self, key: &str) -> Option<usize> {
        let signs = self.signs?;
        if self.stack.len() != 2 || key != "items" || self.at < self.searched {
            return None;
        }
        let bytes = self.text.as_bytes();
        let before = self.at.saturating_sub(WIDEST_MARGIN);
        let line = before + memchr::memrchr(b'\n', bytes.get(before..self.at)?)?;
        let margin = self.text.get(line..self.at)?;
        if margin.bytes().skip(1).any(|byte| byte != b' ') {
            return None;
        }
        let next = signs.partition_point(|&sign| sign < self.at);
        let sign = signs.get(next).map_or(self.text.len(), |&sign| sign.min(self.text.len()));
        let harmless = bytes.get(self.at..sign)?;
        let end = memchr::memmem::find(harmless, format!("{margin}}}").as_bytes());
        if end.is_none() {
            self.searched = sign;
        }
        Some(self.at + end? + margin.len())
    }

    fn string(&mut self, quote: u8) {
        let start = self.at + 1;
        let end = self.end_of_string(start, quote);
        self.at = end;
        let inner = self.text.get(start..end).unwrap_or_default();
        let Some(top) = self.stack.last_mut() else { return };
        if top.object && !top.after_colon {
            top.last = inner;
        } else {
            self.scalar(start..end);
            // A string may hold an object as text.
            if inner.contains("Secret") && inner.contains('{') {
                let within = zones(inner, None).into_iter();
                self.zones.extend(within.map(|zone| start + zone.start..start + zone.end));
            }
        }
    }

    /// Finds the quote that ends a string. It may stand lines below, as YAML folds them, if what follows it can follow a string; else
    /// the string was cut, and ends with its line.
    fn end_of_string(&self, start: usize, quote: u8) -> usize {
        let bytes = self.text.as_bytes();
        let (mut at, mut line) = (start, None);
        while let Some(rest) = bytes.get(at..) {
            let Some(found) = memchr::memchr3(quote, b'\n', b'\\', rest) else { break };
            at += found;
            match rest.get(found) {
                Some(b'\\') if quote == b'"' => at += 2,
                Some(b'\n') => {
                    line = line.or(Some(at));
                    at += 1;
                }
                Some(&byte) if byte == quote => {
                    if quote == b'\'' && rest.get(found + 1) == Some(&quote) {
                        at += 2;
                        continue;
                    }
                    let behind = rest.get(found + 1..).unwrap_or_default().trim_ascii_start();
                    let fits = behind.first().is_none_or(|byte| b",:]}\"'".contains(byte));
                    return if fits { at } else { line.unwrap_or(at) };
                }
                _ => at += 1,
            }
        }
        line.unwrap_or(bytes.len()).min(bytes.len())
    }

    /// Reads a scalar without quotes, or a key: a colon ends it where a blank or a quote follows.
    fn bare(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let ends = |(at, byte): (usize, &u8)| match byte {
            b',' | b'}' | b']' | b'\n' | b'"' => true,
            b':' => rest.get(at + 1).is_none_or(|next| b" \t\r\n\"'{[,".contains(next)),
            _ => false,
        };
        let end = self.at + rest.iter().enumerate().position(ends).unwrap_or(rest.len());
        let end = end.max(self.at + 1);
        let whole = self.text.is_char_boundary(self.at) && self.text.is_char_boundary(end);
        let is_key = self.stack.last().is_some_and(|top| top.object && !top.after_colon);
        if whole && is_key {
            let key = self.text.get(self.at..end).unwrap_or_default().trim();
            self.with_top(|top| top.last = key);
        } else if whole {
            self.scalar(self.at..end);
        }
        self.at = end - 1;
    }

    fn scalar(&mut self, range: Range<usize>) {
        let text = self.text.get(range.clone()).unwrap_or_default().trim();
        let Some(top) = self.stack.last_mut() else { return };
        let key = if top.object { top.last } else { top.key };
        match key {
            "kind" if top.object => {
                top.tells_kind = true;
                top.secret |= text == "Secret";
                top.secrets |= text == "SecretList";
            }
            "name" if top.object => top.sensitive |= is_sensitive_name(text),
            "op" | "path" if top.object => {
                top.patch = true;
                top.variable |= is_variable(text);
            }
            "value" if top.object => top.value.push(range.clone()),
            "valueInHub" | "valueInMember" => top.differences.push(range.clone()),
            key if key.ends_with("last-applied-configuration") => self.zones.push(range.clone()),
            _ => {}
        }
        let Some(top) = self.stack.last_mut() else { return };
        let own = top.object && is_data(top.last);
        if own && !top.below_data {
            top.fields.push((range.clone(), top.last));
        }
        if own || top.below_data || top.below_value {
            self.leaves.push(range);
        }
    }

    /// Ends what was opened last: it is now known whether it is a Secret, or speaks of one.
    fn close(&mut self) {
        let Some(mut frame) = self.stack.pop() else { return };
        for (field, name) in &frame.fields {
            let from = self.leaves.partition_point(|leaf| leaf.start < field.start);
            let to = self.leaves.partition_point(|leaf| leaf.start < field.end).max(from);
            // Nothing but a Secret has `stringData`; an object that does not tell its kind may be the rest of one.
            if frame.secret || *name == "stringData" {
                self.zones.extend(self.leaves.drain(from..to));
            } else if !frame.tells_kind {
                let coded = self.leaves.get(from..to).unwrap_or_default().iter().filter(|leaf| {
                    self.text.get((*leaf).clone()).is_some_and(|it| looks_coded(it.trim()))
                });
                self.zones.extend(coded.cloned());
            }
        }
        if frame.secrets {
            let from = self.leaves.partition_point(|leaf| leaf.start < frame.start);
            self.zones.extend(self.leaves.drain(from..));
        }
        if frame.secret || frame.identifies_secret || frame.variable {
            self.zones.append(&mut frame.differences);
        }
        if frame.sensitive {
            self.zones.append(&mut frame.value);
        }
        if frame.patch {
            frame.patches.append(&mut frame.value);
        }
        if frame.selects_secret && (frame.key == "spec" || self.stack.is_empty()) {
            self.zones.append(&mut frame.patches);
        }
        let end = self.at;
        let Some(parent) = self.stack.last_mut() else {
            self.leaves.clear();
            return;
        };
        if parent.object && is_data(frame.key) {
            parent.fields.push((frame.start..end, frame.key));
        }
        if parent.object && is_value(frame.key) {
            let from = self.leaves.partition_point(|leaf| leaf.start < frame.start);
            let inner = self.leaves.get(from..).unwrap_or_default();
            let to = if frame.key == "value" { &mut parent.value } else { &mut parent.differences };
            to.extend_from_slice(inner);
        }
        if frame.secret {
            parent.identifies_secret |= parent.object && frame.key == "identifier";
            parent.selects_secret |= frame.key.ends_with("electors");
        }
        parent.selects_secret |= frame.selects_secret;
        join(&mut parent.differences, frame.differences);
        join(&mut parent.patches, frame.patches);
    }
}

/// Adds one list to another, the shorter to the longer.
fn join(to: &mut Vec<Range<usize>>, mut from: Vec<Range<usize>>) {
    if from.len() > to.len() {
        std::mem::swap(to, &mut from);
    }
    to.append(&mut from);
}
