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
#[derive(Clone, Copy, Debug)]
pub struct RuleFamily {
    /// What they are about, as a heading.
    pub title: &'static str,
    /// What they look at.
    pub scope: RuleScope,
    /// Whether each finding follows from a single manifest, so that no other file can excuse it.
    pub needs_one_manifest: bool,
}

impl RuleFamily {
    /// Finds the family of a code.
    pub(super) fn of(code: &str) -> Option<Self> {
        let find = |families: &[(&str, &'static str)]| {
            families.iter().find(|(prefix, _)| code.starts_with(prefix)).map(|(_, title)| *title)
        };
        let bundle = find(&ABOUT_BUNDLES).map(|title| (title, RuleScope::Bundle));
        let found = bundle.or_else(|| Some((find(&ABOUT_MANIFESTS)?, RuleScope::Manifest)));
        let needs_one_manifest = code.starts_with(ABOUT_ONE_MANIFEST);
        found.map(|(title, scope)| Self { title, scope, needs_one_manifest })
    }
}

const ABOUT_BUNDLES: [(&str, &str); 10] = [
    ("FL00", "Input"),
    ("FL01", "Runs: initialization"),
    ("FL02", "Runs: execution"),
    ("FL03", "Runs: pre-emption"),
    ("FL04", "Runs: stuck and held"),
    ("FL05", "Runs: approvals and waits"),
    ("FL06", "Placements: selection and scheduling"),
    ("FL07", "Placements: bindings, works and members"),
    ("FL08", "Contradictions in a bundle, refused commands"),
    ("FL09", "Agents and their logs"),
];

const ABOUT_MANIFESTS: [(&str, &str); 9] = [
    (ABOUT_ONE_MANIFEST, "Manifests: shape"),
    ("FL11", "Manifests: strategies"),
    ("FL12", "Manifests: runs and approvals"),
    ("FL13", "Manifests: placements"),
    ("FL14", "Manifests: selectors"),
    ("FL15", "Manifests: overrides"),
    ("FL16", "Manifests: envelopes"),
    ("FL17", "Manifests: budgets, evictions and members"),
    ("FL19", "Manifests: files"),
];

/// The shape of a manifest is judged by the manifest alone.
const ABOUT_ONE_MANIFEST: &str = "FL10";
