//! [`RuleFamily`]: rules with the same first digits, and what they have in common.
//!
//! Owns the one table of those digits. Whoever needs to know something of a rule asks its family, never its code.

/// What a rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleScope {
    /// A captured fleet (`analyze`).
    Bundle,
    /// Manifests before they are applied (`check`).
    Manifest,
}

/// Rules with the same first digits.
#[derive(Debug)]
pub struct RuleFamily {
    /// `FL` and two digits, with which their codes begin.
    prefix: &'static str,
    /// What they are about, as a heading.
    pub title: &'static str,
    /// What they look at.
    pub scope: RuleScope,
    /// Whether each finding follows from a single manifest, so that no other file can excuse it.
    pub needs_one_manifest: bool,
}

impl RuleFamily {
    /// Finds the family of a code.
    pub(super) fn of(code: &str) -> Option<&'static Self> {
        FAMILIES.iter().find(|family| code.starts_with(family.prefix))
    }

    const fn bundle(prefix: &'static str, title: &'static str) -> Self {
        Self { prefix, title, scope: RuleScope::Bundle, needs_one_manifest: false }
    }

    const fn manifest(prefix: &'static str, title: &'static str) -> Self {
        Self { prefix, title, scope: RuleScope::Manifest, needs_one_manifest: false }
    }
}

static FAMILIES: [RuleFamily; 19] = [
    RuleFamily::bundle("FL00", "Input"),
    RuleFamily::bundle("FL01", "Runs: initialization"),
    RuleFamily::bundle("FL02", "Runs: execution"),
    RuleFamily::bundle("FL03", "Runs: pre-emption"),
    RuleFamily::bundle("FL04", "Runs: stuck and held"),
    RuleFamily::bundle("FL05", "Runs: approvals and waits"),
    RuleFamily::bundle("FL06", "Placements: selection and scheduling"),
    RuleFamily::bundle("FL07", "Placements: bindings, works and members"),
    RuleFamily::bundle("FL08", "Contradictions in a bundle, refused commands"),
    RuleFamily::bundle("FL09", "Agents and their logs"),
    RuleFamily { needs_one_manifest: true, ..RuleFamily::manifest("FL10", "Manifests: shape") },
    RuleFamily::manifest("FL11", "Manifests: strategies"),
    RuleFamily::manifest("FL12", "Manifests: runs and approvals"),
    RuleFamily::manifest("FL13", "Manifests: placements"),
    RuleFamily::manifest("FL14", "Manifests: selectors"),
    RuleFamily::manifest("FL15", "Manifests: overrides"),
    RuleFamily::manifest("FL16", "Manifests: envelopes"),
    RuleFamily::manifest("FL17", "Manifests: budgets, evictions and members"),
    RuleFamily::manifest("FL19", "Manifests: files"),
];
