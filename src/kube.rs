//! Kubernetes' own vocabulary: what every cluster means by a label, a quantity, a taint, a name.
//!
//! Owns the comparison and the spelling of these words on plain texts. It knows no file, no tree and nothing
//! of KubeFleet, so that the rules of captures and the rules of manifests ask the same question once.

pub mod names;
