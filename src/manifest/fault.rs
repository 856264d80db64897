//! [`ManifestFault`]: what the API server holds against a manifest, as data.
//!
//! Owns the kinds of faults that follow from the shape of a kind alone. Putting them into words is
//! left to the rules, one per kind of fault.

use std::collections::{BTreeMap, HashMap};
use std::mem::{Discriminant, discriminant};

use super::FieldPlace;
use crate::grammar::kind::KindSpec;
use crate::source::Span;

/// A fault and where it stands.
#[derive(Clone, Debug)]
pub struct ManifestFault {
    /// Which demand of the API server is not met.
    pub kind: FaultKind,
    /// The field that is at fault.
    pub place: FieldPlace,
}

/// How many faults of one kind are listed of an object.
pub const MOST_LISTED: usize = 100;

/// Keeps the first faults of each kind; returns how many more there are, by the place of the last one that is kept.
///
/// A generated file can hold any number of them, and nobody reads more than a few.
pub(super) fn list_first(faults: &mut Vec<ManifestFault>) -> BTreeMap<Span, usize> {
    let mut unlisted = BTreeMap::new();
    let mut told: HashMap<Discriminant<FaultKind>, (usize, Span)> = HashMap::new();
    faults.retain(|fault| {
        let (count, last) = told.entry(discriminant(&fault.kind)).or_insert((0, fault.place.span));
        *count += 1;
        if *count > MOST_LISTED {
            *unlisted.entry(*last).or_default() += 1;
        } else {
            *last = fault.place.span;
        }
        *count <= MOST_LISTED
    });
    unlisted
}

/// A limit and what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Fewer items or keys than allowed.
    FewItems,
    /// More items or keys than allowed.
    ManyItems,
    /// Fewer characters than allowed.
    ShortText,
    /// More characters than allowed.
    LongText,
    /// A smaller number than allowed.
    SmallNumber,
    /// A greater number than allowed.
    GreatNumber,
}

/// A demand of the API server that a manifest does not meet.
#[derive(Clone, Debug)]
pub enum FaultKind {
    /// The text cannot be read; the words of the parser.
    Malformed(String),
    /// A key stands twice; where it stood first.
    DuplicateKey(String, Option<Span>),
    /// `apiVersion` or `kind` is absent or empty.
    NoIdentity(&'static str),
    /// There is no such kind in the group; the nearest one.
    UnknownKind(String, Option<&'static KindSpec>),
    /// The kind exists in another group.
    WrongGroup(String, &'static KindSpec),
    /// The group was given up.
    RemovedGroup(String),
    /// The kind is not served in this version.
    VersionNotServed(String, &'static KindSpec),
    /// The key is not known.
    UnknownField {
        /// The key.
        key: String,
        /// The key that was probably meant.
        meant: Option<String>,
        /// The keys that there are.
        known: Vec<String>,
    },
    /// A required key is absent.
    MissingField(String),
    /// A required key is absent, and the hub's mutating webhook writes an empty one.
    FilledIn(String),
    /// The value has another type.
    WrongType {
        /// What the field takes.
        wanted: &'static str,
        /// What stands there.
        found: &'static str,
        /// Whether it would be allowed as text.
        fits: bool,
    },
    /// The number does not fit into JSON.
    NotFinite,
    /// The word is not among the allowed ones.
    NotAllowed {
        /// What stands there.
        found: String,
        /// What may stand there.
        allowed: Vec<String>,
        /// What was probably meant.
        meant: Option<String>,
        /// Whether it is a word of another release.
        was: bool,
    },
    /// A limit was crossed: the limit, what was found.
    Limit(Limit, i64, i64),
    /// The text does not match its pattern.
    Pattern {
        /// What stands there.
        found: String,
        /// The regular expression.
        pattern: String,
    },
    /// The name of the object is not allowed; why.
    BadName(String),
    /// The namespace is not allowed; why.
    BadNamespace(String),
    /// A label or annotation is not allowed; why.
    BadLabel(String),
    /// Another part of the metadata is not allowed; why.
    BadMetadata(String),
    /// A value that may not change was changed: the server's words, and where the old value stands.
    Changed(String, Option<Span>),
}

impl FaultKind {
    /// Says whether an update that leaves the value as it was is forgiven (validation ratcheting).
    pub(super) fn is_ratcheted(&self) -> bool {
        matches!(
            self,
            Self::MissingField(_)
                | Self::WrongType { .. }
                | Self::NotAllowed { .. }
                | Self::Limit(..)
                | Self::Pattern { .. }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kube::field_path::FieldPath;
    use crate::source::SourceId;

    fn fault(kind: FaultKind, at: usize) -> ManifestFault {
        let span = Span::new(SourceId(0), at, at + 1);
        ManifestFault { kind, place: FieldPlace { span, path: FieldPath::default() } }
    }

    #[test]
    fn the_first_faults_of_each_kind_are_listed_and_the_others_counted() {
        let many = (0..250).map(|at| fault(FaultKind::MissingField(at.to_string()), at));
        let few = (250..253).map(|at| fault(FaultKind::NotFinite, at));
        let mut faults: Vec<ManifestFault> = many.chain(few).collect();
        let unlisted = list_first(&mut faults);
        assert_eq!(faults.len(), MOST_LISTED + 3);
        let last = Span::new(SourceId(0), MOST_LISTED - 1, MOST_LISTED);
        assert_eq!(unlisted, BTreeMap::from([(last, 150)]));
    }
}
