//! The times that log lines carry, as they stand there.
//!
//! klog heads have neither year nor zone: [`Civil`]. zap lines, JSON lines and transports carry whole
//! instants. [`When`] holds what one record has; [`super::clock::LogClock`] makes instants of it.
//! Invariant: a `Civil` is only ever compared with one of the same log.

use std::ops::Range;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

/// Month, day and time of day in the zone of the process that wrote them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Civil {
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
    /// 0 to 999,999.
    pub micros: u32,
}

/// More days than this between two neighbouring records mean that a new year lies between them.
const HALF_A_YEAR: i32 = 183;

impl Civil {
    /// Returns the time in some leap year, or so many years after it: as good as any for comparing times of one log.
    pub fn in_some_year(self, turn: i16) -> Option<DateTime> {
        const SOME_YEAR: i16 = 2000;
        self.in_year(SOME_YEAR.checked_add(turn)?)
    }

    /// Returns the time in a given year, if that year has this day.
    pub fn in_year(self, year: i16) -> Option<DateTime> {
        let part = |number: u8| i8::try_from(number).ok();
        DateTime::new(
            year,
            part(self.month)?,
            part(self.day)?,
            part(self.hour)?,
            part(self.minute)?,
            part(self.second)?,
            i32::try_from(self.micros).ok()? * 1_000,
        )
        .ok()
    }

    /// Returns a number that grows with the time: comparing one number is faster than comparing six.
    pub(crate) fn order(self) -> u64 {
        let days = u64::from(self.month) << 5 | u64::from(self.day);
        let clock =
            u64::from(self.hour) << 12 | u64::from(self.minute) << 6 | u64::from(self.second);
        (days << 17 | clock) << 20 | u64::from(self.micros)
    }

    /// Says whether this is the day that only leap years have.
    pub fn is_leap_day(self) -> bool {
        self.month == 2 && self.day == 29
    }

    /// Returns by how many years the writer's calendar moved on from this record to the next one.
    ///
    /// Lines of several goroutines come a little out of order, so the way back over midnight of
    /// New Year's Eve is a turn as well, of minus one.
    pub(crate) fn turns_until(self, next: Self) -> i16 {
        let days = |at: Self| i32::from(at.month) * 31 + i32::from(at.day);
        match days(self) - days(next) {
            fallen if fallen > HALF_A_YEAR => 1,
            risen if risen < -HALF_A_YEAR => -1,
            _ => 0,
        }
    }
}

/// Everything that a record says about its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct When {
    /// The time in a klog head.
    pub civil: Option<Civil>,
    /// How many New Years lie between the first record of the log and this one.
    pub turn: i16,
    /// The instant in a zap or JSON line.
    pub own: Option<Timestamp>,
    /// The instant that the transport put in front of the line.
    pub stamp: Option<Timestamp>,
}

/// Returns the length of an RFC 3339 timestamp at the start of `bytes`, by its shape alone.
pub(crate) fn stamp_len(bytes: &[u8]) -> Option<usize> {
    let head = bytes.first_chunk::<19>()?;
    let shape = head.iter().enumerate().all(|(at, byte)| match at {
        4 | 7 => *byte == b'-',
        10 => *byte == b'T',
        13 | 16 => *byte == b':',
        _ => byte.is_ascii_digit(),
    });
    if !shape {
        return None;
    }
    let mut end = 19;
    if matches!(bytes.get(end), Some(b'.' | b',')) {
        end += 1 + digits(bytes.get(end + 1..)?);
    }
    match bytes.get(end)? {
        b'Z' => Some(end + 1),
        b'+' | b'-' => {
            let hours = digits(bytes.get(end + 1..)?);
            let minutes = match bytes.get(end + 1 + hours..)? {
                [b':', rest @ ..] if hours == 2 => 1 + digits(rest),
                _ => 0,
            };
            matches!((hours, minutes), (4 | 2, 0) | (2, 3)).then_some(end + 1 + hours + minutes)
        }
        _ => None,
    }
}

/// Returns how many ASCII digits stand at the start of `bytes`.
pub(crate) fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Reads an RFC 3339 timestamp of the shape that [`stamp_len`] accepts.
///
/// By hand, because a transport puts one in front of every line.
pub(crate) fn parse_stamp(text: &str) -> Option<Timestamp> {
    let bytes = text.as_bytes();
    let number = |range: Range<usize>| number(bytes.get(range)?);
    let part = |range: Range<usize>| i8::try_from(number(range)?).ok();
    let (fraction, zone) = match bytes.get(19)? {
        b'.' | b',' => {
            let len = digits(bytes.get(20..)?);
            // Further digits than nine are below what a Timestamp holds.
            let kept = u32::try_from(len.min(9)).ok()?;
            (number(20..20 + len.min(9))? * 10_i32.pow(9 - kept), 20 + len)
        }
        _ => (0, 19),
    };
    let offset = match bytes.get(zone..)? {
        b"Z" => Offset::UTC,
        [sign @ (b'+' | b'-'), rest @ ..] => {
            let (hours, minutes): (&[u8], &[u8]) = match rest {
                [_, _] => (rest, b"0"),
                [a @ .., _, _] if a.len() == 2 => (a, rest.get(2..)?),
                [a @ .., b':', _, _] if a.len() == 2 => (a, rest.get(3..)?),
                _ => return None,
            };
            let seconds = self::number(hours)? * 3_600 + self::number(minutes)? * 60;
            Offset::from_seconds(if *sign == b'-' { -seconds } else { seconds }).ok()?
        }
        _ => return None,
    };
    let year = i16::try_from(number(0..4)?).ok()?;
    let date = (part(5..7)?, part(8..10)?);
    // A leap second is read as the second before it.
    let clock = (part(11..13)?, part(14..16)?, part(17..19)?.min(59));
    let civil = DateTime::new(year, date.0, date.1, clock.0, clock.1, clock.2, fraction).ok()?;
    offset.to_timestamp(civil).ok()
}

/// Reads at most nine ASCII digits.
fn number(digits: &[u8]) -> Option<i32> {
    digits.iter().try_fold(0_i32, |sum, byte| {
        byte.is_ascii_digit().then(|| sum.checked_mul(10)?.checked_add(i32::from(byte - b'0')))?
    })
}

/// Turns the number of a JSON line into an instant: component-base writes milliseconds, zap seconds.
pub(crate) fn epoch(number: f64) -> Option<Timestamp> {
    // The first second that reads as a plausible count of milliseconds is in 1973, the last
    // plausible count of seconds in the year 5138.
    const FIRST_MILLISECOND: f64 = 1e11;
    let seconds = if number.abs() < FIRST_MILLISECOND { number } else { number / 1e3 };
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float beyond i64 saturates and is refused"
    )]
    let micros = (seconds * 1e6).round() as i64;
    Timestamp::from_microsecond(micros).ok()
}

/// Finds the timestamps that are quoted inside a text: RFC 3339, or as Go prints a `time.Time`.
pub(crate) fn stamps_in(text: &str) -> impl Iterator<Item = Timestamp> + '_ {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'-', bytes).filter_map(move |dash| {
        let start = dash.checked_sub(4)?;
        let tail = bytes.get(start..)?;
        if let Some(len) = stamp_len(tail) {
            return parse_stamp(text.get(start..start + len)?);
        }
        go_time(text.get(start..)?)
    })
}

/// Reads `2026-11-15 22:44:08.1 +0000 UTC`, as far as the offset.
fn go_time(text: &str) -> Option<Timestamp> {
    let bytes = text.as_bytes();
    let shaped = bytes.get(4) == Some(&b'-') && bytes.get(10) == Some(&b' ');
    let after = text.get(11..).filter(|_| shaped)?;
    let clock = after.find(' ')?;
    let offset = after.get(clock + 1..clock + 6)?;
    let date = text.get(..10)?;
    // A clock of more than 18 characters (nanoseconds) is something else.
    let clock = after.get(..clock).filter(|clock| clock.len() <= 18)?;
    format!("{date}T{clock}{offset}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_known_by_their_shape() {
        for (text, len) in [
            ("2026-11-15T22:49:51Z\tERROR", 20),
            ("2026-11-15T22:40:02.000000037Z stderr", 30),
            ("2026-11-15T22:40:02.000+0100 x", 28),
            ("2026-11-15T22:40:02+01:00 x", 25),
            ("2026-11-15T22:40:02.5-02 x", 24),
        ] {
            assert_eq!(stamp_len(text.as_bytes()), Some(len), "{text}");
            let oracle: Timestamp = text[..len].parse().unwrap();
            assert_eq!(parse_stamp(&text[..len]), Some(oracle), "{text}");
        }
        for text in
            ["2026-11-15 22:49:51Z", "2026-11-15T22:49:51", "2026-11-15T22:49:51+1", "", "20"]
        {
            assert_eq!(stamp_len(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_new_year_is_a_turn_in_both_directions() {
        let at = |month, day| Civil { month, day, hour: 0, minute: 0, second: 0, micros: 0 };
        assert_eq!(at(12, 31).turns_until(at(1, 1)), 1);
        assert_eq!(at(1, 1).turns_until(at(12, 31)), -1);
        assert_eq!(at(3, 1).turns_until(at(2, 28)), 0);
        assert_eq!(at(11, 15).turns_until(at(11, 16)), 0);
    }

    #[test]
    fn numbers_of_json_lines_are_seconds_or_milliseconds() {
        let expected: Timestamp = "2026-11-16T02:16:15.620605Z".parse().unwrap();
        assert_eq!(epoch(1_794_795_375_620.605), Some(expected));
        assert_eq!(epoch(1_794_795_375.620_605), Some(expected));
        assert_eq!(epoch(f64::MAX), None);
    }

    #[test]
    fn stamps_inside_values_are_found() {
        let text =
            r#"a="2026-11-15 22:44:08.123456789 +0000 UTC" b={"t":"2026-11-15T22:44:09Z"} c=1-2"#;
        let found: Vec<String> = stamps_in(text).map(|stamp| stamp.to_string()).collect();
        assert_eq!(found, ["2026-11-15T22:44:08.123456789Z", "2026-11-15T22:44:09Z"]);
    }
}
