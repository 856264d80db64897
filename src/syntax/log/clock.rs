//! [`LogClock`]: the year and the zone that klog heads lack.
//!
//! A pure step after scanning. It asks, in this order: the transport's timestamps, zap lines between
//! klog lines, the heading of klog's own file, timestamps quoted in values, the capture clock, the
//! rotation in the file name, the file's modification time. It says which of them answered.
//! Until then times are civil and are not to be compared over files.

use std::fmt;

use jiff::civil::DateTime;
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

pub use super::clock_evidence::ClockEvidence;
use super::clock_evidence::{Bracket, CivilMoment};
use super::time::{When, digits};

/// What is known about a log from outside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ClockHints {
    /// The capture clock: no record is younger.
    pub capture: Option<Timestamp>,
    /// When the file was rotated, by its name (see [`ClockHints::rotation_of`]).
    pub rotated: Option<DateTime>,
    /// When the file was last written, where the archive kept that.
    pub modified: Option<Timestamp>,
}

impl ClockHints {
    /// Reads the moment of rotation from a file name such as `0.log.20261115-225000.gz`.
    pub fn rotation_of(path: &str) -> Option<DateTime> {
        let stamp = path.split('.').rev().find(|part| {
            let bytes = part.as_bytes();
            bytes.len() == 15 && digits(bytes) == 8 && bytes.get(8) == Some(&b'-')
        })?;
        DateTime::strptime("%Y%m%d-%H%M%S", stamp).ok()
    }
}

/// What told the year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum YearSource {
    /// The timestamps in front of the lines.
    Transport,
    /// zap or JSON lines of the same log.
    Neighbours,
    /// The first line of a file that klog wrote itself.
    FileHeading,
    /// Timestamps quoted in values.
    Quoted,
    /// The newest trustworthy timestamp of the bundle.
    Capture,
    /// The rotation in the file name.
    Rotation,
    /// The modification time of the file.
    Modified,
}

impl fmt::Display for YearSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Transport => "year from the timestamps in front of the lines",
            Self::Neighbours => "year from lines of another format in the same log",
            Self::FileHeading => "year from the heading of the log file",
            Self::Quoted => "year from timestamps quoted in the log",
            Self::Capture => "year from the capture time",
            Self::Rotation => "year from the rotation in the file name",
            Self::Modified => "year from the modification time of the file",
        })
    }
}

/// What told the zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ZoneSource {
    /// A constant difference to the timestamps in front of the lines.
    Transport,
    /// Lines of another format in the same log leave no other zone.
    Neighbours,
    /// Nothing: UTC is assumed, which is what the agents' images use.
    Assumed,
}

impl fmt::Display for ZoneSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Transport => "zone from the timestamps in front of the lines",
            Self::Neighbours => "zone from lines of another format in the same log",
            Self::Assumed => "zone assumed to be UTC",
        })
    }
}

/// The year and the zone of a log's civil times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogClock {
    /// The year of the log's first record.
    pub year: i16,
    /// The zone of the process that wrote it.
    pub offset: Offset,
    /// What told the year.
    pub year_from: YearSource,
    /// What told the zone.
    pub zone_from: ZoneSource,
    /// How far the process's clock is ahead of the timestamps in front of its lines, the zone left out; zero
    /// without such timestamps.
    pub ahead: SignedDuration,
}

impl fmt::Display for LogClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let year = self.year_from.to_string();
        let zone = self.zone_from.to_string();
        match (year.strip_prefix("year "), zone.strip_prefix("zone ")) {
            (Some(same), Some(other)) if same == other => write!(f, "year and zone {same}"),
            _ => write!(f, "{year}, {zone}"),
        }
    }
}

/// Zones lie between UTC-12 and UTC+14, in steps of a quarter of an hour.
const QUARTER: i64 = 15 * 60;
const ZONES: std::ops::RangeInclusive<i64> = -12 * 4..=14 * 4;

/// How far a record may lie behind the moment that is to bound it: its zone is not known yet.
const SLACK: SignedDuration = SignedDuration::from_hours(24);

/// zap writes whole seconds, and lines of two writers swap places.
const JITTER: i64 = 2;

/// A timestamp that differs more than this from its own line outweighs the clock of the log.
const DISAGREEMENT: SignedDuration = SignedDuration::from_mins(10);

impl LogClock {
    /// Finds year and zone, if the log has civil times and anything tells the year.
    pub fn find(evidence: &ClockEvidence, hints: &ClockHints) -> Option<Self> {
        let (_, last) = evidence.ends?;
        by_transport(evidence)
            .or_else(|| by_neighbours(evidence))
            .or_else(|| by_heading(evidence))
            .or_else(|| by_quotes(evidence, hints.capture))
            .or_else(|| {
                let capture = hints.capture.map(|at| Offset::UTC.to_datetime(at));
                not_after(last, capture?, evidence.leap).map(|y| Self::utc(y, YearSource::Capture))
            })
            .or_else(|| {
                let year = not_after(last, hints.rotated?, evidence.leap);
                year.map(|year| Self::utc(year, YearSource::Rotation))
            })
            .or_else(|| {
                let modified = hints.modified.map(|at| Offset::UTC.to_datetime(at));
                not_after(last, modified?, evidence.leap)
                    .map(|y| Self::utc(y, YearSource::Modified))
            })
    }

    fn utc(year: i16, year_from: YearSource) -> Self {
        let zone_from = ZoneSource::Assumed;
        Self { year, offset: Offset::UTC, year_from, zone_from, ahead: SignedDuration::ZERO }
    }

    fn resolve(&self, (civil, turn): CivilMoment) -> Option<Timestamp> {
        let local = civil.in_year(self.year.checked_add(turn)?)?;
        self.offset.to_timestamp(local).ok()
    }
}

impl When {
    /// Returns the instant of the record, if its line or the clock of its log tells it.
    pub fn instant(&self, clock: Option<&LogClock>) -> Option<Timestamp> {
        let by_clock = || {
            let found = clock?.resolve((self.civil?, self.turn))?;
            let near = |stamp: Timestamp| found.duration_since(stamp).abs() <= DISAGREEMENT;
            Some(found).filter(|_| self.stamp.is_none_or(near))
        };
        self.own.or_else(by_clock).or(self.stamp)
    }
}

/// The year that brings a civil time closest to an instant, and the seconds it then lies ahead.
fn nearest(moment: CivilMoment, instant: Timestamp) -> Option<(i16, i64)> {
    let around = Offset::UTC.to_datetime(instant).year();
    let candidates = (around - 1..=around + 1).filter_map(|year| {
        let local = Offset::UTC.to_timestamp(moment.0.in_year(year)?).ok()?;
        Some((year.checked_sub(moment.1)?, local.as_second() - instant.as_second()))
    });
    candidates.min_by_key(|(_, ahead)| ahead.abs())
}

fn offset_of(quarters: i64) -> Option<Offset> {
    Offset::from_seconds(i32::try_from(quarters * QUARTER).ok()?).ok()
}

fn by_transport(evidence: &ClockEvidence) -> Option<LogClock> {
    let votes = evidence.stamped.iter().filter_map(|(moment, stamp)| {
        let (year, ahead) = nearest(*moment, *stamp)?;
        let quarters = (ahead + QUARTER / 2).div_euclid(QUARTER);
        ZONES.contains(&quarters).then_some((year, quarters, ahead - quarters * QUARTER))
    });
    let votes: Vec<(i16, i64, i64)> = votes.collect();
    let zone = most_frequent(votes.iter().map(|(year, quarters, _)| (*year, *quarters)))?;
    let agreeing = votes.iter().filter(|(year, quarters, _)| (*year, *quarters) == zone);
    let mut differences: Vec<i64> = agreeing.map(|(.., seconds)| *seconds).collect();
    differences.sort_unstable();
    // A line may be late on its way; the one in the middle is not.
    let middle = differences.get(differences.len() / 2).copied().unwrap_or_default();
    let ahead = SignedDuration::from_secs(if middle.abs() > JITTER { middle } else { 0 });
    let (year_from, zone_from) = (YearSource::Transport, ZoneSource::Transport);
    Some(LogClock { year: zone.0, offset: offset_of(zone.1)?, year_from, zone_from, ahead })
}

/// A line between two klog lines leaves only the zones that keep it between them.
fn by_neighbours(evidence: &ClockEvidence) -> Option<LogClock> {
    let ahead = |bracket: &Bracket, side: Option<CivilMoment>| {
        let (year, ahead) = nearest(side?, bracket.instant)?;
        Some((year, ahead))
    };
    let mut years = Vec::new();
    let (mut lowest, mut highest) = (i64::MIN, i64::MAX);
    for bracket in &evidence.brackets {
        if let Some((year, ahead)) = ahead(bracket, bracket.before) {
            years.push(year);
            lowest = lowest.max(ahead - JITTER);
        }
        if let Some((year, ahead)) = ahead(bracket, bracket.after) {
            years.push(year);
            highest = highest.min(ahead + JITTER);
        }
    }
    let year = most_frequent(years.into_iter())?;
    let fits = |quarters: &i64| (lowest..=highest).contains(&(quarters * QUARTER));
    let zones: Vec<i64> = ZONES.filter(fits).collect();
    let (quarters, zone_from) = match zones.as_slice() {
        [only] => (*only, ZoneSource::Neighbours),
        _ => (0, ZoneSource::Assumed),
    };
    let (year_from, ahead) = (YearSource::Neighbours, SignedDuration::ZERO);
    Some(LogClock { year, offset: offset_of(quarters)?, year_from, zone_from, ahead })
}

/// klog writes the heading just before the first record.
fn by_heading(evidence: &ClockEvidence) -> Option<LogClock> {
    let created = Offset::UTC.to_timestamp(evidence.created?).ok()?;
    let (first, _) = evidence.ends?;
    Some(LogClock::utc(nearest(first, created)?.0, YearSource::FileHeading))
}

/// Values speak of the past: a record is not older than the newest timestamp that it quotes.
fn by_quotes(evidence: &ClockEvidence, capture: Option<Timestamp>) -> Option<LogClock> {
    let possible = |stamp: Timestamp| capture.is_none_or(|c| stamp.duration_since(c) <= SLACK);
    let votes = evidence.quoted.iter().filter(|(_, stamp)| possible(*stamp));
    let votes = votes.filter_map(|((civil, turn), stamp)| {
        let oldest = Offset::UTC.to_datetime(*stamp).checked_sub(SLACK).ok()?;
        let years = oldest.year()..=oldest.year().checked_add(1)?;
        let mut fitting = years.filter(|y| civil.in_year(*y).is_some_and(|at| at >= oldest));
        fitting.next()?.checked_sub(*turn)
    });
    let year = most_frequent(votes.filter(|year| has_leap_day(*year, evidence.leap)))?;
    Some(LogClock::utc(year, YearSource::Quoted))
}

/// The latest year that does not put the last record behind a moment.
fn not_after(last: CivilMoment, moment: DateTime, leap: Option<i16>) -> Option<i16> {
    // Two leap years are at most eight years apart.
    const LEAP_YEARS_APART: i16 = 8;
    let limit = moment.checked_add(SLACK).ok()?;
    let years = (limit.year() - LEAP_YEARS_APART..=limit.year()).rev();
    let mut fitting = years.filter_map(|year| {
        last.0.in_year(year).filter(|at| *at <= limit)?;
        year.checked_sub(last.1)
    });
    fitting.find(|year| has_leap_day(*year, leap))
}

fn has_leap_day(year: i16, leap: Option<i16>) -> bool {
    let is_leap = |year: i16| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    leap.is_none_or(|turn| year.checked_add(turn).is_some_and(is_leap))
}

/// The value with most votes; of several, the greatest.
fn most_frequent<T: Ord + Copy>(votes: impl Iterator<Item = T>) -> Option<T> {
    let mut votes: Vec<T> = votes.collect();
    votes.sort_unstable();
    let groups = votes.chunk_by(|a, b| a == b);
    groups.max_by_key(|group| group.len())?.first().copied()
}

#[cfg(test)]
mod tests;
