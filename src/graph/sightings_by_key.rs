//! [`SightingsByKey`]: every time that an object was seen, by its key.

use std::ops::Range;
use std::sync::Arc;

use super::index::{Positions, hash};
use super::sighting::Sighting;
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;

/// The sightings of all objects: objects in the order of their keys, the best sighting of each first.
#[derive(Debug, Default)]
pub struct SightingsByKey {
    /// Those of one object stand side by side.
    all: Vec<Sighting>,
    /// Where those of each object begin.
    starts: Vec<u32>,
    /// The objects by the hashes of their keys.
    positions: Positions,
}

impl SightingsByKey {
    /// Groups what was seen.
    pub(super) fn new(seen: impl Iterator<Item = Arc<Meta>>) -> Self {
        let mut all: Vec<Sighting> = seen.map(Sighting::new).collect();
        all.sort_by(|left, right| left.meta.key.cmp(&right.meta.key));
        let mut starts: Vec<u32> = Vec::new();
        let mut from = 0;
        for group in all.chunk_by_mut(|left, right| left.meta.key == right.meta.key) {
            Sighting::rank(group);
            starts.push(from);
            from = from.saturating_add(u32::try_from(group.len()).unwrap_or(u32::MAX));
        }
        let mut grouped = Self { all, starts, positions: Positions::default() };
        grouped.positions = Positions::new(grouped.keys().zip(0u32..));
        grouped
    }

    /// Returns where the sightings of an object stand, by its place in the order of keys.
    fn range(&self, at: usize) -> Option<Range<usize>> {
        let place = |at: usize| usize::try_from(*self.starts.get(at)?).ok();
        Some(place(at)?..place(at + 1).unwrap_or(self.all.len()))
    }

    /// Returns the sightings of an object, the used one first.
    pub fn get(&self, key: &ObjectKey) -> Option<&[Sighting]> {
        let mut found = self.positions.find(&self.starts, hash(key));
        let group = |start: &u32| {
            let rest = self.all.get(usize::try_from(*start).ok()?..)?;
            Some(rest).filter(|rest| rest.first().is_some_and(|it| it.meta.key == *key))
        };
        let rest = found.find_map(group)?;
        rest.get(..rest.iter().take_while(|it| it.meta.key == *key).count())
    }

    /// Says whether an object was seen.
    pub fn contains_key(&self, key: &ObjectKey) -> bool {
        self.get(key).is_some()
    }

    /// Returns every object with its sightings.
    pub fn iter(&self) -> impl Iterator<Item = (&ObjectKey, &[Sighting])> {
        self.values().filter_map(|group| Some((&group.first()?.meta.key, group)))
    }

    /// Returns the keys of all objects.
    pub fn keys(&self) -> impl Iterator<Item = &ObjectKey> {
        self.iter().map(|(key, _)| key)
    }

    /// Returns the sightings of all objects, object by object.
    pub fn values(&self) -> impl Iterator<Item = &[Sighting]> {
        (0..self.starts.len()).filter_map(|at| self.all.get(self.range(at)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{SourceId, Span};
    use crate::syntax::Syntax;
    use crate::syntax::tree::{Node, Value};

    #[test]
    fn an_object_is_found_with_all_its_sightings() {
        let names = ["b", "a", "", "b", "c", "a", "b"];
        let seen = names.into_iter().enumerate().map(|(at, name)| {
            let span = Span::new(SourceId(0), at, at + 1);
            let root = Arc::new(Node::new(span, Value::Null));
            let key = ObjectKey::on_hub("Work", if at % 2 == 0 { "x" } else { "" }, name);
            Arc::new(Meta::read(key, span, Syntax::Yaml, false, root))
        });
        let seen: Vec<Arc<Meta>> = seen.collect();
        let grouped = SightingsByKey::new(seen.iter().cloned());
        assert!(grouped.keys().is_sorted());
        for namespace in ["", "x", "y"] {
            for name in ["a", "b", "c", "d", ""] {
                let key = ObjectKey::on_hub("Work", namespace, name);
                let own = seen.iter().filter(|it| it.key == key).map(|it| it.span);
                let expected: Vec<Span> = own.collect();
                let found = grouped.get(&key).unwrap_or_default().iter();
                assert_eq!(found.map(|it| it.meta.span).collect::<Vec<_>>(), expected, "{key}");
                assert_eq!(grouped.contains_key(&key), !expected.is_empty());
            }
        }
        let all: usize = grouped.values().map(<[Sighting]>::len).sum();
        assert_eq!((grouped.keys().count(), all), (5, 7));
    }
}
