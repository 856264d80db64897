//! [`ObjectKey`]: what makes two sightings the same object.

use std::fmt;

use smol_str::SmolStr;

use crate::grammar::kind::{Kind, find_kind};

/// The cluster that KubeFleet's own objects live on.
pub const HUB: &str = "hub";

/// Returns what stands for an object whose text does not show its name.
///
/// It says nothing of the scope, which a piece often does not tell.
pub fn unnamed(kind: &str) -> &'static str {
    match find_kind(kind).map(|spec| spec.family) {
        Some(Kind::Run) => "the run",
        Some(Kind::Strategy) => "the strategy",
        Some(Kind::ApprovalRequest) => "the approval request",
        Some(Kind::Placement) => "the placement",
        Some(Kind::Binding) => "the binding",
        Some(Kind::PolicySnapshot) => "the policy snapshot",
        Some(Kind::ResourceSnapshot) => "the resource snapshot",
        Some(Kind::Override | Kind::OverrideSnapshot) => "the override",
        Some(Kind::Eviction) => "the eviction",
        Some(Kind::DisruptionBudget) => "the disruption budget",
        Some(Kind::Work) => "the Work",
        Some(Kind::MemberCluster | Kind::InternalMemberCluster) => "the member cluster",
        Some(Kind::Pod) => "the pod",
        _ => "the object",
    }
}

/// Identity of an object within a bundle; API versions do not count.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectKey {
    /// `hub`, a member cluster's name, or `""` when the bundle does not tell.
    pub cluster: SmolStr,
    /// The kind's name.
    pub kind: SmolStr,
    /// The namespace, `""` for cluster scope.
    pub namespace: SmolStr,
    /// The name.
    pub name: SmolStr,
}

impl ObjectKey {
    /// Makes the key of an object on the hub.
    pub fn on_hub(kind: &str, namespace: &str, name: &str) -> Self {
        Self {
            cluster: HUB.into(),
            kind: kind.into(),
            namespace: namespace.into(),
            name: name.into(),
        }
    }

    /// Makes the key of an object of a family by its namespace (`""` for cluster scope) and name.
    pub(crate) fn of(family: Kind, namespace: &str, name: &str) -> Self {
        Self::on_hub(family.in_namespace(namespace), namespace, name)
    }

    /// Returns the name for the start of a sentence; a fragment may not show it.
    pub fn title(&self) -> String {
        if !self.name.is_empty() {
            return self.name.to_string();
        }
        let unnamed = unnamed(&self.kind);
        unnamed
            .strip_prefix("the ")
            .map_or_else(|| unnamed.to_owned(), |rest| format!("The {rest}"))
    }

    /// Returns `namespace/name`, or the bare name in cluster scope.
    pub fn path(&self) -> String {
        if self.name.is_empty() {
            unnamed(&self.kind).to_owned()
        } else if self.namespace.is_empty() {
            self.name.to_string()
        } else {
            format!("{}/{}", self.namespace, self.name)
        }
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name.is_empty() {
            return f.write_str(unnamed(&self.kind));
        }
        write!(f, "{} {}", self.kind, self.path())
    }
}
