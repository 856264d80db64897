//! A bundle that can be shared: names become pseudonyms that keep every join, secrets and addresses are masked.
//!
//! Names are learned from the model, not from patterns: [`Names`] asks the graph what objects, namespaces, clusters and
//! stages are called. [`Redactor`] rewrites any text, file or report, in the same way, so that the findings of a
//! redacted bundle are the redacted findings of the bundle. A pseudonym is as long as its name, so tables and columns
//! stay in line, and sorts as its name does, since controllers go by the order of names.

mod leak;
mod mask;
mod names;
mod spellings;
mod vocabulary;

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::AhoCorasick;

pub use names::Names;

use leak::Search;
use spellings::{forms, within_base64};

use crate::source::Sources;

/// Rewrites texts.
#[derive(Debug)]
pub struct Redactor {
    map: BTreeMap<String, String>,
    /// Finds all forms of names and of masked values, in any case.
    finder: Option<AhoCorasick>,
    /// What to do about each pattern of the finder.
    forms: Vec<Form>,
    search: Search,
}

/// One way in which a value is written.
#[derive(Debug)]
struct Form {
    /// What to put in its place.
    other: String,
    /// Whether it counts only where no letter or digit stands beside it.
    alone: bool,
    /// Whether it counts only as it is spelled: a short name may be a word of the vocabulary in other letters.
    exact: bool,
}

impl Redactor {
    /// Gives every name a pseudonym; those of an earlier map stay as they are.
    pub fn new(names: &Names, earlier: BTreeMap<String, String>) -> Self {
        let fresh: Vec<&String> =
            names.iter().filter(|name| !earlier.contains_key(*name)).collect();
        let taken: BTreeSet<String> = earlier.values().cloned().collect();
        let mut map = earlier;
        let first = map.len();
        let mut width = 2;
        while 36_usize.pow(width) < first + fresh.len() + taken.len() {
            width += 1;
        }
        let mut number = first;
        for name in fresh {
            let mut other = pseudonym(number, width, name.len());
            while taken.contains(&other) {
                number += 1;
                other = pseudonym(number, width, name.len());
            }
            number += 1;
            map.insert(name.clone(), other);
        }
        Self::with(map, names.masked())
    }

    fn with(map: BTreeMap<String, String>, masked: &BTreeSet<String>) -> Self {
        let mut patterns: BTreeMap<String, Form> = BTreeMap::new();
        for (name, other) in &map {
            let distinct = is_distinct(name);
            let ways = forms(name, other).into_iter().take(if distinct { usize::MAX } else { 1 });
            for (index, (text, other)) in ways.enumerate() {
                if index == 0 || !map.contains_key(&text) {
                    let form = Form { other, alone: !distinct, exact: !distinct };
                    patterns.insert(text, form);
                }
            }
        }
        for value in masked.iter().filter(|value| !map.contains_key(*value)) {
            for (text, other) in forms(value, &mask::filled(value)) {
                let form = Form { other, alone: true, exact: false };
                patterns.entry(text).or_insert(form);
            }
        }
        let search = Search::new(map.keys().map(String::as_str).filter(|name| is_distinct(name)));
        let (texts, forms): (Vec<String>, Vec<Form>) = patterns.into_iter().unzip();
        let mut builder = AhoCorasick::builder();
        let finder = builder.ascii_case_insensitive(true).build(&texts).ok();
        Self { finder: finder.filter(|_| !texts.is_empty()), forms, search, map }
    }

    /// Returns which name became which pseudonym.
    pub fn map(&self) -> &BTreeMap<String, String> {
        &self.map
    }

    /// Rewrites a text of the bundle, a path or a report.
    pub fn text(&self, text: &str) -> String {
        let plain = |text: &str| mask::mask(&self.rename(text));
        within_base64(&plain(text), &plain)
    }

    /// Rewrites a file of the bundle, in which the data of Secrets stands, and what repeats it.
    pub fn file(&self, text: &str, sources: &Sources) -> String {
        self.text(&mask::mask_secrets(text, sources.find_values(text)))
    }

    fn rename(&self, text: &str) -> String {
        let Some(finder) = &self.finder else { return text.to_owned() };
        let alone = |start: usize, end: usize| {
            let word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
            let bytes = text.as_bytes();
            !word(start.checked_sub(1).and_then(|at| bytes.get(at))) && !word(bytes.get(end))
        };
        let mut found: Vec<(usize, usize, String)> = finder
            .find_overlapping_iter(text)
            .filter_map(|hit| {
                let form = self.forms.get(hit.pattern().as_usize())?;
                let here = text.get(hit.range())?;
                let capitals = here.bytes().any(|c| c.is_ascii_uppercase());
                let fits =
                    (!form.alone || alone(hit.start(), hit.end())) && !(form.exact && capitals);
                let shouted = capitals && !here.bytes().any(|c| c.is_ascii_lowercase());
                let other = if shouted { form.other.to_uppercase() } else { form.other.clone() };
                fits.then_some((hit.start(), hit.end(), other))
            })
            .collect();
        found.sort_by_key(|(start, end, _)| (*start, std::cmp::Reverse(*end)));
        let (mut out, mut at) = (String::with_capacity(text.len()), 0);
        for (start, end, other) in found {
            if start >= at {
                out.push_str(text.get(at..start).unwrap_or_default());
                out.push_str(&other);
                at = end;
            }
        }
        out.push_str(text.get(at..).unwrap_or_default());
        out
    }

    /// Finds a name that is still in a rewritten text, in whatever encoding; returns its line.
    pub fn leak(&self, text: &str) -> Option<usize> {
        self.search.line(text)
    }
}

/// Makes the pseudonym of a number: a letter, the number in a fixed width, and as much as is missing.
fn pseudonym(number: usize, width: u32, length: usize) -> String {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let digit = |at: u32| DIGITS.get(number / 36_usize.pow(at) % 36).copied().unwrap_or(b'0');
    let mut name: String = (0..width).rev().map(|at| char::from(digit(at))).collect();
    name.insert(0, 'n');
    name.extend(std::iter::repeat_n('x', length.saturating_sub(name.len())));
    name
}

/// Says whether a name cannot be an ordinary word of prose, so that each occurrence is the name.
fn is_distinct(name: &str) -> bool {
    let signs = name.bytes().any(|c| c.is_ascii_digit() || c == b'-' || c == b'.');
    (name.len() >= 6 && signs) || name.len() >= 14
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redactor(names: &[&str]) -> Redactor {
        Redactor::new(&names.iter().map(|name| (*name).to_owned()).collect(), BTreeMap::new())
    }

    #[test]
    fn joins_order_and_lengths_are_kept() {
        let redactor = redactor(&["member1", "member2", "payments", "payments-eu"]);
        let binding = redactor.text("payments-member1-3f2a91bc");
        let (placement, cluster) = (redactor.text("payments"), redactor.text("member1"));
        assert_eq!(binding, format!("{placement}-{cluster}-3f2a91bc"));
        assert_eq!(redactor.text("fleet-member-member1"), format!("fleet-member-{cluster}"));
        assert!(cluster < redactor.text("member2") && cluster.len() == "member1".len());
        assert_ne!(redactor.text("payments-eu"), format!("{placement}-eu"));
        assert_eq!(redactor.text("repayments"), "repayments");
    }

    #[test]
    fn a_name_is_found_in_other_clothes() {
        let redactor = redactor(&["contoso-prod-eu"]);
        assert_eq!(redactor.leak(&redactor.text("CONTOSO-PROD-EU x Y29udG9zby1wcm9kLWV1")), None);
        for seen in ["xContoso-Prod-EUx", "Y29udG9zby1wcm9kLWV1", "a%2FContoso%2dprod%2Deu"] {
            assert_eq!(redactor.leak(&format!("one\n{seen}\n")), Some(2), "{seen}");
            assert_eq!(redactor.leak(&redactor.text(seen)), None, "{seen}");
        }
        // In the middle of something that was encoded as a whole, at any distance from its start.
        for before in ["", "x", "xy"] {
            let whole =
                data_encoding::BASE64.encode(format!("{before}contoso-prod-eu!").as_bytes());
            assert!(redactor.leak(&whole).is_some(), "{whole}");
            assert_eq!(redactor.leak(&redactor.text(&whole)), None, "{whole}");
        }
        let dotted =
            Redactor::new(&["www.contoso.shop".to_owned()].into_iter().collect(), BTreeMap::new());
        assert!(dotted.leak("ip-www-contoso-shop").is_some());
        assert_eq!(dotted.leak(&dotted.text("ip-www-contoso-shop WWW.Contoso.Shop")), None);
    }

    #[test]
    fn what_was_masked_once_is_masked_in_every_form() {
        let mut names = Names::default();
        names.mask(
            "10.20.30.41 bob@contoso.com /subscriptions/2b03bfb8-e885-4566-a62a-909a11d71692/x",
        );
        let redactor = Redactor::new(&names, BTreeMap::new());
        let text = redactor.text(
            "node ip-10-20-30-41 mail=bob%40contoso.com id: 2B03BFB8-E885-4566-A62A-909A11D71692",
        );
        for secret in ["20-30", "bob", "contoso", "2B03"] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
    }

    #[test]
    fn an_earlier_map_stays() {
        let first = redactor(&["alpha-1", "beta-2"]);
        let names: Names = ["aaa-0", "alpha-1"].iter().map(|name| (*name).to_owned()).collect();
        let second = Redactor::new(&names, first.map().clone());
        assert_eq!(second.text("alpha-1"), first.text("alpha-1"));
        assert_ne!(second.text("aaa-0x"), second.text("beta-2"));
        let others: BTreeSet<_> = second.map().values().collect();
        assert_eq!(others.len(), second.map().len());
    }

    #[test]
    fn addresses_and_identities_are_masked() {
        let redactor = redactor(&[]);
        let text = redactor.text("10.0.12.7 bob@contoso.com https://fleet-x.hcp.eastus.azmk8s.io:443/api /subscriptions/2b03bfb8-e885-4566-a62a-909a11d71692/resourceGroups/rg-prod/x");
        for secret in ["10.0.12.7", "bob", "contoso", "eastus", "2b03bfb8", "rg-prod"] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
        let kept = "uid: 2b03bfb8-e885-4566-a62a-909a11d71692 v0.2.2 2026-11-15T12:00:00Z";
        assert_eq!(redactor.text(kept), kept);
    }
}
