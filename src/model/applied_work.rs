//! AppliedWorks: the owner, on a member, of everything that one Work put there.

use std::sync::Arc;

use super::meta::Meta;
use super::placement::ResourceId;
use super::read::{Text, read_list, read_text};

/// An AppliedWork; it has the name of its Work.
#[derive(Clone, Debug)]
pub struct AppliedWork {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    /// `spec.workNamespace`.
    pub work_namespace: Option<Text>,
    /// `status.appliedResources`.
    pub resources: Vec<ResourceId>,
}

impl AppliedWork {
    /// Reads an AppliedWork.
    pub fn read(meta: Arc<Meta>) -> Self {
        let (spec, status) = (meta.root.get("spec"), meta.root.get("status"));
        Self {
            work_namespace: spec.and_then(|spec| read_text(spec, "workNamespace")),
            resources: status
                .map(|status| read_list(status, "appliedResources", ResourceId::read))
                .unwrap_or_default(),
            meta,
        }
    }
}
