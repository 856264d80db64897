//! FL07xx, from the binding to the object on the member: Works, manifests, and what members refuse.

pub mod admission_denied;
pub mod agent_lacks_right;
pub mod field_owned_elsewhere;
pub mod immutable_field;
pub mod kind_not_served;
pub mod namespace_missing;
pub mod namespace_terminating;
pub mod pod_security_violated;
pub mod quota_exceeded;
pub mod webhook_unreachable;
