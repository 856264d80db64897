//! Texts with holes, cloned from captures: the same object under another name, as often as is asked for.

use std::path::{Path, PathBuf};

/// Numbers that only look random: the same seed gives the same inputs on every machine (SplitMix64).
pub(crate) struct Seeded(u64);

impl Seeded {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[usize::try_from(self.next() % items.len() as u64).expect("below the length")]
    }

    /// A uid as the API server makes them.
    pub(crate) fn uid(&mut self) -> String {
        let (high, low) = (self.next(), self.next());
        let (a, b, c) = (high >> 32, high >> 16 & 0xffff, high & 0xfff);
        format!("{a:08x}-{b:04x}-4{c:03x}-a{:03x}-{:012x}", low >> 52, low & 0xffff_ffff_ffff)
    }
}

/// A text in which some words are holes; the value of each `uid` is one, too.
pub(crate) struct Template {
    /// A text and the hole behind it.
    pieces: Vec<(String, Option<Hole>)>,
}

enum Hole {
    /// The word of so many.
    Word(usize),
    Uid,
}

impl Template {
    /// Makes holes of all places of the words; of two that fit, the one named first wins.
    pub(crate) fn new(text: &str, words: &[&str]) -> Self {
        let uid = ["uid: ", "\"uid\": \""];
        let (mut pieces, mut rest, mut piece) = (Vec::new(), text, String::new());
        'text: while let Some(first) = rest.chars().next() {
            for (index, word) in words.iter().enumerate() {
                if let Some(behind) = rest.strip_prefix(word) {
                    pieces.push((std::mem::take(&mut piece), Some(Hole::Word(index))));
                    rest = behind;
                    continue 'text;
                }
            }
            for key in uid {
                let value =
                    rest.strip_prefix(key).filter(|value| value.as_bytes().get(8) == Some(&b'-'));
                if let Some(behind) = value.and_then(|value| value.get(36..)) {
                    pieces.push((std::mem::take(&mut piece) + key, Some(Hole::Uid)));
                    rest = behind;
                    continue 'text;
                }
            }
            piece.push(first);
            rest = &rest[first.len_utf8()..];
        }
        pieces.push((piece, None));
        Self { pieces }
    }

    /// Writes the text with the words filled in.
    pub(crate) fn fill(&self, words: &[&str], seeded: &mut Seeded, out: &mut String) {
        for (piece, hole) in &self.pieces {
            out.push_str(piece);
            match hole {
                Some(Hole::Word(index)) => out.push_str(words[*index]),
                Some(Hole::Uid) => out.push_str(&seeded.uid()),
                None => {}
            }
        }
    }
}

/// The captures that are cloned.
pub(crate) fn testdata(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(path)
}

pub(crate) fn read(path: &str) -> String {
    std::fs::read_to_string(testdata(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The objects of a file that kubectl printed, each as a text of its own.
pub(crate) fn objects(text: &str) -> Vec<String> {
    let Some(items) = text.strip_prefix("apiVersion: v1\nitems:\n") else {
        return vec![text.to_owned()];
    };
    let mut objects: Vec<String> = Vec::new();
    for line in items.lines() {
        match (line.strip_prefix("- "), line.strip_prefix("  ")) {
            (Some(first), _) => objects.push(format!("{first}\n")),
            (_, Some(more)) => objects.last_mut().expect("an item").extend([more, "\n"]),
            _ => break,
        }
    }
    objects
}

/// Writes an object as an item of a list.
pub(crate) fn push_item(list: &mut String, object: &str) {
    for (number, line) in object.lines().enumerate() {
        list.push_str(if number == 0 { "- " } else { "  " });
        list.push_str(line);
        list.push('\n');
    }
}

/// What kubectl prints in front of the items of a list, and behind them.
pub(crate) const LIST: (&str, &str) =
    ("apiVersion: v1\nitems:\n", "kind: List\nmetadata:\n  resourceVersion: \"\"\n");

/// Cuts a text around the item of a list that begins with a line: before, the item, behind.
pub(crate) fn around<'t>(text: &'t str, first: &str) -> (&'t str, &'t str, &'t str) {
    let start = text.find(first).unwrap_or_else(|| panic!("no {first:?}"));
    let depth = first.len() - first.trim_start().len();
    let mut end = start;
    for (number, line) in text[start..].split_inclusive('\n').enumerate() {
        let own = line.len() - line.trim_start().len();
        if number > 0 && own <= depth {
            break;
        }
        end += line.len();
    }
    (&text[..start], &text[start..end], &text[end..])
}
