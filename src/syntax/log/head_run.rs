//! Klog heads of one hour that follow each other.
//!
//! Lines of a log are close to each other in time. What two heads of the same hour share needs to be read once, and of all of them
//! only the first, the last, the earliest and the latest matter: the others are checked, eight bytes at a time, and compared
//! as they are written. Invariant: what is noted of a run is what would be noted of its heads one by one.

use super::chunk_times::ChunkTimes;
use super::line_head::RecordLevel;
use super::time::Civil;
use crate::syntax::klog::TIME_LEN;

/// Level, date, time, and the blank after them.
pub(super) type HeadBytes = [u8; TIME_LEN];

/// The time within an hour, as a number that grows with it: the digits of minute, second and fraction, one in a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WithinHour(u128);

/// A run of heads.
#[derive(Debug)]
pub(super) struct HeadRun {
    /// Date and hour as they are written, with nothing in place of the level.
    hour: u64,
    /// The time of the first head, of which only minute, second and fraction are not those of all.
    first: Civil,
    earliest: WithinHour,
    latest: WithinHour,
    last: WithinHour,
}

impl HeadRun {
    /// Begins a run with a head whose time was read.
    pub(super) fn new(head: &HeadBytes, first: Civil) -> Option<Self> {
        let at = within_hour(head)?;
        Some(Self { hour: hour(head), first, earliest: at, latest: at, last: at })
    }

    /// Reads a head if it is of the same hour.
    #[inline]
    pub(super) fn read(&self, head: &HeadBytes) -> Option<(RecordLevel, WithinHour)> {
        if hour(head) != self.hour {
            return None;
        }
        Some((RecordLevel::from_klog(head[0])?, within_hour(head)?))
    }

    /// Goes on with a head that was read.
    #[inline]
    pub(super) fn go_on(&mut self, at: WithinHour) {
        self.last = at;
        if at < self.earliest {
            self.earliest = at;
        }
        if at > self.latest {
            self.latest = at;
        }
    }

    /// Takes note of the run, of which the first head is noted already.
    pub(super) fn end(&self, times: &mut ChunkTimes) {
        for at in [self.earliest, self.latest, self.last] {
            times.note_civil(self.civil(at));
        }
    }

    fn civil(&self, WithinHour(at): WithinHour) -> Civil {
        let [_, m, minute, _, s, second, _, _, _, fraction @ .., _] = at.to_be_bytes();
        let micros = fraction.into_iter().fold(0, |sum, digit| sum * 10 + u32::from(digit));
        Civil { minute: m * 10 + minute, second: s * 10 + second, micros, ..self.first }
    }
}

fn hour(head: &HeadBytes) -> u64 {
    let [level, one, two, three, four, five, six, seven, ..] = *head;
    u64::from_be_bytes([level, one, two, three, four, five, six, seven]) << 8
}

/// Reads `:44:08.010101 ` behind the hour; the fraction's first digit is read twice.
#[inline]
fn within_hour(head: &HeadBytes) -> Option<WithinHour> {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // What a byte must be, and how much may be added to its difference from that until it reaches 0x80: a mark differs in
    // nothing, a digit by at most nine, the first digit of a minute or a second by at most five.
    const MARK: u8 = 0x7F;
    const DIGIT: u8 = 0x80 - 10;
    const SIXTH: u8 = 0x80 - 6;
    let clock = [head[8], head[9], head[10], head[11], head[12], head[13], head[14], head[15]];
    let clock = u64::from_be_bytes(clock) ^ u64::from_be_bytes(*b":00:00.0");
    let clock_room = u64::from_be_bytes([MARK, SIXTH, DIGIT, MARK, SIXTH, DIGIT, MARK, DIGIT]);
    let fraction = [head[14], head[15], head[16], head[17], head[18], head[19], head[20], head[21]];
    let fraction = u64::from_be_bytes(fraction) ^ u64::from_be_bytes(*b".000000 ");
    let fraction_room = u64::from_be_bytes([MARK, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, MARK]);
    // A difference of 0x80 and more would carry over to the next byte; it is seen by itself.
    let beyond =
        clock | clock.wrapping_add(clock_room) | fraction | fraction.wrapping_add(fraction_room);
    let at = u128::from(clock) << 64 | u128::from(fraction);
    (beyond & (0x80 * EACH) == 0).then_some(WithinHour(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::klog::parse_time;
    use proptest::prelude::*;

    fn bytes(head: &str) -> Option<HeadBytes> {
        head.as_bytes().first_chunk::<TIME_LEN>().copied()
    }

    proptest! {
        #[test]
        fn heads_of_a_run_are_read_as_they_are_one_by_one(
            (minute, second, micros) in (0_u8..60, 0_u8..60, 0_u32..1_000_000),
            level in proptest::sample::select(vec!['I', 'W', 'E', 'F', 'X']),
            harm in proptest::option::of((0_usize..TIME_LEN, any::<u8>())),
        ) {
            let first = bytes("I1115 22:49:51.300000 ").unwrap();
            let run = HeadRun::new(&first, parse_time(&first).unwrap().1).unwrap();
            let mut head = bytes(&format!("{level}1115 22:{minute:02}:{second:02}.{micros:06} ")).unwrap();
            if let Some((at, byte)) = harm {
                head[at] = byte;
            }
            let found = run.read(&head).map(|(level, at)| (level, run.civil(at)));
            let expected = parse_time(&head).filter(|_| head[1..8] == first[1..8]);
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn the_order_of_heads_is_that_of_their_times(one in any::<(u8, u8, u32)>(), other in any::<(u8, u8, u32)>()) {
            let head = |(minute, second, micros): (u8, u8, u32)| {
                let (minute, second, micros) = (minute % 60, second % 60, micros % 1_000_000);
                bytes(&format!("I1115 22:{minute:02}:{second:02}.{micros:06} ")).unwrap()
            };
            let (one, other) = (head(one), head(other));
            let civil = |head: &HeadBytes| parse_time(head).unwrap().1;
            prop_assert_eq!(within_hour(&one).cmp(&within_hour(&other)), civil(&one).cmp(&civil(&other)));
        }
    }
}
