//! Leases: who leads, and until when.

use jiff::{SignedDuration, Timestamp};

use super::meta::Meta;
use super::read::{read_int, read_time};
use crate::source::Spanned;

/// Assumed where a lease states no duration: what the hub agent asks for.
const DEFAULT_DURATION: i64 = 60;

/// A Lease that was renewed at least once.
#[derive(Clone, Copy, Debug)]
pub struct Lease {
    /// `spec.renewTime`.
    pub renewed: Spanned<Timestamp>,
    /// `spec.leaseDurationSeconds`.
    pub duration: SignedDuration,
}

impl Lease {
    /// Reads a lease; `None` if nobody has renewed it.
    pub fn read(meta: &Meta) -> Option<Self> {
        let spec = meta.root.get("spec")?;
        let seconds = read_int(spec, "leaseDurationSeconds");
        Some(Self {
            renewed: read_time(spec, "renewTime")?,
            duration: SignedDuration::from_secs(
                seconds.map_or(DEFAULT_DURATION, |seconds| seconds.value),
            ),
        })
    }
}
