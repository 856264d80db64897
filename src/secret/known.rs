//! Values that were found in Secrets, to hide them wherever else they stand.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::known_heads::KnownHeads;
use super::leaves::leaves;
use super::{base64, escaped, hide, zones};

/// Shorter values are hidden where they stand, and nowhere else: they are words of any text.
pub(super) const SHORTEST: usize = 6;

/// More values than this are not remembered.
const MOST: usize = 50_000;

/// How often an object may stand as text within another.
const DEEPEST: usize = 3;

/// The values of Secrets, plain and in base64.
#[derive(Debug, Default)]
pub struct SecretValues {
    values: Vec<String>,
    heads: KnownHeads,
    /// Made when a text first holds the head of a value, which few do: its states are as many as the bytes of all values.
    finder: OnceLock<Option<AhoCorasick>>,
}

impl SecretValues {
    /// Remembers values as they stand in zones; `is_public` says whether a text is a name that everybody may read.
    pub fn new<'t>(
        values: impl Iterator<Item = &'t str>,
        is_public: &dyn Fn(&str) -> bool,
    ) -> Self {
        let mut known: BTreeSet<String> = BTreeSet::new();
        let mut seen: HashSet<&str> = HashSet::new();
        for value in values.flat_map(|zone| pieces(zone, DEEPEST)) {
            if known.len() >= MOST {
                break;
            }
            let value = value.trim().trim_matches(['"', '\'']);
            // The same stands in many objects: the copies of one template, for instance.
            if value.len() < SHORTEST || is_vocabulary(value) || !seen.insert(value) {
                continue;
            }
            let decoded = base64::decode(value).and_then(|bytes| String::from_utf8(bytes).ok());
            let printable = |text: &String| !text.chars().any(|c| c.is_control() && c != '\n');
            let plain = decoded.filter(printable).unwrap_or_else(|| value.to_owned());
            // What people write into a Secret may be a name that stands everywhere.
            if is_public(plain.trim()) {
                continue;
            }
            known.insert(value.to_owned());
            let coded = base64::encode(plain.as_bytes());
            // Some write it for addresses, or without its end.
            known.insert(coded.trim_end_matches('=').replace('+', "-").replace('/', "_"));
            known.insert(coded.trim_end_matches('=').to_owned());
            known.insert(coded);
            known.extend(
                escaped::unescape(&plain)
                    .lines()
                    .chain(plain.lines())
                    .map(str::trim)
                    .filter(|line| line.len() >= SHORTEST)
                    .map(str::to_owned),
            );
        }
        known.retain(|value| value.len() >= SHORTEST && !is_vocabulary(value));
        let values = Vec::from_iter(known);
        Self { heads: KnownHeads::of(&values), values, finder: OnceLock::new() }
    }

    /// Finds the values in a text, in order and apart from each other.
    pub fn find(&self, text: &str) -> Vec<Range<usize>> {
        if !self.heads.stand_in(text) {
            return Vec::new();
        }
        let finder = self.finder.get_or_init(|| self.build_finder());
        let found = finder.iter().flat_map(|finder| finder.find_iter(text));
        found.map(|value| value.range()).collect()
    }

    /// Makes what finds the longest value at each place. Reports are short, and the tables that search fastest cost more than the search.
    fn build_finder(&self) -> Option<AhoCorasick> {
        let mut builder = AhoCorasick::builder();
        builder.match_kind(MatchKind::LeftmostLongest);
        builder.kind(Some(AhoCorasickKind::ContiguousNFA)).build(&self.values).ok()
    }

    /// Hides the values in a text.
    pub fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let found = self.find(text);
        if found.is_empty() { text.into() } else { hide(text, &found).into() }
    }
}

/// Returns the single values of a zone. Of an object that was applied before, only its own zones are values: nobody repeats it
/// whole, and most of it is no secret.
fn pieces(zone: &str, deepest: usize) -> Vec<&str> {
    let text = zone.trim().trim_start_matches(['"', '\'']);
    let in_braces =
        text.starts_with('{') || (text.starts_with('[') && text.len() == zone.trim().len());
    if !in_braces || deepest == 0 {
        return vec![zone];
    }
    if text.contains("apiVersion") && text.contains("metadata") {
        let inner = zones(zone);
        let inner = inner.into_iter().filter_map(|at| zone.get(at));
        return inner.flat_map(|zone| pieces(zone, deepest - 1)).collect();
    }
    let leaves = leaves(zone).into_iter().filter_map(|at| zone.get(at));
    // A text that begins with a brace is one value.
    let is_text = zone.trim().len() > text.len() || text.contains('\\');
    std::iter::once(zone).chain(leaves.filter(|_| !is_text)).collect()
}

/// Says whether a value tells nothing: digits, truth values, block signs, words of Kubernetes.
fn is_vocabulary(value: &str) -> bool {
    const WORDS: [&str; 4] = ["Opaque", "default", "<none>", "******"];
    // Redaction leaves nothing but these of a value.
    value.bytes().all(|c| c == b'x' || c.is_ascii_digit() || c.is_ascii_punctuation())
        || WORDS.contains(&value)
        || value.starts_with("-----")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_hidden_plain_and_in_base64() {
        let known = SecretValues::new(["Q0FOQVJZLW9uZQ==", "payments"].into_iter(), &|text| {
            text == "payments"
        });
        assert_eq!(known.hide("a CANARY-one b Q0FOQVJZLW9uZQ== c"), "a *** b *** c");
        assert_eq!(known.hide("namespace payments"), "namespace payments");
        let plain = SecretValues::new(["hunter22"].into_iter(), &|_| false);
        assert_eq!(plain.hide("x aHVudGVyMjI= hunter22"), "x *** ***");
    }

    #[test]
    fn each_value_of_a_map_is_hidden_elsewhere() {
        let zone = "{user: deployer-7, password: Q0FOQVJZLW9uZQ==}";
        let known = SecretValues::new([zone].into_iter(), &|_| false);
        assert_eq!(known.hide("deployer-7 CANARY-one password"), "*** *** password");
    }

    #[test]
    fn of_what_was_applied_only_the_secrets_are() {
        let zone = r#"{"apiVersion":"v1","kind":"Secret","metadata":{"name":"payments"},"stringData":{"a":"hunter-22"}}"#;
        let known = SecretValues::new([zone].into_iter(), &|_| false);
        assert_eq!(known.hide("payments hunter-22 Secret"), "payments *** Secret");
    }

    #[test]
    fn what_redaction_left_of_a_value_is_hidden_nowhere_else() {
        let known = SecretValues::new(["xxxxxxxxx0xxxxxx=="].into_iter(), &|_| false);
        assert_eq!(known.hide("n09xxxxxxxxx0xxxxxx=="), "n09xxxxxxxxx0xxxxxx==");
    }

    #[test]
    fn a_short_value_is_hidden_nowhere_else() {
        let known = SecretValues::new(["abcde"].into_iter(), &|_| false);
        assert_eq!(known.hide("abcde YWJjZGU="), "abcde YWJjZGU=");
    }
}
