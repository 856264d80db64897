//! What rows of `kubectl get` and bare conditions tell where nothing else of the object was sent.
//!
//! A row shows that a condition is False or empty, and how old the object is; it never tells why. So these rules
//! name the object and say which command tells more, and none of them accuses what is young.

pub mod unanswered_request;
pub mod undetailed_failure;
pub mod unready_workload;
pub mod unseen_member;
pub mod unstarted_run;
