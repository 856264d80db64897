//! How fast a log is scanned, and in how much memory, against two other ways of reading it.
//!
//! The log is made of the testdata, repeated, and is never held whole. `FLEETLENS_BENCH_MB` sets its
//! size (200 by default). Memory is that of a fresh process, for a tenth of the log and for all of it. The baseline only counts line breaks: nothing that looks at every line can
//! be faster. The regular expression is what one would write first. Run with `cargo bench --bench logs`,
//! behind it parts of the names of what is to be measured.

#![expect(
    clippy::disallowed_methods,
    reason = "a bench reads its testdata, the environment and the clock"
)]
#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use fleetlens::grammar::message::log_template;
use fleetlens::syntax::log::{Interest, RecordHead, Template, scan_log};
use regex::bytes::Regex;

/// How many megabytes the log has.
const SIZE: &str = "FLEETLENS_BENCH_MB";

/// Set in a process of its own that measures nothing but its memory.
const PEAK: &str = "FLEETLENS_BENCH_PEAK";

/// A block over and over.
struct Repeated<'b> {
    block: &'b [u8],
    at: usize,
    left: usize,
}

impl<'b> Repeated<'b> {
    /// Whole blocks, at least so many bytes.
    fn new(block: &'b [u8], bytes: usize) -> Self {
        Self { block, at: 0, left: bytes.div_ceil(block.len()) * block.len() }
    }
}

impl Read for Repeated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = buffer.len().min(self.left).min(self.block.len() - self.at);
        buffer[..len].copy_from_slice(&self.block[self.at..self.at + len]);
        self.at = (self.at + len) % self.block.len();
        self.left -= len;
        Ok(len)
    }
}

fn count_breaks(reader: &mut dyn Read) -> u64 {
    let mut buffer = vec![0; 4 << 20];
    let mut lines = 0;
    loop {
        let len = reader.read(&mut buffer).expect("the block is in memory");
        if len == 0 {
            return lines;
        }
        lines += memchr::memchr_iter(b'\n', &buffer[..len]).count() as u64;
    }
}

fn match_heads(reader: &mut dyn Read) -> u64 {
    let head = r#"^([IWEF])(\d{4}) (\d\d:\d\d:\d\d\.\d{6}) +\d+ ([^\]]+):(\d+)\] (?:"((?:[^"\\]|\\.)*)")?"#;
    let head = Regex::new(head).expect("a pattern");
    let mut reader = BufReader::with_capacity(4 << 20, reader);
    let mut line = Vec::new();
    let mut records = 0;
    while reader.read_until(b'\n', &mut line).expect("the block is in memory") > 0 {
        if let Some(found) = head.captures(&line) {
            records += u64::from(found.get(4).is_some());
        }
        line.clear();
    }
    records
}

/// What the analyzer asks: is this line in the catalogue?
fn in_catalogue(head: &RecordHead<'_>) -> Interest {
    match log_template(head.file(), &head.message()) {
        Some(template) if template.routine => Interest::Count(Template(template.id.len() as u64)),
        Some(template) => Interest::Keep(Template(template.id.len() as u64)),
        None => Interest::Skip,
    }
}

/// The largest amount of memory that this process ever held; only Linux tells.
fn peak_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kib / 1024.0)
}

/// The processor time of all threads so far; only Linux tells. Unlike the clock on the wall it does
/// not depend on what else the machine does.
fn cpu_seconds() -> Option<f64> {
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<Option<f64>>().map(|ticks| ticks / TICKS)
}

fn measure(name: &str, block: &[u8], bytes: usize, work: &mut dyn FnMut(&mut dyn Read) -> u64) {
    const RUNS: u32 = 3;
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
        return;
    }
    let mut best = Duration::MAX;
    let mut found = 0;
    let before = cpu_seconds();
    for _ in 0..RUNS {
        let mut log = Repeated::new(block, bytes);
        let start = Instant::now();
        found = work(&mut log);
        best = best.min(start.elapsed());
    }
    #[expect(clippy::cast_precision_loss, reason = "a size in megabytes")]
    let megabytes = bytes as f64 / 1e6;
    let cpu = before.zip(cpu_seconds()).map(|(before, after)| (after - before) / f64::from(RUNS));
    let show = |number: Option<f64>| number.map_or_else(|| "?".to_owned(), |n| format!("{n:.0}"));
    println!(
        "{name:<30} {megabytes:>6.0} MB {:>7} MB/s {:>7} MB/cpu-s  {found} found",
        show(Some(megabytes / best.as_secs_f64())),
        show(cpu.map(|cpu| megabytes / cpu)),
    );
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/syntax/log");
    let files = ["hub-agent.log", "hub-agent-run.log", "member-agent.log"];
    let read = |name: &&str| std::fs::read(folder.join(name)).expect("testdata");
    let block: Vec<u8> = files.iter().flat_map(read).collect();
    let size = std::env::var(SIZE).ok().and_then(|mb| mb.parse().ok());
    let bytes = size.unwrap_or(200_usize) * 1_000_000;
    in_catalogue_once();

    let all = |_: &RecordHead<'_>| Interest::Keep(Template(0));
    if std::env::var_os(PEAK).is_some() {
        scan_log(&mut Repeated::new(&block, bytes), &all);
        let peak = peak_mib().map_or_else(|| "?".to_owned(), |mib| format!("{mib:.0}"));
        println!("everything wanted: {:>6} MB {peak:>5} MiB peak", bytes / 1_000_000);
        return;
    }
    println!("{} threads", rayon::current_num_threads());
    let records = |log: &mut dyn Read, interest| scan_log(log, interest).scan.counts.records;
    measure("scan, nothing kept", &block, bytes, &mut |log| records(log, &|_| Interest::Skip));
    measure("scan, everything wanted", &block, bytes, &mut |log| records(log, &all));
    measure("scan, catalogue", &block, bytes, &mut |log| records(log, &in_catalogue));
    measure("baseline: count line breaks", &block, bytes, &mut count_breaks);
    measure("a regular expression per line", &block, bytes, &mut match_heads);
    for megabytes in [bytes / 10_000_000, bytes / 1_000_000] {
        let program = std::env::current_exe().expect("this program");
        let mut child = Command::new(program);
        child.env(SIZE, megabytes.to_string()).env(PEAK, "1");
        child.status().expect("this program runs");
    }
}

/// Loads the catalogue, so that its memory and time are in no measurement alone.
fn in_catalogue_once() {
    log_template("updaterun/execution.go", "");
}
