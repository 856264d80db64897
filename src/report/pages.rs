//! Pages of the public documentation, by the family of a kind.

use crate::grammar::kind::{Kind, find_kind};

/// Returns the page that tells how objects of a kind are written.
pub(super) fn of_kind(kind: &str) -> Option<&'static str> {
    Some(match find_kind(kind)?.family {
        Kind::Strategy | Kind::Run | Kind::ApprovalRequest => {
            "https://learn.microsoft.com/azure/kubernetes-fleet/howto-staged-update-run"
        }
        Kind::Eviction | Kind::DisruptionBudget => {
            "https://learn.microsoft.com/azure/kubernetes-fleet/concepts-placement-eviction-disruption"
        }
        Kind::Placement => {
            "https://learn.microsoft.com/azure/kubernetes-fleet/concepts-resource-propagation"
        }
        Kind::Override => "https://kubefleet.dev/docs/concepts/override/",
        Kind::Envelope => "https://kubefleet.dev/docs/how-tos/envelope-object/",
        Kind::MemberCluster => "https://kubefleet.dev/docs/how-tos/clusters/",
        _ => return None,
    })
}
