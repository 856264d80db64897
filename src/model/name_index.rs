//! [`NameIndex`]: where in a long list each name stands, noted when somebody first asks.
//!
//! A run or a placement may have ten thousand clusters, and each of them is looked up on its own.

use std::collections::HashMap;
use std::sync::OnceLock;

use foldhash::fast::FixedState;
use smol_str::SmolStr;

/// The places of names in a list that does not change; a copy of the list, which may, begins anew.
#[derive(Debug, Default)]
pub struct NameIndex(OnceLock<HashMap<SmolStr, usize, FixedState>>);

impl Clone for NameIndex {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl NameIndex {
    /// Returns the first place of a name; `names` are all of them, in order.
    pub(super) fn find<'n>(
        &self,
        name: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Option<usize> {
        let places = self.0.get_or_init(|| {
            let mut places: HashMap<SmolStr, usize, FixedState> = HashMap::default();
            for (at, name) in names.enumerate() {
                places.entry(name.into()).or_insert(at);
            }
            places
        });
        places.get(name).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::NameIndex;

    #[test]
    fn the_first_of_a_name_is_found() {
        let (names, index) = (["b", "a", "", "b"], NameIndex::default());
        for wanted in ["a", "b", "", "c"] {
            let found = index.find(wanted, names.into_iter());
            assert_eq!(found, names.iter().position(|name| *name == wanted), "{wanted:?}");
        }
    }
}
