//! FL03xx: runs that take clusters from each other.

pub mod disturbed_binding;
pub mod doubled_binding;
pub mod idle_rival;
pub mod lost_cluster;
pub mod overwritten_cluster;
pub mod preempted_run;
pub mod rival_runs;
