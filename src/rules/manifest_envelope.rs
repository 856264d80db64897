//! FL16xx: envelopes in manifests, and what does not belong on a hub.

pub mod bad_envelope_entry;
pub mod config_map_as_envelope;
pub mod data_under_spec;
pub mod envelope_namespace;
pub mod workload_on_hub;
