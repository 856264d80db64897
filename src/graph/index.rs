//! [`Index`]: objects by what they name, so that a join looks up instead of searching.
//!
//! An index keeps positions only; the key of an object is read from the object itself, and objects under one key
//! come in the order of their family.

/// Up to three words by which an object is looked up; those that are not needed are empty.
pub(super) type IndexKey<'k> = [&'k str; 3];

/// Positions of objects, sorted by their keys.
#[derive(Debug)]
pub(super) struct Index<T> {
    positions: Vec<u32>,
    key: fn(&T) -> Option<IndexKey<'_>>,
}

impl<T> Index<T> {
    /// Sorts objects by a key; those without one are left out.
    pub(super) fn new(items: &[T], key: fn(&T) -> Option<IndexKey<'_>>) -> Self {
        let keyed = items.iter().zip(0u32..).filter_map(|(item, at)| Some((key(item)?, at)));
        let mut keyed: Vec<(IndexKey<'_>, u32)> = keyed.collect();
        keyed.sort_unstable();
        Self { positions: keyed.into_iter().map(|(_, at)| at).collect(), key }
    }

    /// Returns the objects under a key.
    pub(super) fn find<'g>(
        &self,
        items: &'g [T],
        wanted: IndexKey<'_>,
    ) -> impl Iterator<Item = &'g T> + use<'_, 'g, T> {
        let item = |at: &u32| items.get(usize::try_from(*at).ok()?);
        let key_at = |at: &u32| item(at).and_then(|item| (self.key)(item));
        let from = self.positions.partition_point(|at| key_at(at) < Some(wanted));
        let to = self.positions.partition_point(|at| key_at(at) <= Some(wanted));
        let found = self.positions.get(from..to).unwrap_or_default();
        found.iter().filter_map(|at| items.get(usize::try_from(*at).ok()?))
    }
}

impl<T> Default for Index<T> {
    fn default() -> Self {
        Self { positions: Vec::new(), key: |_| None }
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
