//! [`Scale`]: from moments to places on a drawing, with ticks at whole seconds, minutes or hours.
//!
//! What stands on the scale carries its place in hundred thousandths, so that the script can stretch the scale without
//! stretching the letters.

use jiff::Timestamp;

/// A stretch of time on a stretch of a drawing.
pub(super) struct Scale {
    from: Timestamp,
    milliseconds: i64,
    left: usize,
    right: usize,
}

/// The whole scale, in the parts that places are given in.
const WHOLE: i64 = 100_000;

/// Steps between ticks, in seconds.
const STEPS: [i64; 16] =
    [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 21_600, 86_400];

impl Scale {
    /// Puts a stretch of time between two places.
    pub(super) fn new(from: Timestamp, to: Timestamp, left: usize, right: usize) -> Self {
        let passed = to.duration_since(from).as_millis();
        let milliseconds = i64::try_from(passed).unwrap_or(i64::MAX / WHOLE).max(1);
        Self { from, milliseconds: milliseconds.min(i64::MAX / WHOLE), left, right }
    }

    /// Returns where a moment is, in hundred thousandths of the scale.
    pub(super) fn part(&self, at: Timestamp) -> i64 {
        let passed = i64::try_from(at.duration_since(self.from).as_millis()).unwrap_or_default();
        passed.clamp(0, self.milliseconds) * WHOLE / self.milliseconds
    }

    /// Returns where a moment is on the drawing.
    pub(super) fn x(&self, at: Timestamp) -> usize {
        let room = i64::try_from(self.right - self.left).unwrap_or_default();
        self.left + usize::try_from(self.part(at) * room / WHOLE).unwrap_or_default()
    }

    /// Returns some round moments, at most eight, and how they are written.
    pub(super) fn ticks(&self) -> Vec<(Timestamp, String)> {
        let seconds = self.milliseconds / 1000;
        let Some(step) = STEPS.iter().find(|step| seconds / **step <= 7) else { return Vec::new() };
        let format = if *step >= 86_400 {
            "%F"
        } else if *step >= 60 {
            "%H:%M"
        } else {
            "%T"
        };
        let first = (self.from.as_second().div_euclid(*step) + 1) * step;
        let last = self.from.as_second() + seconds;
        let mut ticks = Vec::new();
        let mut at = first;
        while at <= last {
            if let Ok(time) = Timestamp::from_second(at) {
                ticks.push((time, time.strftime(format).to_string()));
            }
            at += step;
        }
        ticks
    }
}

#[cfg(test)]
mod tests {
    use super::Scale;

    #[test]
    fn ticks_are_round_and_in_their_place() {
        let at = |text: &str| text.parse().expect("a moment");
        let scale = Scale::new(at("2026-11-16T12:49:58Z"), at("2026-11-16T12:51:42Z"), 100, 1000);
        let ticks = scale.ticks();
        let words: Vec<&str> = ticks.iter().map(|(_, words)| words.as_str()).collect();
        assert_eq!(words, ["12:50:00", "12:50:20", "12:50:40", "12:51:00", "12:51:20", "12:51:40"]);
        assert_eq!(scale.x(at("2026-11-16T12:49:58Z")), 100);
        assert_eq!(scale.x(at("2026-11-16T12:50:50Z")), 550);
        assert_eq!(scale.x(at("2026-11-17T00:00:00Z")), 1000);
        let same = Scale::new(at("2026-11-16T12:00:00Z"), at("2026-11-16T12:00:00Z"), 0, 10);
        assert_eq!(same.x(at("2026-11-16T12:00:00Z")), 0);
    }
}
