//! [`Index`]: objects by what they name, so that a join looks up instead of searching.
//!
//! An index keeps positions only, in the order of the hashes of their keys; the key of an object is read from the object
//! itself, and objects under one key come in the order of their family.

use std::hash::{BuildHasher as _, Hash};

use foldhash::fast::FixedState;

/// Up to three words by which an object is looked up; those that are not needed are empty.
pub(super) type IndexKey<'k> = [&'k str; 3];

/// Hashes what is looked up by; the same in every run.
pub(super) fn hash(key: impl Hash) -> u64 {
    FixedState::default().hash_one(key)
}

/// Positions in a list by the hashes of what stands there.
#[derive(Debug, Default)]
pub(super) struct Positions(Vec<(u64, u32)>);

impl Positions {
    /// Notes positions with what is looked up there.
    pub(super) fn new(keyed: impl Iterator<Item = (impl Hash, u32)>) -> Self {
        let hashed = keyed.map(|(key, at)| (hash(key), at));
        let mut hashed: Vec<(u64, u32)> = hashed.collect();
        hashed.sort_unstable();
        hashed.shrink_to_fit();
        Self(hashed)
    }

    /// Returns the items with a hash, in order; those of several keys may be among them.
    pub(super) fn find<'g, T>(
        &self,
        items: &'g [T],
        hash: u64,
    ) -> impl Iterator<Item = &'g T> + Clone + use<'_, 'g, T> {
        let from = self.0.partition_point(|(own, _)| *own < hash);
        let rest = self.0.get(from..).unwrap_or_default();
        let here = rest.iter().take_while(|(own, _)| *own == hash).count();
        let found = rest.get(..here).unwrap_or_default().iter();
        found.filter_map(|(_, at)| items.get(usize::try_from(*at).ok()?))
    }
}

/// Positions of objects by their keys.
#[derive(Debug)]
pub(super) struct Index<T> {
    positions: Positions,
    key: fn(&T) -> Option<IndexKey<'_>>,
    /// Whether two keys have the same hash, so that each object has to be asked for its own.
    has_collision: bool,
}

impl<T> Index<T> {
    /// Notes objects by a key; those without one are left out.
    pub(super) fn new(items: &[T], key: fn(&T) -> Option<IndexKey<'_>>) -> Self {
        let keyed = items.iter().zip(0u32..).filter_map(|(item, at)| Some((key(item)?, at)));
        let positions = Positions::new(keyed);
        let key_at = |at: u32| items.get(usize::try_from(at).ok()?).and_then(key);
        let has_collision = positions.0.windows(2).any(|pair| match pair {
            [(left, a), (right, b)] => left == right && key_at(*a) != key_at(*b),
            _ => false,
        });
        Self { positions, key, has_collision }
    }

    /// Returns the objects under a key.
    pub(super) fn find<'g>(
        &self,
        items: &'g [T],
        wanted: IndexKey<'_>,
    ) -> impl Iterator<Item = &'g T> + use<'_, 'g, T> {
        let hash = hash(wanted);
        let found = self.positions.find(items, hash);
        // The key of the first that is meant stands for the wanted one, and lives as long as the objects.
        let mut firsts = found.clone().take(if self.has_collision { usize::MAX } else { 1 });
        let first = firsts.find(|item| (self.key)(item) == Some(wanted));
        let own = first.and_then(self.key);
        let is_own = move |item: &&T| !self.has_collision || (self.key)(item) == own;
        found.take(if own.is_some() { usize::MAX } else { 0 }).filter(is_own)
    }
}

impl<T> Default for Index<T> {
    fn default() -> Self {
        Self { positions: Positions::default(), key: |_| None, has_collision: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_search_finds_in_the_same_order() {
        let words = ["b", "a", "", "b", "c", "a", "b"];
        let items: Vec<(usize, &str)> = words.into_iter().enumerate().collect();
        let index = Index::new(&items, |item| (!item.1.is_empty()).then_some([item.1, "", ""]));
        for wanted in ["a", "b", "c", "d", ""] {
            let found: Vec<_> = index.find(&items, [wanted, "", ""]).collect();
            let is_it = |item: &&(usize, &str)| item.1 == wanted && !wanted.is_empty();
            assert_eq!(found, items.iter().filter(is_it).collect::<Vec<_>>(), "{wanted:?}");
        }
    }
}
