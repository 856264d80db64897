//! [`ObjectSet`]: objects of one type in key order, with look-up by name.

use std::sync::Arc;

use super::index::{Index, Positions, hash};
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;

/// Anything that carries object metadata.
pub trait HasMeta {
    /// Returns the metadata.
    fn meta(&self) -> &Meta;

    /// Returns the identity.
    fn key(&self) -> &ObjectKey {
        &self.meta().key
    }
}

macro_rules! has_meta {
    ($($family:ty),+ $(,)?) => {
        $(impl HasMeta for $family {
            fn meta(&self) -> &Meta {
                &self.meta
            }
        })+
    };
}

has_meta!(
    crate::model::run::Run,
    crate::model::strategy::Strategy,
    crate::model::approval::ApprovalRequest,
    crate::model::placement::Placement,
    crate::model::binding::Binding,
    crate::model::snapshot::ResourceSnapshot,
    crate::model::snapshot::PolicySnapshot,
    crate::model::overrides::Override,
    crate::model::eviction::Eviction,
    crate::model::eviction::Budget,
    crate::model::cluster::MemberCluster,
    crate::model::cluster::InternalMember,
    crate::model::work::Work,
    crate::model::applied_work::AppliedWork,
    crate::model::workload::Workload,
    crate::model::pod::Pod,
    crate::model::service::Service,
    crate::model::quota::Quota,
);

impl HasMeta for Arc<Meta> {
    fn meta(&self) -> &Meta {
        self
    }
}

/// Objects of one type, sorted by key.
#[derive(Debug)]
pub struct ObjectSet<T> {
    items: Vec<T>,
    by_name: Index<T>,
    by_key: Positions,
}

impl<'s, T: HasMeta> IntoIterator for &'s ObjectSet<T> {
    type Item = &'s T;
    type IntoIter = std::slice::Iter<'s, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> Default for ObjectSet<T> {
    fn default() -> Self {
        Self { items: Vec::new(), by_name: Index::default(), by_key: Positions::default() }
    }
}

impl<T: HasMeta> ObjectSet<T> {
    /// Sorts objects into a family.
    pub fn new(mut items: Vec<T>) -> Self {
        items.sort_by(|left, right| {
            (left.key(), left.meta().span).cmp(&(right.key(), right.meta().span))
        });
        let by_name =
            Index::new(&items, |item| Some([&item.key().name, &item.key().namespace, ""]));
        let by_key = Positions::new(items.iter().map(HasMeta::key).zip(0u32..));
        Self { items, by_name, by_key }
    }

    /// Returns all objects in key order.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }

    /// Goes through all objects, in the order of their keys.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// Finds an object by its key.
    pub fn find(&self, key: &ObjectKey) -> Option<&T> {
        // By all of the key: what every member has is called alike on each of them.
        let found = self.by_key.find(&self.items, hash(key));
        let mut found = found.filter(|it| it.key() == key);
        let first = found.next()?;
        if found.next().is_none() {
            return Some(first);
        }
        // Pieces that cannot be told apart share a key: always the same of them is taken.
        let at = self.items.binary_search_by(|item| item.key().cmp(key)).ok()?;
        self.items.get(at)
    }

    /// Finds an object of any kind of the family by namespace (`""` for cluster scope) and name.
    pub fn find_named(&self, namespace: &str, name: &str) -> Option<&T> {
        self.all_named(namespace, name).next()
    }

    /// Returns the objects of all kinds of the family with a namespace and a name.
    pub fn all_named(&self, namespace: &str, name: &str) -> impl Iterator<Item = &T> {
        self.by_name.find(&self.items, [name, namespace, ""])
    }
}
