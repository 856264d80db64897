//! Zones of JSON, on one line or many, whole or cut: braces and strings are all that is looked at.

use std::ops::Range;

use super::credential::is_sensitive_name;
use super::is_variable;

/// Deeper objects are not looked into; parsers refuse them long before.
const DEEPEST: usize = 4096;

/// Finds the zones that the objects of a text show.
pub(super) fn zones(text: &str) -> Vec<Range<usize>> {
    let mut scan = Scan { text, at: 0, stack: Vec::new(), leaves: Vec::new(), zones: Vec::new() };
    while let Some(start) = scan.next_start() {
        scan.at = start;
        scan.run();
    }
    scan.zones
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
    secret: bool,
    identifies_secret: bool,
    selects_secret: bool,
    sensitive: bool,
    patch: bool,
    variable: bool,
    /// The offset of its first byte.
    start: usize,
    /// Whether it stands below `data` or `stringData`.
    below_data: bool,
    /// The fields `data` and `stringData` of it.
    fields: Vec<Range<usize>>,
    /// Values of differences below it.
    differences: Vec<Range<usize>>,
    /// Values of patches below it.
    patches: Vec<Range<usize>>,
    /// Its own `value`.
    value: Vec<Range<usize>>,
}

struct Scan<'t> {
    text: &'t str,
    at: usize,
    stack: Vec<Frame<'t>>,
    /// Scalars below a field `data` or `stringData` that are not hidden so far, in order.
    leaves: Vec<Range<usize>>,
    zones: Vec<Range<usize>>,
}

fn is_data(key: &str) -> bool {
    matches!(key, "data" | "stringData")
}

impl<'t> Scan<'t> {
    /// Finds the next line that starts with a brace or a bracket.
    fn next_start(&self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        loop {
            let rest = bytes.get(at..)?;
            let found = at + memchr::memchr2(b'{', b'[', rest)?;
            let line = bytes.get(..found)?;
            let start = memchr::memrchr(b'\n', line).map_or(0, |at| at + 1);
            if line.get(start.max(self.at)..)?.iter().all(u8::is_ascii_whitespace) {
                return Some(found);
            }
            at = found + memchr::memchr(b'\n', bytes.get(found..)?)?;
        }
    }

    /// Reads until what is open is closed, or the text ends.
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'{' | b'[' => self.open(byte == b'{'),
                b'}' | b']' => self.close(),
                b'"' => self.string(),
                b':' => self.with_top(|top| top.after_colon = true),
                b',' => self.with_top(|top| top.after_colon = false),
                byte if byte.is_ascii_whitespace() => {}
                _ => self.bare(),
            }
            self.at += 1;
            if self.stack.is_empty() {
                return;
            }
        }
        while !self.stack.is_empty() {
            self.close();
        }
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
        let (key, below) = match self.stack.last() {
            Some(top) if top.object => (top.last, top.below_data),
            Some(top) => (top.key, top.below_data),
            None => Default::default(),
        };
        let below_data = below || is_data(key);
        self.stack.push(Frame { object, key, start: self.at, below_data, ..Frame::default() });
    }

    fn string(&mut self) {
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let mut end = start;
        while let Some(rest) = bytes.get(end..) {
            let Some(found) = memchr::memchr3(b'"', b'\n', b'\\', rest) else {
                end = bytes.len();
                break;
            };
            end += found;
            if rest.get(found) != Some(&b'\\') {
                break;
            }
            end += 2;
        }
        let end = end.min(bytes.len());
        self.at = end;
        let inner = self.text.get(start..end).unwrap_or_default();
        let Some(top) = self.stack.last_mut() else { return };
        if top.object && !top.after_colon {
            top.last = inner;
        } else {
            self.scalar(start..end);
        }
    }

    fn bare(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b'\n' | b'"' | b':');
        let end = self.at + rest.iter().position(ends).unwrap_or(rest.len());
        let end = end.max(self.at + 1);
        let whole = self.text.is_char_boundary(self.at) && self.text.is_char_boundary(end);
        if whole {
            self.scalar(self.at..end);
        }
        self.at = end - 1;
    }

    fn scalar(&mut self, range: Range<usize>) {
        let text = self.text.get(range.clone()).unwrap_or_default();
        let Some(top) = self.stack.last_mut() else { return };
        let key = if top.object { top.last } else { top.key };
        match key {
            "kind" if top.object => top.secret |= text == "Secret",
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
        if top.below_data {
            self.leaves.push(range);
        } else if top.object && is_data(top.last) {
            top.fields.push(range.clone());
            self.leaves.push(range);
        }
    }

    /// Ends what was opened last: it is now known whether it is a Secret, or speaks of one.
    fn close(&mut self) {
        let Some(mut frame) = self.stack.pop() else { return };
        if frame.secret {
            frame.fields.iter().for_each(|field| {
                let from = self.leaves.partition_point(|leaf| leaf.start < field.start);
                let to = self.leaves.partition_point(|leaf| leaf.start < field.end);
                self.zones.extend(self.leaves.drain(from..to.max(from)));
            });
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
            parent.fields.push(frame.start..end);
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
