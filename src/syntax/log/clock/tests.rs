//! Year and zone by each step of the ladder.

use super::super::{GroupId, LogScan, Retention, scan_text};
use super::*;

fn scan(text: &str) -> LogScan {
    scan_text(text, &|_| Retention::Keep(GroupId(0)).into())
}

fn klog(time: &str) -> String {
    format!("I{time}.000000       1 a/b.go:1] \"m\" k=\"v\"\n")
}

fn find(text: &str, hints: &ClockHints) -> Option<LogClock> {
    LogClock::find(&scan(text).evidence, hints)
}

fn capture(at: &str) -> ClockHints {
    ClockHints { capture: Some(at.parse().unwrap()), ..ClockHints::default() }
}

fn utc(year: i16, year_from: YearSource) -> LogClock {
    LogClock::utc(year, year_from)
}

#[test]
fn nothing_tells_nothing() {
    assert_eq!(find(&klog("1115 22:44:08"), &ClockHints::default()), None);
    assert_eq!(find("", &capture("2026-11-15T23:00:00Z")), None);
}

#[test]
fn stamps_of_the_transport_tell_year_and_zone() {
    for (stamp, year, offset) in [
        ("2026-11-15T22:44:08.5Z", 2026, 0),
        ("2026-11-15T21:44:08.5Z", 2026, 3_600),
        ("2026-11-16T03:44:08.5Z", 2026, -5 * 3_600),
        ("2026-11-15T17:14:08.5Z", 2026, 19_800),
    ] {
        let text = format!("{stamp} {}", klog("1115 22:44:08")).repeat(3);
        let clock = find(&text, &ClockHints::default()).unwrap();
        assert_eq!((clock.year, clock.offset.seconds()), (year, offset), "{stamp}");
        assert_eq!(clock.zone_from, ZoneSource::Transport);
        let instant = scan(&text).records[0].when.instant(Some(&clock)).unwrap();
        assert_eq!(instant.as_second(), stamp.parse::<Timestamp>().unwrap().as_second());
    }
    // Local midnight of a New Year that has not yet come in UTC.
    let text = format!("2026-12-31T23:30:00.1Z {}", klog("0101 00:30:00"));
    let clock = find(&text, &ClockHints::default()).unwrap();
    assert_eq!((clock.year, clock.offset.seconds()), (2027, 3_600));
}

#[test]
fn a_constant_difference_to_the_stamps_is_the_offset_of_the_clock() {
    let line =
        |second: &str, stamp: &str| format!("{stamp} {}", klog(&format!("1115 22:44:{second}")));
    let ahead = |text: &str| find(text, &ClockHints::default()).unwrap().ahead.as_secs();
    let late = "2026-11-15T22:47:08Z";
    let text = line("08", "2026-11-15T22:43:33Z") + &line("09", "2026-11-15T22:43:34Z");
    assert_eq!(ahead(&text), 35);
    assert_eq!(ahead(&(text + &line("10", late))), 35, "one late line changes nothing");
    assert_eq!(ahead(&line("08", "2026-11-15T22:44:09.9Z")), 0, "lines take a moment");
    let behind = line("08", "2026-11-15T21:46:08Z").repeat(3);
    let clock = find(&behind, &ClockHints::default()).unwrap();
    assert_eq!((clock.offset.seconds(), clock.ahead.as_secs()), (3_600, -120), "beside the zone");
}

#[test]
fn a_stamp_that_contradicts_the_clock_outweighs_it() {
    let line = |stamp: &str| format!("{stamp} {}", klog("1115 22:44:08"));
    let text = line("2026-11-15T22:44:08Z").repeat(3) + &line("2026-11-15T23:44:08Z");
    let scan = scan(&text);
    let clock = LogClock::find(&scan.evidence, &ClockHints::default()).unwrap();
    let last = scan.records[3].when.instant(Some(&clock)).unwrap();
    assert_eq!(last.to_string(), "2026-11-15T23:44:08Z");
}

#[test]
fn zap_lines_between_klog_lines_tell_the_year_and_may_tell_the_zone() {
    let zap = "2026-11-15T22:44:09Z\tINFO\tStarting\n";
    let close = klog("1115 22:44:08") + zap + &klog("1115 22:44:10");
    let clock = find(&close, &ClockHints::default()).unwrap();
    assert_eq!(
        (clock.year, clock.offset, clock.zone_from),
        (2026, Offset::UTC, ZoneSource::Neighbours)
    );
    let local = klog("1115 23:44:08") + zap + &klog("1115 23:44:10");
    let clock = find(&local, &ClockHints::default()).unwrap();
    assert_eq!((clock.offset.seconds(), clock.zone_from), (3_600, ZoneSource::Neighbours));
    let wide = klog("1115 20:00:00") + zap;
    assert_eq!(find(&wide, &ClockHints::default()), Some(utc(2026, YearSource::Neighbours)));
}

#[test]
fn the_heading_of_a_klog_file_tells_the_year() {
    let text = format!("Log file created at: 2025/12/31 23:59:59\n{}", klog("0101 00:00:00"));
    assert_eq!(find(&text, &ClockHints::default()), Some(utc(2026, YearSource::FileHeading)));
}

#[test]
fn quoted_timestamps_tell_the_year() {
    let text = klog("1115 22:44:08").replace("\"v\"", "\"2026-11-15T22:44:07Z\"");
    assert_eq!(find(&text, &ClockHints::default()), Some(utc(2026, YearSource::Quoted)));
    let january = klog("0102 22:44:08").replace("\"v\"", "\"2026-11-15T22:44:07Z\"");
    assert_eq!(find(&january, &ClockHints::default()), Some(utc(2027, YearSource::Quoted)));
    let expiry = klog("1115 22:44:08").replace("\"v\"", "\"2036-11-15T22:44:07Z\"");
    let clock = find(&expiry, &capture("2026-11-16T00:00:00Z")).unwrap();
    assert_eq!(
        (clock.year, clock.year_from),
        (2026, YearSource::Capture),
        "the future is not quoted"
    );
}

#[test]
fn the_last_record_is_not_younger_than_the_capture() {
    let text = klog("1115 22:44:08");
    for (at, year) in [
        ("2026-11-15T23:00:00Z", 2026),
        ("2026-11-14T23:00:00Z", 2026),
        ("2026-11-10T00:00:00Z", 2025),
        ("2027-03-01T00:00:00Z", 2026),
    ] {
        assert_eq!(find(&text, &capture(at)), Some(utc(year, YearSource::Capture)), "{at}");
    }
}

#[test]
fn a_turn_of_the_year_counts_back_from_the_last_record() {
    let text = klog("1230 10:00:00") + &klog("1231 23:59:59") + &klog("0101 00:00:01");
    let scan = scan(&text);
    let clock = LogClock::find(&scan.evidence, &capture("2027-01-01T08:00:00Z")).unwrap();
    assert_eq!(clock.year, 2026);
    let instants: Vec<String> = (scan.records.iter())
        .map(|record| record.when.instant(Some(&clock)).unwrap().to_string())
        .collect();
    assert_eq!(instants, ["2026-12-30T10:00:00Z", "2026-12-31T23:59:59Z", "2027-01-01T00:00:01Z"]);
}

#[test]
fn a_leap_day_allows_only_leap_years() {
    let text = klog("0229 10:00:00") + &klog("0301 10:00:00");
    assert_eq!(find(&text, &capture("2027-01-01T08:00:00Z")), Some(utc(2024, YearSource::Capture)));
}

#[test]
fn the_name_of_a_rotated_file_and_its_modification_time_come_last() {
    let rotated = ClockHints::rotation_of("pods/x/0.log.20261115-225000.gz");
    assert_eq!(rotated.map(|at| at.to_string()).as_deref(), Some("2026-11-15T22:50:00"));
    assert_eq!(ClockHints::rotation_of("0.log"), None);
    assert_eq!(ClockHints::rotation_of("x.20269915-225000"), None);
    let modified = Some("2020-01-01T00:00:00Z".parse().unwrap());
    let both = ClockHints { rotated, modified, ..ClockHints::default() };
    let text = klog("1115 22:44:08");
    assert_eq!(find(&text, &both), Some(utc(2026, YearSource::Rotation)));
    let modified = ClockHints { rotated: None, ..both };
    assert_eq!(find(&text, &modified), Some(utc(2019, YearSource::Modified)));
}

#[test]
fn the_report_can_say_how_it_was_found() {
    let clock = utc(2026, YearSource::Capture);
    assert_eq!(clock.to_string(), "year from the capture time, zone assumed to be UTC");
}
