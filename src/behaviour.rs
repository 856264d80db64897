//! What KubeFleet's controllers compute: who is picked, which stage takes a cluster, in what order.
//!
//! Owns each computation once, on plain borrowed data (labels, taints, selectors), so that `plan`, the rules of
//! captures and the rules of manifests all get the same answer. It knows no file and finds no words for people.

pub mod member;
pub mod picking;
pub mod reserved;
pub mod rollout;
pub mod staging;
pub mod timing;
