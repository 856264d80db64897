//! Whether a text may hold a stamp later than some moment, by a look at its characters.
//!
//! The clock wants the newest stamp of a bundle. Most objects hold none that is newer than what is known, and those that stay
//! text need not be read to see that.

use jiff::Timestamp;

/// How the moment of a stamp is written, without its fraction and zone.
const STAMP: &[u8; 19] = b"0000-00-00T00:00:00";

/// A moment, as stamps are written.
#[derive(Debug)]
pub(super) struct WrittenMoment {
    time: Timestamp,
    written: String,
}

impl WrittenMoment {
    /// Writes a moment as stamps are.
    pub(super) fn new(time: Timestamp) -> Self {
        Self { time, written: time.strftime("%Y-%m-%dT%H:%M:%S").to_string() }
    }

    /// Returns the moment itself.
    pub(super) fn time(&self) -> Timestamp {
        self.time
    }

    /// Says whether a text is a stamp as the API server writes it, and no later than the moment.
    pub(super) fn is_no_earlier_than(&self, stamp: &str) -> bool {
        let stamp = stamp.as_bytes().split_last_chunk::<1>();
        stamp.is_some_and(|(stamp, zone)| {
            zone == b"Z"
                && stamp.len() == STAMP.len()
                && is_stamp(stamp)
                && stamp <= self.written.as_bytes()
        })
    }

    /// Says whether some stamp in a text may be later; a stamp in another zone may.
    pub(super) fn is_before_some_of(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let letter = STAMP.iter().position(|&sign| sign == b'T').unwrap_or_default();
        memchr::memchr_iter(b'T', bytes).any(|at| {
            let start = at.checked_sub(letter);
            let stamp = start.and_then(|start| bytes.get(start..start + STAMP.len()));
            let behind = || bytes.get(at - letter + STAMP.len());
            stamp.filter(|stamp| is_stamp(stamp)).is_some_and(|stamp| match behind() {
                Some(b'Z') => stamp > self.written.as_bytes(),
                Some(b'.') => stamp >= self.written.as_bytes(),
                _ => true,
            })
        })
    }
}

fn is_stamp(text: &[u8]) -> bool {
    text.iter().zip(STAMP).all(|(byte, sign)| match sign {
        b'0' => byte.is_ascii_digit(),
        sign => byte == sign,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_be_later_counts() {
        let moment = WrittenMoment::new("2026-11-16T12:39:18.5Z".parse().expect("a time"));
        for later in [
            "startTime: \"2026-11-16T12:39:19Z\"",
            "True T a: 2026-11-16T12:39:18.7Z",
            "2026-11-16T01:00:00+02:00",
            "2027-01-01T00:00:00Z",
        ] {
            assert!(moment.is_before_some_of(later), "{later}");
        }
        for not in [
            "",
            "T",
            "2026-11-16T12:39:18Z",
            "2025-12-31T23:59:59.9Z",
            "2026-11-16 T12:39:19Z",
            "2026-11-16T12:39",
        ] {
            assert!(!moment.is_before_some_of(not), "{not}");
        }
    }

    #[test]
    fn a_stamp_that_is_no_later_is_known_without_reading_it() {
        let moment = WrittenMoment::new("2026-11-16T12:39:18.5Z".parse().expect("a time"));
        for earlier in ["2026-11-16T12:39:18Z", "2025-12-31T23:59:59Z"] {
            assert!(moment.is_no_earlier_than(earlier), "{earlier}");
        }
        for unsure in [
            "",
            "Z",
            "2026-11-16T12:39:19Z",
            "2026-11-16T12:39:18.2Z",
            "2026-11-16T12:39:18+00:00",
            "Mon, 16 Nov 2026 12:39:18 +0000",
            " 2026-11-16T12:39:18Z",
        ] {
            assert!(!moment.is_no_earlier_than(unsure), "{unsure}");
        }
    }
}
