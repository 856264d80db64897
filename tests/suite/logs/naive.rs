//! Counts against a naive reading: one regular expression per line, no chunks, no states.

use fleetlens::syntax::log::{Interest, LogCounts, scan_log};
use regex::Regex;

use super::folder;

/// What a line-by-line reading finds, after it has joined split lines.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    lines: u64,
    records: u64,
    info: u64,
    warning: u64,
    error: u64,
    debug: u64,
}

struct Naive {
    prefix: Regex,
    cri: Regex,
    stamp: Regex,
    klog: Regex,
    zap: Regex,
}

impl Naive {
    fn new() -> Self {
        let regex = |pattern: &str| Regex::new(pattern).expect("a pattern");
        Self {
            prefix: regex(r"^\[pod/[^\]]*\] "),
            cri: regex(r"^\S+Z (?:stdout|stderr) ([PF]) "),
            stamp: regex(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z "),
            klog: regex(r"^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ [^\]]+:\d+\] "),
            zap: regex(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\t([A-Z]+)\t"),
        }
    }

    fn count(&self, text: &str) -> Counts {
        let mut counts = Counts::default();
        let mut partial = String::new();
        for line in text.lines() {
            counts.lines += 1;
            let docker: Option<serde_json::Value> = serde_json::from_str(line).ok();
            let docker = docker.as_ref().and_then(|value| value.get("log")?.as_str());
            let line = docker.unwrap_or(line).trim_end_matches(['\r', '\n']);
            let line = self.prefix.replace(line, "");
            let is_partial = self.cri.captures(&line).is_some_and(|found| &found[1] == "P");
            let line = self.cri.replace(&line, "");
            let line = self.stamp.replace(&line, "");
            partial += &line;
            if !is_partial {
                self.count_line(&std::mem::take(&mut partial), &mut counts);
            }
        }
        counts
    }

    fn count_line(&self, line: &str, counts: &mut Counts) {
        let json: Option<serde_json::Value> = serde_json::from_str(line).ok();
        let json = json.filter(|json| json.get("msg").is_some() && json.get("ts").is_some());
        let found = self.klog.captures(line).or_else(|| self.zap.captures(line));
        let level = match (&found, &json) {
            (Some(found), _) => found[1].to_owned(),
            (None, Some(json)) if json.get("v").is_some() => "INFO".to_owned(),
            (None, Some(_)) => "ERROR".to_owned(),
            (None, None) => return,
        };
        counts.records += 1;
        match level.as_str() {
            "I" | "INFO" => counts.info += 1,
            "W" | "WARN" => counts.warning += 1,
            "E" | "ERROR" => counts.error += 1,
            "DEBUG" => counts.debug += 1,
            other => panic!("{other}"),
        }
    }
}

fn of(counts: &LogCounts) -> Counts {
    let levels = counts.levels;
    Counts {
        lines: counts.lines,
        records: counts.records,
        info: levels.info,
        warning: levels.warning,
        error: levels.error,
        debug: levels.debug,
    }
}

#[test]
fn counts_equal_those_of_a_naive_reading() {
    let naive = Naive::new();
    let files = walkdir::WalkDir::new(folder()).sort_by_file_name().into_iter().flatten();
    let logs = files.filter(|file| file.path().extension().is_some_and(|ending| ending == "log"));
    let mut seen = 0;
    for file in logs {
        // Without heads there is nothing that a pattern could count.
        if file.path().ends_with("klog-forms-no-heads.log") {
            continue;
        }
        let text = std::fs::read_to_string(file.path()).unwrap();
        let log = scan_log(&mut text.as_bytes(), &|_| Interest::Skip);
        let counts = log.scan.counts;
        assert_eq!(of(&counts), naive.count(&text), "{}", file.path().display());
        let parts =
            counts.records + counts.continued + counts.joined + counts.framing + counts.unparsed;
        assert_eq!(counts.lines, parts, "{}", file.path().display());
        seen += 1;
    }
    assert_eq!(seen, 17);
}
