//! The capture clock: from when every age in a report is measured.
//!
//! A bundle is judged as of the moment it was captured, never as of today. No stamp tells that moment: a
//! stamp says "not before", so the clock is an interval. Its upper end comes from what is renewed all the
//! time (heartbeats, leases, the end of a busy log), from the AGE column beside a creation stamp, or from
//! the user. Without an upper end an age is only known to be "at least" so much.

use jiff::{SignedDuration, Timestamp};

use crate::kube::time::show_timestamp;
use crate::model::age::Age;
use crate::source::{SourceId, Span};

/// When the bundle was captured.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// The moment before which it was not captured, if any is known.
    pub now: Option<Timestamp>,
    /// The moment after which it was not captured, if anything tells.
    pub latest: Option<Timestamp>,
    /// How the first was found.
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
    /// The last line of a log, which nothing else needed.
    LogEnd(SourceId),
    /// An AGE column, here, beside the creation stamp of the same object.
    AgeColumn(Span),
}

/// How far a given moment may lie behind the last sign of life before that sign contradicts it.
const DISAGREEMENT: SignedDuration = SignedDuration::from_mins(5);

impl Clock {
    /// Returns how long ago `then` was at capture, never negative.
    pub fn since(&self, then: Timestamp) -> Option<Age> {
        let since = |end: Timestamp| end.duration_since(then).max(SignedDuration::ZERO);
        let least = since(self.now?);
        Some(Age { least, most: self.latest.map(|latest| since(latest).max(least)) })
    }

    /// Returns when `then` was, for a state that lasts: its age, or where that is not known, the moment itself.
    pub fn show_since(&self, then: Timestamp) -> Option<String> {
        let age = self.since(then)?;
        Some(if age.is_settled() {
            age.show()
        } else {
            format!("since {}", self.show_moment(then))
        })
    }

    /// Returns when `then` was, for something that is over: `5m ago`, or where that is not known, `at 12:33:29Z`.
    pub fn show_past(&self, then: Timestamp) -> Option<String> {
        let age = self.since(then)?;
        let ago = || format!("{} ago", age.show());
        Some(if age.is_settled() { ago() } else { format!("at {}", self.show_moment(then)) })
    }

    /// Returns a moment, without its date where that is the date of the capture.
    pub fn show_moment(&self, then: Timestamp) -> String {
        let date = |time: Timestamp| time.strftime("%F").to_string();
        if self.now.is_some_and(|now| date(now) == date(then)) {
            return then.strftime("%TZ").to_string();
        }
        show_timestamp(then)
    }

    /// Takes a newer stamp into account.
    pub(super) fn offer(&mut self, stamp: Timestamp, source: ClockSource) {
        if self.now.is_none_or(|now| stamp > now) {
            self.now = Some(stamp);
            self.source = source;
        }
    }

    /// Closes the interval by the last sign of life: it would have been followed by another before `until`.
    pub(super) fn close(&mut self, until: Option<Timestamp>) {
        self.latest = until.filter(|until| self.now.is_some_and(|now| *until >= now));
    }

    /// Takes the moment that the user gave, unless the last sign of life is much older.
    ///
    /// If every agent falls silent at the same second, it is the clock that is wrong, not the agents.
    pub(super) fn give(&mut self, given: Timestamp, alive_until: Option<Timestamp>) {
        let contradicted = alive_until
            .is_some_and(|alive| given.duration_since(alive) > DISAGREEMENT)
            && self.now.is_some_and(|now| now < given);
        if contradicted {
            self.latest = self.latest.or(Some(given));
        } else {
            *self = Self { now: Some(given), latest: Some(given), source: ClockSource::Given };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + minute * 60).unwrap()
    }

    fn minutes(age: Age) -> (i64, Option<i64>) {
        (age.least.as_mins(), age.most.map(|most| most.as_mins()))
    }

    #[test]
    fn a_stamp_alone_is_a_lower_bound() {
        let mut clock = Clock::default();
        clock.offer(at(10), ClockSource::Unknown);
        assert_eq!(minutes(clock.since(at(4)).unwrap()), (6, None));
        assert_eq!(minutes(clock.since(at(12)).unwrap()), (0, None));
    }

    #[test]
    fn a_sign_of_life_closes_the_interval_unless_it_is_older() {
        let mut clock = Clock::default();
        clock.offer(at(10), ClockSource::Unknown);
        clock.close(Some(at(12)));
        assert_eq!(minutes(clock.since(at(4)).unwrap()), (6, Some(8)));
        clock.close(Some(at(9)));
        assert_eq!(clock.latest, None);
    }

    #[test]
    fn a_given_moment_is_exact_unless_all_signs_of_life_ended_long_before() {
        let stamped = || {
            let mut clock = Clock::default();
            clock.offer(at(10), ClockSource::Unknown);
            clock
        };
        let mut clock = stamped();
        clock.give(at(60), None);
        assert_eq!(minutes(clock.since(at(0)).unwrap()), (60, Some(60)));
        let mut clock = stamped();
        clock.give(at(60), Some(at(11)));
        assert_eq!(minutes(clock.since(at(0)).unwrap()), (10, Some(60)));
        let mut clock = stamped();
        clock.give(at(13), Some(at(11)));
        assert_eq!(minutes(clock.since(at(0)).unwrap()), (13, Some(13)));
    }
}
