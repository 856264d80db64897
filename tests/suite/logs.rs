//! The log reader on real logs: every format, every transport, counts, what is kept, and how.

mod files;
mod harm;
mod naive;
mod property;
mod told;

use std::path::{Path, PathBuf};

use fleetlens::internals::source::{Encoding, Origin, Sources};
use fleetlens::internals::syntax::log::{
    FieldValue, GroupId, LogClock, LogScan, Record, RecordDecision, RecordHead, Retention,
    ScanOptions, ScannedLog, Transport, Writer, looks_like_log, scan_log, scan_log_with, scan_text,
};

use crate::bless;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/syntax/log")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn keep_all(_: &RecordHead<'_>) -> RecordDecision {
    Retention::Keep(GroupId(0)).into()
}

fn scan(text: &str) -> ScannedLog {
    scan_log(&mut text.as_bytes(), &keep_all)
}

/// Prints a record as it was understood: what its fields hold, not how they are written.
fn print_record(text: &str, record: &Record) -> String {
    let open = record.open(text);
    let head = open.head().expect("a kept record has a head");
    let mut out = match (record.when.civil, record.when.own) {
        (Some(at), _) => format!(
            "{:02}-{:02} {:02}:{:02}:{:02}.{:06}",
            at.month, at.day, at.hour, at.minute, at.second, at.micros
        ),
        (None, own) => own.map_or_else(|| "-".to_owned(), |own| own.to_string()),
    };
    let level = record.level.map_or_else(|| "-".to_owned(), |level| format!("{level:?}"));
    out += &format!(
        " {level} {}:{} {}| {}\n",
        head.file(),
        head.file_line(),
        head.logger(),
        visible(&open.message())
    );
    for field in open.fields() {
        let kind = match field.value {
            FieldValue::Text(_) => "",
            FieldValue::Raw(_) => " (raw)",
            FieldValue::Cut(_) => " (cut)",
        };
        out += &format!("    {}{kind}: {}\n", field.key, visible(field.value.as_str()));
    }
    let further = open.text().lines().skip(1).map(str::trim_start);
    out + &further.map(|line| format!("    + {line}\n")).collect::<String>()
}

/// Shows control characters.
fn visible(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { c.escape_default().to_string() } else { c.into() })
        .collect()
}

fn print_records(text: &str, scan: &LogScan) -> Vec<String> {
    scan.records.iter().map(|record| print_record(text, record)).collect()
}

#[test]
fn every_form_is_read_as_the_goldens_say() {
    let mut troubles = Vec::new();
    for name in bless::names_in(folder()) {
        let path = folder().join(&name);
        if path.extension().is_none_or(|extension| extension != "log") {
            continue;
        }
        let log = scan(&read(&name));
        let counts = log.scan.counts;
        let cut = (log.scan.head_cut, log.scan.tail_cut);
        let head = format!("{counts:?}\ncut: {cut:?}\n\n");
        // Whole agents' logs are judged by their counts alone.
        let is_form = !name.contains("agent");
        let records = if is_form { print_records(&log.text, &log.scan) } else { Vec::new() };
        let actual = head + &records.concat();
        troubles.extend(bless::golden(&path.with_extension("records"), &actual).err());
    }
    bless::report(troubles);
}

#[test]
fn every_transport_carries_the_same_records() {
    let plain = read("stuck.log");
    let expected = print_records(&plain, &scan_text(&plain, &keep_all));
    assert_eq!(expected.len(), 20);
    let pod = Writer {
        namespace: Some("fleet-system".into()),
        pod: Some("hub-agent-6b9f7c5d4-x2k7p".into()),
        container: Some("hub-agent".into()),
    };
    let prefix = Writer { namespace: None, ..pod.clone() };
    for (name, transports, writers) in [
        ("crlf", vec![], vec![]),
        ("prefix", vec![Transport::Prefix], vec![prefix.clone()]),
        ("timestamps", vec![Transport::Timestamps], vec![]),
        ("prefix-timestamps", vec![Transport::Prefix, Transport::Timestamps], vec![prefix]),
        ("cri", vec![Transport::Cri], vec![]),
        ("docker", vec![Transport::Docker], vec![]),
        ("collect-logs", vec![Transport::Cri, Transport::CollectLogs], vec![pod.clone()]),
        ("cluster-info-dump", vec![Transport::ClusterInfoDump], vec![pod]),
    ] {
        let text = read(&format!("transport/{name}.log"));
        let log = scan(&text);
        assert_eq!(print_records(&log.text, &log.scan), expected, "{name}");
        assert_eq!(log.scan.transports.iter().collect::<Vec<_>>(), transports, "{name}");
        assert_eq!(log.scan.writers, writers, "{name}");
        assert!(looks_like_log(text.as_bytes()), "{name}");
        let here = scan_text(&text, &keep_all);
        assert_eq!(print_records(&text, &here), expected, "{name} in place");
        let stamped = log.scan.records.iter().filter(|record| record.when.stamp.is_some()).count();
        let has_stamps =
            ["timestamps", "cri", "docker", "collect"].iter().any(|t| name.contains(t));
        assert_eq!(stamped, if has_stamps { 20 } else { 0 }, "{name}");
        let named = log.scan.records.iter().filter(|record| record.writer.is_some()).count();
        assert_eq!(named, if log.scan.writers.is_empty() { 0 } else { 20 }, "{name}");
    }
}

#[test]
fn leads_of_pastes_and_other_tools_are_taken_off() {
    let plain = read("stuck.log");
    let expected = print_records(&plain, &scan_text(&plain, &keep_all));
    for (lead, transport) in [
        ("    ", Transport::Quoted),
        ("> ", Transport::Quoted),
        ("hub-agent-6b9f7c5d4-x2k7p hub-agent ", Transport::Stern),
        ("Nov 15 22:44:08 node-1 hub-agent[1]: ", Transport::Journald),
    ] {
        let text: String = plain.lines().map(|line| format!("{lead}{line}\n")).collect();
        let found = scan_text(&text, &keep_all);
        assert_eq!(print_records(&text, &found), expected, "{lead}");
        assert_eq!(found.transports.iter().collect::<Vec<_>>(), [transport]);
        let log = scan(&text);
        assert_eq!(print_records(&log.text, &log.scan), expected, "{lead} streamed");
    }
}

#[test]
fn ranges_point_at_the_characters_through_every_transport() {
    for name in bless::names_in(folder().join("transport")) {
        let text = read(&format!("transport/{name}"));
        let log = scan(&text);
        let stuck = |record: &&Record| record.open(&log.text).message().starts_with("Time waiting");
        let record = log.scan.records.iter().find(stuck).expect("the record of the stuck run");
        let open = record.open(&log.text);
        let slice =
            |range: std::ops::Range<u32>| &log.text[range.start as usize..range.end as usize];
        let threshold = open.field("threshold").expect("a key");
        assert_eq!(slice(threshold.key_range), "threshold", "{name}");
        assert_eq!(slice(threshold.range).replace('\\', ""), "\"5m0s\"", "{name}");
        assert_eq!(slice(open.caller_range()), "updaterun/execution.go:275", "{name}");
        // This key is where the runtime split the line: the range covers what stands between.
        let elapsed = open.field("time elapsed").expect("a key with a blank");
        let range = slice(elapsed.key_range);
        assert!(range.starts_with("time elapse") && range.ends_with('d'), "{name}: {range}");
        assert_eq!(elapsed.value.as_str(), "5m43.201377s");
        // The line in the original file says so, too.
        let line = text.lines().nth(record.line as usize - 1).unwrap();
        assert!(line.contains("Time waiting for cluster update"), "{name}: {line}");
    }
}

#[test]
fn a_cut_log_says_so() {
    let stuck = read("stuck.log");
    let whole = scan(&stuck);
    assert_eq!((whole.scan.head_cut, whole.scan.tail_cut), (false, false));
    let from = stuck.find("roller\t").unwrap();
    let headless = scan(&stuck[from..]);
    assert!(headless.scan.head_cut);
    assert_eq!((headless.scan.counts.unparsed, headless.scan.counts.records), (1, 18));
    let to = stuck.find("5m43.2").unwrap();
    assert!(scan(&stuck[..to]).scan.tail_cut);
    let trimmed = scan(stuck.trim_end());
    assert!(!trimmed.scan.tail_cut, "a missing line break alone is no cut");
    let cri = read("transport/cri.log");
    let partial = cri.find("rKind\"").unwrap() - "2026-11-15T22:40:02.000000037Z stderr F ".len();
    assert!(scan(&cri[..partial]).scan.tail_cut, "an unfinished line is a cut");
}

#[test]
fn what_is_kept_fits_a_sparse_source() {
    let text = read("hub-agent.log");
    let interest = |head: &RecordHead<'_>| match head.message().as_ref() {
        "Reconciler error" => Retention::Keep(GroupId(1)).into(),
        "Failed to update cluster profile status" => Retention::Keep(GroupId(2)).into(),
        "Reconciliation starts (cluster profile controller)" => Retention::Count(GroupId(3)).into(),
        _ => Retention::Skip.into(),
    };
    let log = scan_log(&mut text.as_bytes(), &interest);
    let lines: Vec<&str> = text.lines().collect();
    let wanted: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].contains("rror")).collect();
    assert!(log.scan.counts.kept >= 2, "{:?}", log.scan.counts);
    assert!(!wanted.is_empty());

    let mut sources = Sources::default();
    let numbers = log.line_numbers.clone();
    let id = sources.add_sparse("x", Origin::default(), Encoding::Utf8, log.text.as_str(), numbers);
    let file = sources.get(id);
    assert_eq!(file.line_count(), log.line_numbers.len());
    for index in 0..file.line_count() {
        let number = file.line_number(index) as usize;
        let original = lines[number - 1];
        let kept = file.slice(file.line_span(index));
        assert!(original.starts_with(kept), "line {number}");
    }
    for record in &log.scan.records {
        let first = file.position(record.range().start);
        assert_eq!((first.line, first.column), (record.line, 1));
        // One line around each.
        assert!(record.line == 1 || log.line_numbers.contains(&(record.line - 1)));
        let last = file.position(record.range().end).line;
        assert!(last as usize == lines.len() || log.line_numbers.contains(&(last + 1)));
    }
    let zap = log.scan.records.iter().find(|record| record.template == GroupId(1)).unwrap();
    assert_eq!(zap.open(&log.text).text().lines().count(), 7, "the stack trace is part of it");
    let counted = log.scan.templates[&GroupId(3)];
    assert_eq!(counted.kept, 0);
    let naive =
        lines.iter().filter(|line| line.contains("\"Reconciliation starts (cluster")).count();
    assert_eq!(counted.seen, naive as u64);
}

#[test]
fn a_stack_trace_that_klog_lines_cut_apart_stays_with_its_record() {
    let klog = "I1115 22:49:51.300000       1 a/b.go:1] \"other\" k=\"v\"";
    let text = format!(
        "2026-11-15T22:49:51Z\tERROR\tReconciler error\t{{\"error\": \"x\"}}\nmain.one\n{klog}\n\t/x/one.go:1\nmain.two\n{klog}\n{klog}\n\t/x/two.go:2\n"
    );
    let log = scan(&text);
    assert_eq!(log.scan.counts.records, 4);
    assert_eq!(log.scan.counts.continued, 4);
    let zap = &log.scan.records[0];
    assert_eq!(zap.parts.len(), 3);
    let open = zap.open(&log.text);
    let trace: Vec<&str> = open.text().lines().skip(1).map(str::trim).collect();
    assert_eq!(trace, ["main.one", "/x/one.go:1", "main.two", "/x/two.go:2"]);
    assert!(log.scan.records[1..].iter().all(|record| record.parts.len() == 1));
}

#[test]
fn lines_of_several_pods_and_streams_do_not_mix() {
    let head = "I1115 22:49:51.300000       1 a/b.go:1]";
    let text = format!(
        "[pod/a/c] {head} \"one\" k=<\n[pod/b/c] {head} \"two\" k=<\n[pod/a/c] \tof one\n[pod/b/c] \tof two\n[pod/a/c]  >\n[pod/b/c]  >\n"
    );
    let log = scan(&text);
    let values: Vec<String> = (log.scan.records.iter())
        .map(|record| record.open(&log.text).field("k").unwrap().value.as_str().to_owned())
        .collect();
    assert_eq!(values, ["of one", "of two"]);
    assert_eq!(
        log.scan.records.iter().map(|record| record.writer).collect::<Vec<_>>(),
        [Some(0), Some(1)]
    );

    let stamp = "2026-11-15T22:40:02.000000037Z";
    let text = format!(
        "{stamp} stderr P {head} \"err\nx\n{stamp} stdout P {head} \"out\n{stamp} stderr F or\" a=1\n{stamp} stdout F put\" b=2\n"
    )
    .replace("\nx\n", "\n");
    let log = scan(&text);
    let messages: Vec<String> = (log.scan.records.iter())
        .map(|record| record.open(&log.text).message().into_owned())
        .collect();
    assert_eq!(messages, ["error", "output"]);
    assert_eq!(log.scan.counts.joined, 2);
}

#[test]
fn hot_lines_are_bounded_and_still_counted() {
    let lines = 10_000;
    let text: String = (0..lines)
        .map(|n| format!("I1115 22:49:51.{n:06}       1 a/b.go:1] \"hot\" n={n}\n"))
        .collect();
    let options =
        ScanOptions { keep_first: 3, keep_last: 2, chunk_bytes: 4096, ..Default::default() };
    let log = scan_log_with(&mut text.as_bytes(), &keep_all, &options);
    let kept: Vec<String> = (log.scan.records.iter())
        .map(|record| record.open(&log.text).field("n").unwrap().value.as_str().to_owned())
        .collect();
    assert_eq!(kept, ["0", "1", "2", "9998", "9999"]);
    let count = log.scan.templates[&GroupId(0)];
    assert_eq!((count.seen, count.kept), (lines, 5));
    assert_eq!((count.first_line, count.last_line), (1, 10_000));
    assert_eq!((log.scan.counts.kept, log.scan.counts.dropped), (5, lines - 5));
    assert_eq!(log.line_numbers, [1, 2, 3, 4, 9998, 9999, 10_000]);

    let options = ScanOptions { kept_bytes: 4096, ..Default::default() };
    let log = scan_log_with(&mut text.as_bytes(), &keep_all, &options);
    assert!(log.text.len() < 8192, "{}", log.text.len());
    assert_eq!(log.scan.templates[&GroupId(0)].seen, lines);
    assert_eq!(log.scan.counts.kept + log.scan.counts.dropped, lines);
}

#[test]
fn a_line_of_any_length_is_survived() {
    let value = "x".repeat(100_000);
    let text = format!(
        "I1115 22:49:51.300000       1 a/b.go:1] \"long\" v=\"{value}\" w=1\nI1115 22:49:52.300000       1 a/b.go:1] \"next\"\n"
    );
    let log = scan(&text);
    let open = log.scan.records[0].open(&log.text);
    assert_eq!(open.field("v").unwrap().value.as_str().len(), 100_000);
    assert_eq!(open.field("w").unwrap().value.as_str(), "1");

    let options = ScanOptions { line_bytes: 1000, chunk_bytes: 512, ..Default::default() };
    let log = scan_log_with(&mut text.as_bytes(), &keep_all, &options);
    assert_eq!((log.scan.counts.long, log.scan.counts.records, log.scan.counts.lines), (1, 2, 2));
    let open = log.scan.records[0].open(&log.text);
    assert!(matches!(open.field("v").unwrap().value, FieldValue::Cut(_)));
}

#[test]
fn a_reader_that_fails_keeps_what_was_read() {
    struct Broken(bool);
    impl std::io::Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                return Err(std::io::Error::other("corrupt deflate stream"));
            }
            let line = b"I1115 22:49:51.300000       1 a/b.go:1] \"one\"\n";
            buffer[..line.len()].copy_from_slice(line);
            Ok(line.len())
        }
    }
    let log = scan_log(&mut Broken(false), &keep_all);
    assert_eq!(log.scan.counts.records, 1);
    assert_eq!(log.read_error.as_deref(), Some("corrupt deflate stream"));
    assert!(log.scan.tail_cut);
}

#[test]
fn times_become_instants_once_the_clock_is_known() {
    let log = scan(&read("transport/cri.log"));
    let clock =
        LogClock::find(&log.scan.evidence, &Default::default()).expect("stamps tell the year");
    assert_eq!((clock.year, clock.offset.seconds()), (2026, 0));
    let at = log.scan.records[3].when.instant(Some(&clock)).unwrap();
    assert_eq!(at.to_string(), "2026-11-15T22:42:51.700112Z");
    let plain = scan(&read("stuck.log"));
    let clock =
        LogClock::find(&plain.scan.evidence, &Default::default()).expect("zap tells the year");
    assert_eq!(clock.to_string(), "year and zone from lines of another format in the same log");
    assert_eq!(plain.scan.records[3].when.instant(Some(&clock)), Some(at));
    assert_eq!(plain.scan.records[3].when.instant(None), None, "civil until then");
}
