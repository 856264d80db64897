//! The fields of a Secret: which hold its data, and which are known not to.

use super::row::KeyedLine;

/// The fields of a Secret that hold its data.
pub(super) const DATA: [&str; 2] = ["data", "stringdata"];

/// The fields of a Secret that do not.
const OTHER: [&str; 6] = ["apiversion", "kind", "metadata", "type", "immutable", "status"];

/// The fields of an object's metadata.
pub(super) const METADATA: [&str; 15] = [
    "name",
    "namespace",
    "labels",
    "annotations",
    "uid",
    "resourceversion",
    "creationtimestamp",
    "deletiontimestamp",
    "deletiongraceperiodseconds",
    "generation",
    "generatename",
    "finalizers",
    "managedfields",
    "ownerreferences",
    "selflink",
];

/// Under what kind of field of a Secret a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Under {
    Data,
    Metadata,
    /// One that has its value beside it, so that nothing can stand below.
    Scalar,
    Other,
}

impl Under {
    /// Decides it by the key of the line.
    pub(super) fn of(row: &KeyedLine<'_>, is_object: bool) -> Self {
        let is = |keys: &[&str]| keys.iter().any(|key| row.is_key(key));
        if is(&DATA) || (is_object && !is(&OTHER)) {
            Self::Data
        } else if is_object && row.is_key("metadata") {
            Self::Metadata
        } else if is_object && !row.value.is_empty() {
            Self::Scalar
        } else {
            Self::Other
        }
    }
}

/// Says whether a collection between braces names the kind of Secrets.
pub(super) fn names_secret(value: &str) -> bool {
    let named = |at: usize| {
        let before = value.get(..at).unwrap_or_default().trim_end_matches(['"', '\'', ' ']);
        before.ends_with(':') && before.trim_end_matches([':', '"', '\'', ' ']).ends_with("kind")
    };
    value.match_indices("Secret").any(|(at, _)| named(at))
}
