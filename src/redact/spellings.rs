//! The spellings in which a value may stand in a text: dashes for dots, URL-escaped, base64; each in any case.

use std::sync::LazyLock;

use data_encoding::BASE64;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use regex::{Captures, Regex};

/// What writers of URLs escape: everything, or everything but what need not be.
const ESCAPES: [&AsciiSet; 3] = [
    NON_ALPHANUMERIC,
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~'),
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_'),
];

/// A run of base64, long enough to hold a name.
static RUNS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[A-Za-z0-9+/]{8,}={0,2}").expect("the pattern is fixed"));

/// Returns the ways to write a value as text, the plain one first, each with what is to stand in its place.
pub(super) fn forms(value: &str, other: &str) -> Vec<(String, String)> {
    let dashed = |text: &str| text.replace(['.', '@'], "-");
    let mut forms = vec![(value.to_owned(), other.to_owned()), (dashed(value), dashed(other))];
    for set in ESCAPES {
        let escaped = |text: &str| utf8_percent_encode(text, set).to_string();
        forms.push((escaped(value), escaped(other)));
    }
    let mut known: Vec<(String, String)> = Vec::new();
    for form in forms {
        if known.iter().all(|(text, _)| *text != form.0) {
            known.push(form);
        }
    }
    known
}

/// Rewrites what stands in base64 within a text: decoded, rewritten, encoded again.
pub(super) fn within_base64(text: &str, rewrite: &dyn Fn(&str) -> String) -> String {
    let replaced = RUNS.replace_all(text, |found: &Captures<'_>| {
        let run = found.get(0).map_or("", |run| run.as_str());
        let changed = decoded(run).and_then(|inner| {
            let other = rewrite(&inner);
            (other != inner).then(|| BASE64.encode(other.as_bytes()))
        });
        changed.unwrap_or_else(|| run.to_owned())
    });
    replaced.into_owned()
}

/// Returns what stands in base64 within a text, each with where it begins.
pub(super) fn base64_in(text: &str) -> impl Iterator<Item = (usize, String)> {
    RUNS.find_iter(text).filter_map(|run| Some((run.start(), decoded(run.as_str())?)))
}

fn decoded(run: &str) -> Option<String> {
    String::from_utf8(BASE64.decode(run.as_bytes()).ok()?).ok()
}
