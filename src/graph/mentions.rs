//! Known objects that unknown log lines mention: by `namespace/name`, by a name in quotes, by uid.
//!
//! Owns the directory of names and the search for them in a text. A bare word is never taken for a name, since
//! names are often plain words; a name that several objects bear stands for all of them.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use foldhash::fast::FixedState;
use smol_str::SmolStr;

use super::Graph;
use crate::model::key::{HUB, ObjectKey};
use crate::model::log::{LogEvent, LogRef};

/// More objects than this behind one name tell nothing.
const MAX_BEARERS: usize = 4;

/// More than this are not even listed.
const MAX_LISTED: usize = 64;

/// How far into a record names are looked for.
const MAX_SEARCHED: usize = 16 << 10;

/// The names of known objects.
#[derive(Debug, Default)]
pub(super) struct Directory {
    by_path: BTreeMap<String, Vec<ObjectKey>>,
    by_name: BTreeMap<SmolStr, Vec<ObjectKey>>,
    by_uid: BTreeMap<SmolStr, ObjectKey>,
}

impl Directory {
    /// Lists the objects of a bundle, and those that known log lines name.
    pub(super) fn new(graph: &Graph, events: &[LogEvent]) -> Self {
        let mut directory = Self::default();
        for (key, sightings) in graph.sightings.iter().filter(|(key, _)| &*key.kind != "Event") {
            directory.add(key.clone());
            for uid in sightings.iter().filter_map(|sighting| sighting.meta.uid.as_deref()) {
                directory.by_uid.entry(uid.into()).or_insert_with(|| key.clone());
            }
        }
        // Lines name the same objects again and again.
        let mut met = HashSet::<_, FixedState>::default();
        for event in events.iter().filter(|event| event.template.is_some()) {
            let refs = event.refs.iter();
            let fresh = refs.filter(|it| met.insert((it.role, &*it.namespace, &*it.name)));
            fresh.filter_map(LogRef::object).for_each(|key| directory.add(key));
            event.mentions.iter().for_each(|mention| directory.add(mention.object.clone()));
        }
        directory
    }

    fn add(&mut self, key: ObjectKey) {
        let bear = |bearers: &mut Vec<ObjectKey>| {
            let known = bearers.binary_search(&key);
            if let Err(at) = known
                && bearers.len() < MAX_LISTED
            {
                bearers.insert(at, key.clone());
            }
        };
        bear(self.by_path.entry(format!("{}/{}", key.namespace, key.name)).or_default());
        if !key.name.is_empty() {
            bear(self.by_name.entry(key.name.clone()).or_default());
        }
    }

    /// Finds the first name of a known object in a text, with the objects that bear it.
    pub(super) fn find(&self, text: &str) -> Option<(Range<usize>, Vec<ObjectKey>)> {
        words(text).find_map(|range| {
            let word = text.get(range.clone())?;
            let bearers = if let Some(key) = self.by_uid.get(word) {
                std::slice::from_ref(key)
            } else if word.contains('/') {
                self.by_path.get(word)?
            } else if is_quoted(text, &range) {
                self.by_name.get(word)?
            } else {
                return None;
            };
            // What lives on the hub is what its agents speak of; a member has objects of the same names.
            let hub: Vec<ObjectKey> =
                bearers.iter().filter(|key| &*key.cluster == HUB).cloned().collect();
            let bearers = if hub.is_empty() { bearers.to_vec() } else { hub };
            (bearers.len() <= MAX_BEARERS).then_some((range, bearers))
        })
    }
}

/// Returns the words of a text that may be names.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let bytes = bytes.get(..MAX_SEARCHED).unwrap_or(bytes);
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-./".contains(byte);
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes.get(at..)?.iter().position(part)?;
        let len = bytes.get(start..)?.iter().take_while(|byte| part(byte)).count();
        at = start + len;
        // A full stop ends a sentence, not a name.
        let word = bytes.get(start..at)?;
        let end = at - word.iter().rev().take_while(|byte| **byte == b'.').count();
        Some(start..end)
    })
}

/// Says whether a word stands between two equal quotes.
fn is_quoted(text: &str, range: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let before = range.start.checked_sub(1).and_then(|at| bytes.get(at));
    let after = match bytes.get(range.end) {
        Some(b'\\') => bytes.get(range.end + 1),
        other => other,
    };
    before.is_some_and(|quote| b"\"'`".contains(quote)) && before == after
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory() -> Directory {
        let mut directory = Directory::default();
        directory.add(ObjectKey::on_hub("StagedUpdateRun", "web", "web-7"));
        directory.add(ObjectKey::on_hub("ClusterStagedUpdateRun", "", "store"));
        directory.add(ObjectKey::on_hub("ClusterResourcePlacement", "", "store"));
        let uid = "0d3c6d3e-9f0a-4a52-8f4d-2b7a2b9a6c11";
        directory.by_uid.insert(uid.into(), ObjectKey::on_hub("Work", "fleet-member-m", "w"));
        directory
    }

    fn found(text: &str) -> Vec<String> {
        let found = directory().find(text);
        found.map(|(_, keys)| keys.iter().map(ToString::to_string).collect()).unwrap_or_default()
    }

    #[test]
    fn a_path_a_quoted_name_and_a_uid_are_found() {
        assert_eq!(found("cannot sync web/web-7."), ["StagedUpdateRun web/web-7"]);
        assert_eq!(found("item 0d3c6d3e-9f0a-4a52-8f4d-2b7a2b9a6c11 gone").len(), 1);
        assert_eq!(found("run `web-7` is odd"), ["StagedUpdateRun web/web-7"]);
        assert_eq!(found(r#"err="no \"web-7\" here""#), ["StagedUpdateRun web/web-7"]);
        assert_eq!(found("\"/store\" is odd").len(), 2, "both objects of that name");
    }

    #[test]
    fn a_bare_word_is_no_name() {
        for text in ["the store is shut", "other/web-7", "'store\" mixed", "web-7-2", ""] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
