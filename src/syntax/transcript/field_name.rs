//! Which labels are names of fields, so that a line with one begins a piece of an object and not prose.
//!
//! The names come from the schemas of the kinds. Words of everyday language count only if they are listed.

use std::sync::OnceLock;

use crate::grammar::kind;
use crate::grammar::schema::{Schema, fold_label};

/// Fields of one word that tell an object from prose; names of several words all do.
const TELLING_WORDS: [&str; 22] = [
    "annotations",
    "clusters",
    "condition",
    "conditions",
    "containers",
    "events",
    "finalizers",
    "generation",
    "identifier",
    "kind",
    "labels",
    "message",
    "metadata",
    "name",
    "namespace",
    "policy",
    "reason",
    "spec",
    "stages",
    "status",
    "taints",
    "type",
];

/// Returns the folded names of all fields of several words that KubeFleet's objects have, sorted.
fn field_names() -> &'static [String] {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let mut names = Vec::new();
        let fleet = kind::all_kinds().iter().filter(|spec| spec.is_fleet());
        fleet.for_each(|spec| collect_names(spec.schema(), &mut names));
        names.sort_unstable();
        names.dedup();
        names
    })
}

fn collect_names(schema: &Schema, names: &mut Vec<String>) {
    for field in schema.fields() {
        if field.name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            names.push(fold_label(&field.name));
        }
        collect_names(field.schema.item().unwrap_or(&field.schema), names);
    }
}

/// Says whether a label is one that kubectl prints for the objects of this field.
pub(crate) fn is_known_label(label: &str) -> bool {
    let folded = fold_label(label);
    TELLING_WORDS.contains(&&*folded) || field_names().binary_search(&folded).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fields_are_known_in_any_spelling() {
        for label in ["Last Transition Time", "minAvailable", "observedDrifts", "Conditions"] {
            assert!(is_known_label(label), "{label}");
        }
        for label in ["Customer", "version", "path", "Priority", "From"] {
            assert!(!is_known_label(label), "{label}");
        }
    }
}
