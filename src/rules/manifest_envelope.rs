//! FL16xx: envelopes in manifests, and what does not belong on a hub.

pub mod bad_envelope_entry;
pub mod data_under_spec;
pub mod envelope_namespace;
