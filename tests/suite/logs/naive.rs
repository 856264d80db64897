//! Counts against a naive reading: one regular expression per line, no chunks, no states.
//!
//! `FLEETLENS_LOGS` names a folder with further logs that are to be counted, too.

use std::path::{Path, PathBuf};

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::grammar::message::{
    MessageContext, MessageKind, key_role, log_template, recognise,
};
use fleetlens::internals::syntax::log::LogCounts;
use regex::Regex;

use super::folder;

/// What a line-by-line reading finds, after it has joined split lines.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    lines: u64,
    records: u64,
    understood: u64,
    attached: u64,
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
    pair: Regex,
    /// `key=` and `"key":` of every key that names an object.
    keys: Vec<[String; 2]>,
}

impl Naive {
    fn new() -> Self {
        let regex = |pattern: &str| Regex::new(pattern).expect("a pattern");
        Self {
            prefix: regex(r"^\[pod/[^\]]*\] "),
            cri: regex(r"^\S+Z (?:stdout|stderr) ([PF]) "),
            stamp: regex(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z "),
            klog: regex(
                r#"^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ ([^\]]+):\d+\] (?:"((?:[^"\\]|\\.)*)"(?: |$)|(.*))"#,
            ),
            zap: regex(
                r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\t([A-Z]+)\t(?:[^\t]*\t)??([^\t]*)(?:\t\{.*)?$",
            ),
            pair: regex(r#"^ ?(?:"[^"/]|"/[^"]|\{[^}]*"name": ?"[^"]|\["|\[\{)"#),
            keys: object_keys(),
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
        let text = |at: usize| found.as_ref().and_then(|found| found.get(at)).map(|m| m.as_str());
        let template = match (&found, &json) {
            (Some(found), _) if found.len() > 3 => {
                let message = text(3).map(|quoted| quoted.replace("\\\"", "\""));
                log_template(
                    text(2).unwrap_or_default(),
                    &message.or(text(4).map(str::to_owned)).unwrap_or_default(),
                )
            }
            (Some(_), _) => log_template("", text(2).unwrap_or_default()),
            (None, json) => {
                log_template("", json.as_ref().and_then(|j| j["msg"].as_str()).unwrap_or_default())
            }
        };
        let event = text(2).filter(|_| line.contains("\tevents\t")).is_some_and(|message| {
            recognise(message, &MessageContext::default())
                .templates()
                .any(|template| template.kind == MessageKind::Event)
        });
        counts.understood += u64::from(template.is_some() || event);
        let in_text = template.is_some_and(|template| template.names_object_in_text());
        let named = self.keys.iter().flatten().any(|key| {
            let mut places = line.match_indices(key.as_str());
            places.any(|(at, _)| self.pair.is_match(&line[at + key.len()..]))
        });
        counts.attached += u64::from(named || in_text);
        match level.as_str() {
            "I" | "INFO" => counts.info += 1,
            "W" | "WARN" => counts.warning += 1,
            "E" | "ERROR" => counts.error += 1,
            "DEBUG" => counts.debug += 1,
            other => panic!("{other}"),
        }
    }
}

/// The keys of the data file that name an object.
fn object_keys() -> Vec<[String; 2]> {
    let keys = include_str!("../../../grammar/messages/keys.yaml").lines();
    let keys = keys.filter_map(|line| Some(line.split_once(": ")?.0));
    let keys = keys.filter(|key| key_role(key).is_some_and(|role| role.is_object()));
    keys.map(|key| [format!(" {key}="), format!("\"{key}\":")]).collect()
}

fn add(sum: &mut Counts, counts: &LogCounts) {
    let levels = counts.levels;
    sum.lines += counts.lines;
    sum.records += counts.records;
    sum.understood += counts.understood;
    sum.attached += counts.attached;
    sum.info += levels.info;
    sum.warning += levels.warning;
    sum.error += levels.error;
    sum.debug += levels.debug;
}

/// Reads a text as an editor would.
fn text_of(path: &Path) -> String {
    let bytes = std::fs::read(path).expect("the file was just listed");
    let bytes = if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut plain = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&*bytes), &mut plain)
            .expect("a whole gzip file");
        plain
    } else {
        bytes
    };
    match bytes.strip_prefix(&[0xff, 0xfe]) {
        Some(wide) => {
            let units = wide.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
            char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect()
        }
        None => String::from_utf8_lossy(&bytes).into_owned(),
    }
}

fn logs_in(folder: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
    let named = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.ends_with(".log") || name.contains(".log.")
    };
    let files = files.map(walkdir::DirEntry::into_path).filter(|path| path.is_file());
    // Without heads there is nothing that a pattern could count.
    let bare = |path: &Path| {
        ["no-heads", "skip_headers"].iter().any(|word| path.to_string_lossy().contains(word))
    };
    files.filter(|path| named(path) && !bare(path)).collect()
}

#[test]
fn counts_equal_those_of_a_naive_reading() {
    let naive = Naive::new();
    let bundles = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/bundles");
    let mut logs = [logs_in(&folder()), logs_in(&bundles)].concat();
    assert!(logs.len() > 18, "{}", logs.len());
    logs.extend(
        std::env::var_os("FLEETLENS_LOGS").iter().flat_map(|path| logs_in(Path::new(path))),
    );
    let mut troubles = Vec::new();
    for path in &logs {
        let bundle = Bundle::open(&[path.to_string_lossy().into_owned()]).unwrap();
        let mut sum = Counts::default();
        for log in &bundle.logs {
            let counts = &log.scan.counts;
            let parts = counts.records + counts.continued + counts.joined + counts.framing;
            assert_eq!(counts.lines, parts + counts.unparsed, "{}", path.display());
            add(&mut sum, counts);
        }
        let expected = naive.count(&text_of(path));
        if sum != expected {
            troubles.push(format!("{}:\n  {sum:?}\n  {expected:?}", path.display()));
        }
    }
    assert!(troubles.is_empty(), "{}\n{} logs", troubles.join("\n"), logs.len());
}
