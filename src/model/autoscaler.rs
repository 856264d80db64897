//! Autoscalers, as far as they name the workload whose replicas they set.

use super::meta::Meta;
use super::read::{Text, read_text};
use super::work::WorkManifest;
use crate::syntax::tree::Node;

/// The kind of an autoscaler.
pub const AUTOSCALER: &str = "HorizontalPodAutoscaler";

/// `spec.scaleTargetRef` of a HorizontalPodAutoscaler.
#[derive(Clone, Debug)]
pub struct ScaleTarget {
    /// The workload's kind.
    pub kind: Option<Text>,
    /// The workload's name.
    pub name: Text,
}

impl ScaleTarget {
    /// Reads the target of an autoscaler that was seen on a member.
    pub fn of_object(meta: &Meta) -> Option<Self> {
        Self::read(&meta.root)
    }

    /// Reads the target of an autoscaler that the hub sends.
    pub fn of_manifest(manifest: &WorkManifest) -> Option<Self> {
        Self::read(&manifest.root)
    }

    fn read(root: &Node) -> Option<Self> {
        let target = root.at(&["spec", "scaleTargetRef"])?;
        Some(Self { kind: read_text(target, "kind"), name: read_text(target, "name")? })
    }

    /// Says whether it names this workload.
    pub fn is(&self, kind: &str, name: &str) -> bool {
        self.kind.as_deref() == Some(kind) && self.name == name
    }
}
