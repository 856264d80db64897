//! What holds for any bytes, and for any way of cutting them into chunks.

use std::time::{Duration, Instant};

use fleetlens::internals::bundle::decide_retention;
use fleetlens::internals::syntax::log::{
    DecisionScope, GroupId, LogScan, RecordDecision, RecordHead, Retention, ScanOptions,
    ScannedLog, looks_like_log, scan_log, scan_log_with, scan_text_with,
};
use proptest::prelude::*;

use super::{print_records, read};

pub(super) fn some(head: &RecordHead<'_>) -> RecordDecision {
    let message = head.message();
    let level = head.level().map_or(0, |level| level as u64);
    let interest = match (message.bytes().map(u64::from).sum::<u64>() + level) % 4 {
        0 | 1 => Retention::Keep(GroupId(message.len() as u64 % 3)),
        2 => Retention::Count(GroupId(7)),
        _ => Retention::Skip,
    };
    let len = message.len();
    RecordDecision {
        interest,
        is_understood: len.is_multiple_of(2),
        is_attached: len.is_multiple_of(3),
        scope: scope(head),
    }
}

/// Level and message decide; up to the end of the first key it is certain to be the same.
fn scope(head: &RecordHead<'_>) -> DecisionScope {
    let rest = head.line().len() - head.rest().len();
    let equals = head.rest().find('=').map(|at| rest + at + 1);
    equals.map_or(DecisionScope::Line, DecisionScope::Beginning)
}

/// Lines and parts of lines as logs have them, and some that no log has.
fn fragment() -> impl Strategy<Value = Vec<u8>> {
    let head = "1115 22:49:51.300000       1 a/b.go:12]";
    let stamp = "2026-11-15T22:40:02.000000037Z";
    let known = [
        format!("I{head} \"one\" k=\"v\" time elapsed=\"5m\""),
        format!("E{head} \"one\" k=\"w\""),
        format!("E{head} \"two\" err=<"),
        format!("W{head} free text"),
        "I1231 23:59:59.999999       1 a.go:1] \"eve\"".to_owned(),
        "I0101 00:00:00.000001       1 a.go:1] \"new year\" at=\"2027-01-01T00:00:00Z\"".to_owned(),
        "I0229 00:00:00.000001       1 a.go:1] \"leap\"".to_owned(),
        "\tline of a value".to_owned(),
        " > next=1".to_owned(),
        " > again=<".to_owned(),
        "2026-11-15T22:49:51Z\tERROR\tReconciler error\t{\"error\": \"x\"}".to_owned(),
        "2026-11-15T22:49:51Z  INFO  blanks  {\"a\": 1}".to_owned(),
        "main.function".to_owned(),
        "\t/go/src/file.go:12".to_owned(),
        format!("{stamp} stderr F I{head} \"whole\" a=1"),
        format!("{stamp} stderr P I{head} \"part"),
        format!("{stamp} stderr P  of a"),
        format!("{stamp} stderr F  line\" b=2"),
        format!("{stamp} stdout P I{head} \"out"),
        format!("{stamp} stdout F put\""),
        format!("{stamp} I{head} \"stamped\""),
        format!("[pod/p/c] I{head} \"pod one\" k=<"),
        "[pod/p/c] \tof one".to_owned(),
        "[pod/p/c]  > z=1".to_owned(),
        format!("[pod/q/c] {stamp} E{head} \"pod two\""),
        format!("> I{head} \"quoted\" k=<"),
        "> \tof quoted".to_owned(),
        format!("    I{head} \"indented\""),
        "    further".to_owned(),
        format!("pod-1 c I{head} \"stern\""),
        "pod-1 c further".to_owned(),
        r#"{"log":"I1115 22:49:51.300000       1 a/b.go:12] \"docker\" k=1\n","stream":"stderr","time":"2026-11-15T22:40:02Z"}"#.to_owned(),
        r#"{"log":"I1115 22:49:51.300000       1 a/b.go:12] \"docker p","stream":"stderr","time":"2026-11-15T22:40:02Z"}"#.to_owned(),
        r#"{"log":"art\"\n","stream":"stderr","time":"2026-11-15T22:40:02Z"}"#.to_owned(),
        r#"{"ts":1794795375620.605,"caller":"a/b.go:67","msg":"json","v":0}"#.to_owned(),
        "\"bare\" k=1".to_owned(),
        "==== START logs for container c of pod n/p ====".to_owned(),
        "==== END logs for container c of pod n/p ====".to_owned(),
        "# Source log file: /var/log/pods/n_q_0/c/0.log".to_owned(),
        "# Cluster: hub".to_owned(),
        "Log file created at: 2026/11/15 22:44:08".to_owned(),
        String::new(),
        "prose é".to_owned(),
    ];
    prop_oneof![
        8 => proptest::sample::select(known.to_vec()).prop_map(String::into_bytes),
        1 => proptest::collection::vec(any::<u8>(), 0..24),
        1 => "[IWEF]?[0-9:. ]{0,12}[a-z\"=<>{}\\[\\]\\\\/ é]{0,30}".prop_map(String::into_bytes),
    ]
}

/// A log that is shown as text when a case fails.
#[derive(Clone)]
pub(super) struct Log(pub(super) Vec<u8>);

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(&self.0))
    }
}

pub(super) fn log() -> impl Strategy<Value = Log> {
    let ends = prop_oneof![6 => Just("\n"), 1 => Just("\r\n"), 1 => Just("")];
    proptest::collection::vec((fragment(), ends), 0..24)
        .prop_map(|lines| lines.into_iter().flat_map(|(line, end)| [line, end.into()].concat()))
        .prop_map(|bytes| Log(bytes.collect()))
}

pub(super) fn options() -> impl Strategy<Value = ScanOptions> {
    (
        prop_oneof![Just(40_usize), Just(1 << 20)],
        0_usize..3,
        0_usize..3,
        prop_oneof![Just(900_usize), 900_usize..20_000, Just(1 << 20)],
        prop_oneof![0_usize..8, Just(96)],
    )
        .prop_map(|(line_bytes, keep_first, keep_last, kept_bytes, waiting_chunks)| {
            ScanOptions {
                waiting_chunks,
                line_bytes,
                keep_first,
                keep_last,
                kept_bytes,
                ..ScanOptions::default()
            }
        })
}

fn in_chunks(bytes: &[u8], chunk_bytes: usize, options: &ScanOptions) -> ScannedLog {
    let options = ScanOptions { chunk_bytes, ..*options };
    scan_log_with(&mut &*bytes, &some, &options)
}

fn assert_sound(text: &str, scan: &LogScan) {
    let counts = scan.counts;
    let parts =
        counts.records + counts.continued + counts.joined + counts.framing + counts.unparsed;
    assert_eq!(counts.lines, parts);
    assert_eq!(counts.kept, scan.records.len() as u64);
    for record in &scan.records {
        for part in &record.parts {
            assert!(text.get(part.start as usize..part.end as usize).is_some());
        }
        let open = record.open(text);
        let inside = |range: std::ops::Range<u32>| {
            assert!(text.get(range.start as usize..range.end as usize).is_some(), "{range:?}");
        };
        assert!(open.head().is_some());
        inside(open.message_range());
        inside(open.caller_range());
        for field in open.fields() {
            inside(field.key_range);
            inside(field.range);
        }
    }
}

/// Something that befalls a line.
#[derive(Clone, Debug)]
enum Harm {
    None,
    /// Characters are lost at a place, and another one stands there.
    At(usize, usize, Option<char>),
    /// Of a quoted text, counted from the first, only so many characters are left.
    Quote(usize, usize),
    /// It ends otherwise.
    End(&'static str),
}

impl Harm {
    fn done_to(&self, line: &str) -> String {
        let mut chars: Vec<char> = line.chars().collect();
        let mut cut = |at: usize, lost: usize, with: Option<char>| {
            let at = at.min(chars.len());
            chars.splice(at..(at + lost).min(chars.len()), with);
        };
        let mut end = "\n";
        match *self {
            Self::None => {}
            Self::At(at, lost, with) => cut(at, lost, with),
            Self::Quote(number, left) => {
                let quotes: Vec<usize> =
                    line.chars().enumerate().filter(|(_, c)| *c == '"').map(|(at, _)| at).collect();
                if let [open, close] = quotes.get(2 * number..2 * number + 2).unwrap_or_default() {
                    let from = (open + 1 + left).min(*close);
                    cut(from, close - from, None);
                }
            }
            Self::End(other) => end = other,
        }
        chars.into_iter().chain(end.chars()).collect()
    }
}

/// Lines of agents, each several times on the average, some of them harmed.
fn lines_of_agents() -> impl Strategy<Value = Vec<(String, Harm)>> {
    let text = ["hub-agent.log", "hub-agent-run.log", "member-agent.log"].map(read).concat();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let chars: Vec<char> = "\"=/\\] :0aéE{".chars().collect();
    let char = proptest::option::of(proptest::sample::select(chars));
    let ends = vec!["\r\n", "=<\n", ""];
    let harm = prop_oneof![
        3 => Just(Harm::None),
        1 => (0_usize..160, 0_usize..4, char).prop_map(|(at, lost, with)| Harm::At(at, lost, with)),
        1 => (0_usize..4, 0_usize..3).prop_map(|(number, left)| Harm::Quote(number, left)),
        1 => proptest::sample::select(ends).prop_map(Harm::End),
    ];
    proptest::sample::subsequence(lines, 12).prop_flat_map(move |some| {
        proptest::collection::vec((proptest::sample::select(some), harm.clone()), 60)
    })
}

/// What stays of records of one line each, given by template and length: taken in one by one, as the limits say.
fn naive_stay(records: &[(usize, usize)], options: &ScanOptions) -> Vec<u32> {
    /// What the lines beside a line are reckoned at.
    const BESIDE: usize = 256;
    let mut kept: Vec<Option<usize>> = Vec::new();
    let mut first = std::collections::BTreeMap::<usize, usize>::new();
    let mut last = std::collections::BTreeMap::<usize, Vec<usize>>::new();
    for (at, (template, len)) in records.iter().enumerate() {
        let (first, last) =
            (first.entry(*template).or_default(), last.entry(*template).or_default());
        let is_first = *first < options.keep_first;
        if is_first {
            *first += 1;
        } else {
            last.push(at);
            if last.len() > options.keep_last {
                let out = last.remove(0);
                if out < at {
                    kept[out] = None;
                }
            }
        }
        let bytes: usize = kept.iter().flatten().sum();
        let fits = bytes + len + BESIDE <= options.kept_bytes;
        let stays = is_first || options.keep_last > 0;
        kept.push((fits && stays).then_some(len + BESIDE));
    }
    let numbers = kept.iter().zip(1..).filter(|(kept, _)| kept.is_some());
    numbers.map(|(_, number)| number).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chunks_do_not_matter(Log(bytes) in log(), options in options(), chunk in 1_usize..400) {
        let whole = in_chunks(&bytes, 1 << 22, &options);
        assert_sound(&whole.text, &whole.scan);
        prop_assert_eq!(whole.text.lines().count(), whole.line_numbers.len());
        prop_assert!(whole.line_numbers.is_sorted_by(|a, b| a < b));
        let one_by_one = |head: &RecordHead<'_>| RecordDecision { scope: DecisionScope::Record, ..some(head) };
        prop_assert_eq!(&scan_log_with(&mut &*bytes, &one_by_one, &options), &whole, "each record asked about");
        for chunk in [1, chunk] {
            let cut = in_chunks(&bytes, chunk, &options);
            prop_assert_eq!(&cut, &whole, "in chunks of {}", chunk);
        }
    }

    #[test]
    fn lines_that_begin_alike_are_decided_as_if_each_was_asked_about(
        lines in lines_of_agents(),
        chunk_bytes in prop_oneof![1_usize..4_000, Just(1 << 20)],
    ) {
        let text: String = lines.iter().map(|(line, harm)| harm.done_to(line)).collect();
        let options = ScanOptions { chunk_bytes, keep_first: 2, keep_last: 2, ..ScanOptions::default() };
        let one_by_one =
            |head: &RecordHead<'_>| RecordDecision { scope: DecisionScope::Record, ..decide_retention(head) };
        let fast = scan_log_with(&mut text.as_bytes(), &decide_retention, &options);
        let slow = scan_log_with(&mut text.as_bytes(), &one_by_one, &options);
        prop_assert_eq!(fast, slow);
    }

    #[test]
    fn what_stays_is_what_a_naive_reader_keeps(
        records in proptest::collection::vec((prop_oneof![4 => Just(0_usize), 1 => 1_usize..4], 0_usize..600), 0..150),
        (keep_first, keep_last) in (0_usize..4, 0_usize..6),
        kept_bytes in 300_usize..20_000,
        chunk_bytes in prop_oneof![1_usize..20_000, Just(1 << 20)],
    ) {
        let line = |(template, len): &(usize, usize)| {
            format!("I1115 22:49:51.300000       1 a/b.go:12] \"{template}\" k=\"{}\"", "x".repeat(*len))
        };
        let lines: Vec<String> = records.iter().map(line).collect();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let options = ScanOptions { chunk_bytes, keep_first, keep_last, kept_bytes, ..ScanOptions::default() };
        let interest = |head: &RecordHead<'_>| RecordDecision {
            scope: scope(head),
            ..Retention::Keep(GroupId(head.message().parse().unwrap())).into()
        };
        let log = scan_log_with(&mut text.as_bytes(), &interest, &options);
        let found: Vec<u32> = log.scan.records.iter().map(|record| record.line).collect();
        let records: Vec<(usize, usize)> =
            records.iter().zip(&lines).map(|((template, _), line)| (*template, line.len())).collect();
        prop_assert_eq!(found, naive_stay(&records, &options));
        for record in &log.scan.records {
            let open = record.open(&log.text);
            prop_assert_eq!(open.text(), &lines[record.line as usize - 1]);
        }
    }

    #[test]
    fn a_text_in_place_holds_the_same_records(Log(bytes) in log(), options in options()) {
        let options = ScanOptions { kept_bytes: 1 << 20, line_bytes: 1 << 20, ..options };
        let text = String::from_utf8_lossy(&bytes);
        let log = scan_log_with(&mut text.as_bytes(), &some, &options);
        let here = scan_text_with(&text, &some, &options);
        assert_sound(&text, &here);
        prop_assert_eq!(log.scan.counts, here.counts);
        prop_assert_eq!(&log.scan.templates, &here.templates);
        prop_assert_eq!(print_records(&log.text, &log.scan), print_records(&text, &here));
    }

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        looks_like_log(&bytes);
        let log = scan_log(&mut &*bytes, &some);
        assert_sound(&log.text, &log.scan);
    }
}

#[test]
fn real_logs_are_the_same_in_any_chunks() {
    for name in [
        "hub-agent.log",
        "member-agent.log",
        "klog-forms.log",
        "transport/cri.log",
        "transport/docker.log",
    ] {
        let text = read(name);
        let whole = in_chunks(text.as_bytes(), 1 << 22, &ScanOptions::default());
        for chunk in [1, 100, 999, 5000] {
            assert_eq!(in_chunks(text.as_bytes(), chunk, &ScanOptions::default()), whole, "{name}");
        }
    }
}

/// Time must grow with the length alone: each of these is a long text that invites to look twice.
#[test]
fn hostile_lines_are_read_in_linear_time() {
    let head = "I1115 22:49:51.300000       1 a/b.go:12] \"m\"";
    for unit in [
        " a=1",
        "=",
        " a=\"",
        " a={",
        " =[",
        "=<",
        "\\\"",
        "{\"a\":",
        "\n\t",
        "\n >",
        "\n",
        "> ",
        "[pod/",
        "pod c ",
        " work={",
        "work=\"",
        " work=[]",
        " a work=\"/\"",
    ] {
        let text = format!("{head}{}", unit.repeat((1 << 17) / unit.len()));
        let began = Instant::now();
        let log = scan_log(&mut text.as_bytes(), &|_| Retention::Keep(GroupId(0)).into());
        for record in &log.scan.records {
            record.open(&log.text).fields();
        }
        looks_like_log(text.as_bytes());
        scan_log(&mut text.as_bytes(), &decide_retention);
        // A linear reader takes less than a second in a test build; a quadratic one minutes.
        assert!(began.elapsed() < Duration::from_secs(30), "{unit:?}: {:?}", began.elapsed());
    }
}
