//! Kubernetes' own vocabulary: what every cluster means by a label, a quantity, a taint, a name.
//!
//! Owns the comparison and the spelling of these words on plain texts. It knows no file, no tree and nothing
//! of KubeFleet, so that the rules of captures and the rules of manifests ask the same question once.

pub mod field_path;
pub mod names;
pub mod quantity;
pub mod selector;
pub mod spelling;
pub mod taint;
pub mod time;
