//! How fast a log is scanned and analysed, and in how much memory, against other ways of reading it.
//!
//! The log is made of the lines of the testdata over and over, with times that go on, and is written to a
//! temporary file. `FLEETLENS_BENCH_MB` sets its size (200 by default; 1000 for a gigabyte). Memory is that of a
//! fresh process, for a tenth of the log and for all of it. The baseline only counts line breaks: nothing that
//! looks at every line can be faster. The regular expression is what one would write first. Run with
//! `cargo bench --bench logs`, behind it parts of the names of what is to be measured.

#![expect(
    clippy::disallowed_methods,
    reason = "a bench reads its testdata, the environment and the clock"
)]
#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use fleetlens::internals::bundle::{Bundle, decide_retention};
use fleetlens::internals::config::Config;
use fleetlens::internals::engine::judge;
use fleetlens::internals::syntax::log::{GroupId, Retention, RetentionPolicy, scan_log};
use regex::bytes::Regex;

/// How many megabytes the log has.
const SIZE: &str = "FLEETLENS_BENCH_MB";

/// The file of a process of its own that measures nothing but its memory.
const PEAK: &str = "FLEETLENS_BENCH_PEAK";

/// The lines of a block over and over; the times of klog heads go on.
struct Lines<'b> {
    block: Vec<&'b [u8]>,
    /// The next line, and how often the block is through.
    at: usize,
    round: u64,
}

/// How long a round takes by the times in it.
const ROUND: u64 = 600;

impl<'b> Lines<'b> {
    fn new(block: &'b [u8]) -> Self {
        Self { block: block.split_inclusive(|byte| *byte == b'\n').collect(), at: 0, round: 0 }
    }

    /// Writes at least so many bytes, whole lines.
    fn write(&mut self, out: &mut dyn Write, bytes: usize) -> std::io::Result<()> {
        let mut written = 0;
        while written < bytes {
            let mut line = self.block[self.at].to_vec();
            let is_klog = line.len() > 22 && b"IWEF".contains(&line[0]) && line[5] == b' ';
            if is_klog && line[1..5].iter().all(u8::is_ascii_digit) {
                let since = self.round * ROUND + self.at as u64 * ROUND / self.block.len() as u64;
                let (day, second) = (since / 86_400, since % 86_400);
                // Months of 28 days are months, too.
                let date = format!("{:02}{:02}", day / 28 % 12 + 1, day % 28 + 1);
                let time =
                    format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
                line[1..5].copy_from_slice(date.as_bytes());
                line[6..14].copy_from_slice(time.as_bytes());
            }
            out.write_all(&line)?;
            written += line.len();
            self.at += 1;
            if self.at == self.block.len() {
                (self.at, self.round) = (0, self.round + 1);
            }
        }
        Ok(())
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

/// Measures one way of reading the file; returns the best time.
fn measure(
    name: &str,
    file: &Path,
    megabytes: f64,
    work: &mut dyn FnMut(&Path) -> u64,
) -> Option<f64> {
    const RUNS: u32 = 3;
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
        return None;
    }
    let mut best = Duration::MAX;
    let mut found = 0;
    let before = cpu_seconds();
    for _ in 0..RUNS {
        let start = Instant::now();
        found = work(file);
        best = best.min(start.elapsed());
    }
    let cpu = before.zip(cpu_seconds()).map(|(before, after)| (after - before) / f64::from(RUNS));
    let show = |number: Option<f64>| number.map_or_else(|| "?".to_owned(), |n| format!("{n:.0}"));
    println!(
        "{name:<30} {megabytes:>6.0} MB {:>7} MB/s {:>7} MB/cpu-s  {found} found",
        show(Some(megabytes / best.as_secs_f64())),
        show(cpu.map(|cpu| megabytes / cpu)),
    );
    Some(best.as_secs_f64())
}

fn open(file: &Path) -> std::fs::File {
    std::fs::File::open(file).expect("the file was just written")
}

fn records(file: &Path, interest: RetentionPolicy<'_>) -> u64 {
    scan_log(&mut open(file), interest).scan.counts.records
}

/// Analyses a log as the command does; returns the records that were read.
fn analyse(file: &Path) -> u64 {
    let bundle =
        Bundle::open(&[file.to_string_lossy().into_owned()]).expect("the file can be read");
    let report = judge(&bundle, &Config::default());
    report.logs.iter().map(|log| log.records).sum()
}

fn main() {
    if let Some(file) = std::env::var_os(PEAK) {
        let records = analyse(Path::new(&file));
        let peak = peak_mib().map_or_else(|| "?".to_owned(), |mib| format!("{mib:.0}"));
        println!("analysis in a fresh process: {records} records, {peak} MiB at most");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/syntax/log");
    let files = ["hub-agent.log", "hub-agent-run.log", "member-agent.log"];
    let read = |name: &&str| std::fs::read(folder.join(name)).expect("testdata");
    let block: Vec<u8> = files.iter().flat_map(read).collect();
    let size = std::env::var(SIZE).ok().and_then(|mb| mb.parse().ok()).unwrap_or(200_u32);
    let temporary = tempfile::tempdir().expect("a folder for the log");
    let path = temporary.path().join("hub-agent.log");
    let mut out = BufWriter::new(std::fs::File::create(&path).expect("a file for the log"));
    let mut lines = Lines::new(&block);
    let tenth = (size as usize).div_ceil(10) * 1_000_000;
    lines.write(&mut out, tenth).and_then(|()| out.flush()).expect("room on the disk");
    peak(&path);
    lines.write(&mut out, size as usize * 1_000_000 - tenth).expect("room on the disk");
    out.flush().expect("room on the disk");
    peak(&path);

    println!("{} threads", rayon::current_num_threads());
    let megabytes = f64::from(size);
    let scan = |name: &str, interest: RetentionPolicy<'_>| {
        measure(name, &path, megabytes, &mut |file| records(file, interest));
    };
    scan("scan, nothing kept", &|_| Retention::Skip.into());
    scan("scan, everything wanted", &|_| Retention::Keep(GroupId(0)).into());
    scan("scan, catalogue", &decide_retention);
    let analysis = measure("analysis", &path, megabytes, &mut analyse);
    let breaks = |file: &Path| count_breaks(&mut open(file));
    let baseline =
        measure("baseline: count line breaks", &path, megabytes, &mut |file| breaks(file));
    let heads = |file: &Path| match_heads(&mut open(file));
    let regex = measure("a regular expression per line", &path, megabytes, &mut |file| heads(file));
    for (name, other) in
        [("counting line breaks", baseline), ("a regular expression per line", regex)]
    {
        if let Some((analysis, other)) = analysis.zip(other) {
            println!("analysis takes {:.2} times as long as {name}", analysis / other);
        }
    }
}

/// Has a process of its own analyse the file and tell its memory.
fn peak(file: &Path) {
    let program = std::env::current_exe().expect("this program");
    let size = std::fs::metadata(file).map_or(0, |meta| meta.len()) / 1_000_000;
    print!("{size:>6} MB, ");
    std::io::stdout().flush().expect("standard output is open");
    Command::new(program).env(PEAK, file).status().expect("this program runs");
}
