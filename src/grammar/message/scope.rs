//! In which scope the objects live that a text speaks of.
//!
//! Controllers print `namespace/name`, and `/name` for what has no namespace; older wordings name the kind
//! itself. A piece of an object whose kind has a twin in the other scope is told by its messages.

use super::{HoleRole, MessageContext, recognise};
use crate::grammar::kind::{Kind, Scope, all_kinds};

/// What a run works on: all of it is of the run's own scope. Overrides and envelopes are not.
const TIED: [Kind; 5] =
    [Kind::Run, Kind::Strategy, Kind::ApprovalRequest, Kind::Placement, Kind::Binding];

const NAMED: [HoleRole; 6] = [
    HoleRole::Run,
    HoleRole::Strategy,
    HoleRole::ApprovalRequest,
    HoleRole::Placement,
    HoleRole::Binding,
    HoleRole::PolicySnapshot,
];

/// Finds the scope of the objects that a text names.
pub fn find_scope(text: &str) -> Option<Scope> {
    let parts = recognise(text, &MessageContext::default()).parts;
    let refs = parts.iter().flat_map(|part| &part.refs);
    let mut names = refs.filter(|found| NAMED.contains(&found.role));
    let by_name = names.find_map(|found| {
        if text.get(..found.range.start)?.ends_with('/') {
            return Some(Scope::Cluster);
        }
        let (namespace, _) = text.get(found.range.clone())?.split_once('/')?;
        Some(if namespace.is_empty() { Scope::Cluster } else { Scope::Namespaced })
    });
    by_name.or_else(|| {
        let mut words = text.split(|at: char| !at.is_ascii_alphanumeric());
        words.find_map(scope_of_word)
    })
}

fn scope_of_word(word: &str) -> Option<Scope> {
    // The shortest kind that counts; most words end here.
    if word.len() < "ResourceBinding".len() {
        return None;
    }
    let same = |name: &str| name.eq_ignore_ascii_case(word);
    let mut tied = all_kinds().iter().filter(|spec| TIED.contains(&spec.family));
    tied.find(|spec| same(spec.name) || same(spec.plural)).map(|spec| spec.scope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_kinds_tell_the_scope() {
        let missing = |name: &str| {
            find_scope(&format!("no resourceSnapshots with index `3` found for placement `{name}`"))
        };
        assert_eq!(missing("shop/web"), Some(Scope::Namespaced));
        assert_eq!(missing("/web"), Some(Scope::Cluster));
        assert_eq!(missing("web"), None);
        assert_eq!(find_scope("check the StagedUpdateRun resources"), Some(Scope::Namespaced));
        assert_eq!(find_scope("the clusterResourceBinding of `a`"), Some(Scope::Cluster));
        assert_eq!(find_scope("ResourceOverrideSnapshot \"a\" failed on Service \"b\""), None);
    }
}
