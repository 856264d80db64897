//! [`Children`]: objects of a namespace by what their names begin with, or the names of their owners.
//!
//! Controllers name a child after its parent and write the parent into its references. The children of a workload
//! are looked up by its name, not searched among all pods of the namespace; whoever asks tells by a closer look
//! which of those found are meant.

use super::HasMeta;

/// Positions of objects, by cluster, namespace and name.
#[derive(Debug, Default)]
pub(super) struct Children {
    /// The position of an object, and which of its names it is here: that of an owner, or its own.
    places: Vec<(u32, u32)>,
}

impl Children {
    /// Sorts objects by the names of their owners; those without owners by their own.
    pub(super) fn new<T: HasMeta>(items: &[T]) -> Self {
        let names = |item: &T| u32::try_from(item.meta().owners.len().max(1)).unwrap_or(u32::MAX);
        let places = items.iter().zip(0u32..);
        let places = places.flat_map(|(item, at)| (0..names(item)).map(move |name| (at, name)));
        let mut places: Vec<(u32, u32)> = places.collect();
        places.sort_by(|left, right| place(items, *left).cmp(&place(items, *right)));
        Self { places }
    }

    /// Returns the objects in a namespace of a cluster that have a name with a prefix, in the order of their family.
    pub(super) fn find<'g, T: HasMeta>(
        &self,
        items: &'g [T],
        (cluster, namespace): (&str, &str),
        prefixes: &[&str],
    ) -> impl Iterator<Item = &'g T> + use<'g, T> {
        let mut found: Vec<u32> = Vec::new();
        for prefix in prefixes {
            let wanted = [cluster, namespace, *prefix];
            let from = self.places.partition_point(|at| place(items, *at) < wanted);
            let rest = self.places.get(from..).unwrap_or_default();
            let here = rest.iter().take_while(|at| {
                let [own_cluster, own_namespace, name] = place(items, **at);
                [own_cluster, own_namespace] == [cluster, namespace] && name.starts_with(*prefix)
            });
            found.extend(here.map(|(at, _)| at));
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().filter_map(|at| items.get(usize::try_from(at).ok()?))
    }
}

fn place<T: HasMeta>(items: &[T], (at, name): (u32, u32)) -> [&str; 3] {
    let item = usize::try_from(at).ok().and_then(|at| items.get(at));
    let Some(item) = item else { return [""; 3] };
    let owner = usize::try_from(name).ok().and_then(|name| item.meta().owners.get(name));
    let name = owner.map_or(item.meta().name(), |owner| &*owner.name);
    [&item.key().cluster, &item.key().namespace, name]
}
