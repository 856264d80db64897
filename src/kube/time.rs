//! Times and durations as Kubernetes and Go write them.

use jiff::{SignedDuration, Timestamp};

/// Reads RFC 3339 (`-o yaml`, describe of custom resources) or RFC 1123Z (built-in describers).
pub fn read_timestamp(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    text.parse()
        .ok()
        .or_else(|| jiff::fmt::rfc2822::parse(text).ok().map(|zoned| zoned.timestamp()))
}

/// The longest time that a Go duration can be: a 64-bit count of nanoseconds, about 2562047 hours.
pub const LONGEST_DURATION: SignedDuration = SignedDuration::from_nanos(i64::MAX);

/// Reads a Go duration such as `1h30m`, `90s`, `1.5h` or `0`; what Go would refuse as too long is longer than
/// [`LONGEST_DURATION`] here.
pub fn read_go_duration(text: &str) -> Option<SignedDuration> {
    let text = text.trim();
    if text == "0" {
        return Some(SignedDuration::ZERO);
    }
    let mut rest = text;
    let mut nanos = 0f64;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest.get(..digits)?.parse().ok()?;
        let tail = rest.get(digits..)?;
        let unit_len = tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len());
        nanos += number * unit_nanos(tail.get(..unit_len)?)?;
        rest = tail.get(unit_len..)?;
    }
    let time = || SignedDuration::try_from_secs_f64(nanos / 1e9).unwrap_or(SignedDuration::MAX);
    (!text.is_empty()).then(time)
}

/// Reads an age as kubectl prints it: `45s`, `9m15s`, `3h25m`, `2d4h`, `1y30d`.
pub fn read_age(text: &str) -> Option<SignedDuration> {
    let mut seconds = 0i64;
    let mut number = None;
    for c in text.trim().chars() {
        if let Some(digit) = c.to_digit(10) {
            number = Some(number.unwrap_or(0i64).checked_mul(10)?.checked_add(i64::from(digit))?);
            continue;
        }
        let unit = match c {
            's' => 1,
            'm' => 60,
            'h' => 3_600,
            'd' => 86_400,
            'y' => 365 * 86_400,
            _ => return None,
        };
        seconds = seconds.checked_add(number.take()?.checked_mul(unit)?)?;
    }
    (number.is_none() && !text.trim().is_empty()).then(|| SignedDuration::from_secs(seconds))
}

/// Reads an age as an interval: what is smaller than its last unit was cut off when it was printed.
pub fn read_age_range(text: &str) -> Option<(SignedDuration, SignedDuration)> {
    let least = read_age(text)?;
    let step = match text.trim().chars().next_back()? {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => 365 * 86_400,
    };
    Some((least, least.checked_add(SignedDuration::from_secs(step))?))
}

/// Prints a duration for people: at most two units, `9m 15s`, `3h 20m`, `2d 4h`.
pub fn show_duration(duration: SignedDuration) -> String {
    let total = duration.as_secs().max(0);
    let parts = [
        (total / 86_400, "d"),
        (total / 3_600 % 24, "h"),
        (total / 60 % 60, "m"),
        (total % 60, "s"),
    ];
    let first = parts.iter().position(|(number, _)| *number > 0).unwrap_or(3);
    let shown = parts.iter().skip(first).take(2).filter(|(number, _)| *number > 0 || first == 3);
    shown.map(|(number, unit)| format!("{number}{unit}")).collect::<Vec<_>>().join(" ")
}

/// Prints an instant as `2026-01-09 02:41:10Z`.
pub fn show_timestamp(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M:%SZ").to_string()
}

/// Prints the time of day of an instant as `02:41:10Z`.
pub fn show_clock(time: Timestamp) -> String {
    time.strftime("%H:%M:%SZ").to_string()
}

fn unit_nanos(unit: &str) -> Option<f64> {
    Some(match unit {
        "ns" => 1.0,
        "us" | "µs" | "μs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "m" => 60e9,
        "h" => 3_600e9,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_durations_and_ages_are_read() {
        assert_eq!(read_go_duration("1h30m"), Some(SignedDuration::from_secs(5_400)));
        assert_eq!(read_go_duration("1.5m"), Some(SignedDuration::from_secs(90)));
        assert_eq!(read_go_duration("0"), Some(SignedDuration::ZERO));
        assert_eq!(read_go_duration("500ms"), Some(SignedDuration::from_millis(500)));
        assert!(read_go_duration("2562047h").is_some_and(|time| time < LONGEST_DURATION));
        assert!(read_go_duration("2562048h").is_some_and(|time| time > LONGEST_DURATION));
        assert_eq!(read_go_duration(&format!("{}h", "9".repeat(400))), Some(SignedDuration::MAX));
        assert_eq!(read_go_duration("5"), None);
        assert_eq!(read_go_duration(""), None);
        assert_eq!(read_age("3h25m"), Some(SignedDuration::from_secs(12_300)));
        assert_eq!(read_age("2d"), Some(SignedDuration::from_secs(172_800)));
        assert_eq!(read_age("<unknown>"), None);
    }

    #[test]
    fn times_of_both_describers_are_read() {
        let expected = "2026-11-15T22:44:08Z".parse().ok();
        assert_eq!(read_timestamp("2026-11-15T22:44:08Z"), expected);
        assert_eq!(read_timestamp("Sun, 15 Nov 2026 22:44:08 +0000"), expected);
        assert_eq!(read_timestamp("yesterday"), None);
    }

    #[test]
    fn durations_are_shown_in_two_units() {
        assert_eq!(show_duration(SignedDuration::from_secs(555)), "9m 15s");
        assert_eq!(show_duration(SignedDuration::from_secs(0)), "0s");
        assert_eq!(show_duration(SignedDuration::from_secs(7_200)), "2h");
        assert_eq!(show_duration(SignedDuration::from_secs(187_200)), "2d 4h");
    }
}
