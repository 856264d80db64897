//! Volume claims, as far as they decide whether pods start.

use super::meta::Meta;
use super::read::{Text, read_text};

/// A PersistentVolumeClaim.
#[derive(Debug)]
pub struct VolumeClaim<'m> {
    /// Identity and metadata.
    pub meta: &'m Meta,
    /// `spec.storageClassName`.
    pub storage_class: Option<Text>,
}

impl<'m> VolumeClaim<'m> {
    /// Reads a claim.
    pub fn read(meta: &'m Meta) -> Self {
        let spec = meta.root.get("spec");
        Self { meta, storage_class: spec.and_then(|spec| read_text(spec, "storageClassName")) }
    }

    /// Says whether it waits for a volume.
    pub fn is_pending(&self) -> bool {
        self.meta.phase().is_some_and(|phase| phase == "Pending")
    }
}
