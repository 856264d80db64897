//! [`TimeRange`]: from when to when a log goes.
//!
//! A log of several pods tells one after the other, so that its first and last lines are not its earliest and latest.
//! Times with a year and times without one cannot be compared while the log streams by: each have ends of their own.

use jiff::Timestamp;

use super::clock::LogClock;
use super::time::When;

/// The earliest and the latest records of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TimeRange {
    civil: Option<(When, When)>,
    full: Option<(When, When)>,
}

impl TimeRange {
    /// Takes in the time of a record, or of another extent whose turns of the year count from the same start.
    pub(crate) fn note(&mut self, when: When) {
        let ends = if when.civil.is_some() { &mut self.civil } else { &mut self.full };
        let place = |when: &When| (when.turn, when.civil, when.own.or(when.stamp));
        if when != When::default() {
            let (earliest, latest) = ends.get_or_insert((when, when));
            *earliest = std::cmp::min_by_key(*earliest, when, place);
            *latest = std::cmp::max_by_key(*latest, when, place);
        }
    }

    /// Returns all ends.
    pub(crate) fn ends(&self) -> impl Iterator<Item = When> {
        let ends = [self.civil, self.full].into_iter().flatten();
        ends.flat_map(|(earliest, latest)| [earliest, latest])
    }

    /// Says whether no record has a time.
    pub fn is_empty(&self) -> bool {
        self.ends().next().is_none()
    }

    /// Returns the latest of the times without a year, if there are any.
    pub fn latest_civil(&self) -> Option<When> {
        self.civil.map(|(_, latest)| latest)
    }

    /// Returns the first and the last instant, if all ends can be placed.
    pub fn instants(&self, clock: Option<&LogClock>) -> Option<(Timestamp, Timestamp)> {
        let ends: Option<Vec<Timestamp>> = self.ends().map(|when| when.instant(clock)).collect();
        let ends = ends?;
        ends.iter().min().copied().zip(ends.iter().max().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::log::scan_text;
    use crate::syntax::log::{ClockHints, Retention};

    #[test]
    fn pods_one_after_the_other_do_not_turn_the_log_around() {
        let line = |pod: &str, time: &str| {
            format!("[pod/{pod}/a] I1115 {time}.000001       1 a.go:1] \"m\" k=1\n")
        };
        let text = ["22:40:01", "22:58:01"].map(|time| line("one", time)).concat()
            + &["22:10:01", "22:30:01"].map(|time| line("two", time)).concat();
        let scan = scan_text(&text, &|_| Retention::Skip.into());
        assert_eq!(scan.extent.instants(None), None);
        let capture = "2026-11-20T00:00:00Z".parse().ok();
        let hints = ClockHints { capture, ..ClockHints::default() };
        let clock = LogClock::find(&scan.evidence, &hints);
        let (first, last) = scan.extent.instants(clock.as_ref()).expect("a year");
        assert_eq!(first.to_string(), "2026-11-15T22:10:01.000001Z");
        assert_eq!(last.to_string(), "2026-11-15T22:58:01.000001Z");
    }

    #[test]
    fn lines_with_a_year_count_as_well() {
        let text = "2026-11-15T22:10:00Z\tINFO\tStarting workers\n\
                    I1115 22:40:01.000001       1 a.go:1] \"m\" k=1\n";
        let scan = scan_text(text, &|_| Retention::Skip.into());
        let clock = LogClock::find(&scan.evidence, &ClockHints::default());
        let (first, last) = scan.extent.instants(clock.as_ref()).expect("a year");
        assert_eq!(first.to_string(), "2026-11-15T22:10:00Z");
        assert_eq!(last.to_string(), "2026-11-15T22:40:01.000001Z");
        assert!(scan_text("text\n", &|_| Retention::Skip.into()).extent.is_empty());
    }
}
