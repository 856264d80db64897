//! The capture clock: from when every age in a report is measured.
//!
//! A bundle is judged as of the moment it was captured, never as of today. Unless the user gives
//! the moment, it is the newest stamp that some controller wrote.

use jiff::{SignedDuration, Timestamp};

use crate::source::Span;

/// When the bundle was captured.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// The moment, if any is known.
    pub now: Option<Timestamp>,
    /// How it was found.
    pub source: ClockSource,
}

/// How the moment of capture was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockSource {
    /// There is no stamp in the bundle.
    #[default]
    Unknown,
    /// The user gave it.
    Given,
    /// The newest stamp in an object, here.
    NewestStamp(Span),
    /// The newest stamp in a log, here.
    NewestLogLine(Span),
}

impl Clock {
    /// Returns how long ago `then` was at capture, never negative.
    pub fn since(&self, then: Timestamp) -> Option<SignedDuration> {
        Some(self.now?.duration_since(then).max(SignedDuration::ZERO))
    }

    /// Takes a newer stamp into account; a given moment stays.
    pub(super) fn offer(&mut self, stamp: Timestamp, source: ClockSource) {
        if self.source != ClockSource::Given && self.now.is_none_or(|now| stamp > now) {
            *self = Self { now: Some(stamp), source };
        }
    }
}
