//! FL07xx on the members themselves: agents, workloads, pods and what they wait for.

pub mod claim_pending;
pub mod configuration_missing;
pub mod container_crashing;
pub mod contested_replicas;
pub mod image_not_pulled;
pub mod job_failed_unnoticed;
pub mod leaving_member;
pub mod load_balancer_pending;
pub mod missing_agents;
pub mod missing_object;
pub mod never_joined_member;
pub mod pod_finding;
pub mod pod_held_up;
pub mod pod_unschedulable;
pub mod pods_not_created;
pub mod probe_failing;
pub mod rollout_held_back;
pub mod sent_manifest;
pub mod silent_member_agent;
pub mod uncollected_properties;
pub mod unhealthy_member;
pub mod wanting_placements;
