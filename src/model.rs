//! The typed model: what the trees mean.
//!
//! Owns one type per family of kinds, read from [`crate::syntax::tree::Node`] whatever syntax it came
//! from. Leaf fields that a rule may point to carry their place. Twins (cluster-scoped and
//! namespaced) are one type; the scope is the key's namespace. Reading never fails: what is absent or
//! of the wrong shape is `None`, and the API server's own checks are the business of `check`.

pub mod admission;
pub mod age;
pub mod applied_work;
pub mod apply;
pub mod approval;
pub mod autoscaler;
pub mod binding;
pub mod cluster;
pub mod cluster_node;
pub mod condition;
pub mod envelope;
pub mod event;
pub mod eviction;
pub mod key;
pub mod lease;
pub mod log;
pub mod meta;
pub mod name_index;
pub mod object;
pub mod overrides;
pub mod parsed_message;
pub mod placement;
pub mod pod;
pub mod quota;
pub mod read;
pub mod run;
pub mod scheduling;
pub mod selector;
pub mod service;
pub mod snapshot;
pub mod strategy;
pub mod volume_claim;
pub mod work;
pub mod workload;
