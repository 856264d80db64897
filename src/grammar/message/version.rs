//! Releases of KubeFleet as wordings date them.
//!
//! The line of releases is in `grammar/messages/index.yaml`; its order is the order of time. Leaves it to
//! the report to put a bound into words.

use std::fmt;

use super::tables::RELEASES;

/// A point on the line of KubeFleet releases; later is greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub(super) usize);

impl Version {
    /// The branch behind the last release.
    pub const MAIN: Self = Self(RELEASES.len() - 1);

    /// Finds a version by its name: a tag, a tag with `+`, `before v0.0.1` or `main`.
    pub fn find(name: &str) -> Option<Self> {
        RELEASES.iter().position(|known| *known == name).map(Self)
    }

    /// Returns the name of the version.
    pub fn name(self) -> &'static str {
        RELEASES.get(self.0).copied().unwrap_or("main")
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The releases that print a wording; an absent end is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Versions {
    /// The first release with the wording; absent if it is in the first of all.
    pub since: Option<Version>,
    /// The last release with the wording; absent if it is in use.
    pub until: Option<Version>,
}

/// Returns the releases that the wordings seen together allow.
///
/// The newest wording bounds from below, the oldest from above. Objects keep old texts over an
/// upgrade, so `since` may come out later than `until`: then both releases were there.
pub fn version_bounds(seen: impl IntoIterator<Item = Versions>) -> Versions {
    seen.into_iter().fold(Versions::default(), |bounds, one| Versions {
        since: bounds.since.max(one.since),
        until: match (bounds.until, one.until) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        },
    })
}
