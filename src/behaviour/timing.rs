//! How long KubeFleet's controllers wait before they call something wrong.

use jiff::SignedDuration;

/// How long a started cluster has before its run calls it stuck, and so how long a rollout that is not done counts as
/// normal (KubeFleet pkg/controllers/updaterun, `updateRunStuckThreshold`).
pub const STUCK_AFTER: SignedDuration = SignedDuration::from_mins(5);
