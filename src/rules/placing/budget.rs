//! How many clusters a rolling update may take away, as the rollout controller counts.

use crate::model::placement::Placement;

/// Returns maxUnavailable as a number of clusters: a percentage of the target, rounded up, 25% by default.
pub fn max_unavailable(placement: &Placement, target: i64) -> i64 {
    let text = placement.max_unavailable.as_deref().unwrap_or("25%");
    match text.strip_suffix('%') {
        Some(percent) => {
            let percent: i64 = percent.trim().parse().unwrap_or(25);
            target.saturating_mul(percent).saturating_add(99).div_euclid(100)
        }
        None => text.trim().parse().unwrap_or(1),
    }
}
