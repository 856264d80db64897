//! FL00xx: input that could not be read as it stands, and the tool itself.

pub mod broken_document;
pub mod broken_rule;
pub mod capped_findings;
pub mod duplicate_key;
pub mod nothing_of_kubefleet;
pub mod refused_input;
pub mod unexplained_condition;
pub mod unknown_wording;
