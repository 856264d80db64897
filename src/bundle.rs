//! A bundle, opened: every source, and what was found in it.
//!
//! Owns the step from input to syntax: it takes each file from the input layer, decides by its first
//! block whether it is read whole or streamed as a log, and parses all of them in parallel.
//! Invariant: `parsed` has one entry per source, in the order of `sources`.

mod log_retention;
mod read_progress;

pub use read_progress::ReadProgress;

use rayon::prelude::*;

use crate::error::Error;
use crate::grammar::kind::Kind;
use crate::input::{
    DecodedText, FileText, Input, InputCounts, InputDigest, InputFile, Limits, digests, read_inputs,
};
use crate::source::{Encoding, Origin, SourceFile, SourceId, Sources, Span};
use crate::syntax::log::{
    LogScan, ObjectName, ScanOptions, ScannedLog, looks_like_log, scan_file, scan_log, scan_text,
};
use crate::syntax::text_view::Detached;
use crate::syntax::{Document, DocumentFilter, DocumentHead, Parsed, Syntax, detect};

pub use log_retention::{decide_retention, group_about, group_of};

/// Everything that was read, before it means anything.
#[derive(Debug, Default)]
pub struct Bundle {
    /// What the user named.
    pub inputs: Vec<Input>,
    /// The files.
    pub sources: Sources,
    /// What each file holds, in the order of `sources`.
    pub parsed: Vec<Parsed>,
    /// The logs, with the records that were kept.
    pub logs: Vec<KeptLog>,
    /// What was not read, and why.
    pub refusals: Vec<UnreadSource>,
    /// What was met on the way.
    pub tally: InputCounts,
    /// The digest of standard input, if it was read.
    pub stdin: Option<InputDigest>,
}

/// A log, or log lines inside a text.
#[derive(Clone, Debug)]
pub struct KeptLog {
    /// The source that holds its lines.
    pub source: SourceId,
    /// Where in the source's text the ranges of the records count from.
    pub base: usize,
    /// What was found in it.
    pub scan: LogScan,
    /// The text that was read instead of the source's own.
    pub mended: Option<Detached>,
}

impl KeptLog {
    /// Says whether every line of a template was kept, so that one that is not there was not written.
    pub fn keeps_all(&self, template: &str) -> bool {
        self.scan.templates.get(&group_of(template)).is_none_or(|count| count.seen == count.kept)
    }

    /// Returns the number of the last line of a template that is about an object, be it kept or not.
    pub fn last_line_about(&self, template: &str, object: &ObjectName) -> Option<u32> {
        Some(self.scan.templates.get(&group_about(template, object))?.last_line)
    }
}

impl KeptLog {
    /// Returns the text in which the ranges of the records count.
    pub fn text<'s>(&'s self, source: &'s SourceFile) -> &'s str {
        let own = || source.text().get(self.base..).unwrap_or_default();
        self.mended.as_ref().map_or_else(own, Detached::text)
    }

    /// Returns where a range of that text stands.
    pub fn place(&self, range: std::ops::Range<u32>) -> Span {
        let range = range.start as usize..range.end as usize;
        let range = match &self.mended {
            Some(mended) => mended.locate(range),
            None => self.base + range.start..self.base + range.end,
        };
        Span::new(self.source, range.start, range.end)
    }
}

/// A file that was not read, or not to its end.
#[derive(Debug)]
pub struct UnreadSource {
    /// An empty place in a source that stands for the file.
    pub span: Span,
    /// Its path.
    pub path: String,
    /// Why it was not read.
    pub reason: String,
}

impl Bundle {
    /// Opens paths as the user gave them: directories, archives, files, `-`.
    pub fn open(paths: &[String]) -> Result<Self, Error> {
        Self::open_watched(paths, &ReadProgress::default())
    }

    /// Opens paths as the user gave them, and counts what was read, so that somebody can watch.
    pub fn open_watched(paths: &[String], gauge: &ReadProgress) -> Result<Self, Error> {
        Self::read_watched(&paths.iter().map(Input::from).collect::<Vec<_>>(), gauge)
    }

    /// Reads everything that was given.
    pub fn read(inputs: &[Input]) -> Result<Self, Error> {
        Self::read_watched(inputs, &ReadProgress::default())
    }

    fn read_watched(inputs: &[Input], gauge: &ReadProgress) -> Result<Self, Error> {
        let mut taken: Vec<(String, Option<Taken>)> = Vec::new();
        let mut sink = |member: InputFile<'_>| {
            taken.push((member.path.to_owned(), take(member, gauge)));
            gauge.add_file();
        };
        let outcome = read_inputs(inputs, &Limits::default(), &mut sink)?;
        let mut sources = Sources::default();
        let mut logs = Vec::new();
        for ((path, taken), origin) in taken.into_iter().zip(outcome.origins) {
            match taken {
                Some(Taken::Text(text)) => {
                    sources.add(path, origin, text.encoding, text.text);
                }
                Some(Taken::Log(encoding, log)) => {
                    let source =
                        sources.add_sparse(path, origin, encoding, log.text, log.line_numbers);
                    logs.push(KeptLog { source, base: 0, scan: log.scan, mended: None });
                }
                None => {}
            }
        }
        let refusals = outcome.refusals.into_iter().map(|refusal| {
            let id = sources.add(refusal.path.clone(), Origin::default(), Encoding::Utf8, "");
            let span = Span::new(id, 0, 0);
            UnreadSource { span, path: refusal.path.into(), reason: refusal.reason.to_string() }
        });
        let refusals = refusals.collect();
        let mut bundle = Self::parse(sources, &is_wanted);
        logs.append(&mut bundle.logs);
        logs.sort_by_key(|log| (log.source, log.base));
        Ok(Self {
            inputs: inputs.to_vec(),
            refusals,
            logs,
            tally: outcome.tally,
            stdin: outcome.stdin,
            ..bundle
        })
    }

    /// Returns the digests of everything that was given.
    pub fn digests(&self) -> Vec<InputDigest> {
        digests(&self.inputs).into_iter().chain(self.stdin.clone()).collect()
    }

    /// Parses sources that are in memory.
    pub fn parse(sources: Sources, wanted: DocumentFilter<'_>) -> Self {
        let parse = |source: &SourceFile| {
            // The kept lines of a streamed log hold nothing else.
            if source.is_sparse() {
                Parsed::default()
            } else {
                detect::parse_source(source, wanted)
            }
        };
        let parsed: Vec<Parsed> = sources.as_slice().par_iter().map(parse).collect();
        let sections = sources.iter().zip(&parsed).flat_map(|(source, parsed)| {
            parsed.logs.iter().map(|section| {
                let mended = section.mended.as_ref();
                let text = mended.map_or_else(|| source.slice(section.span), Detached::text);
                KeptLog {
                    source: source.id(),
                    base: section.span.lo as usize,
                    scan: scan_text(text, &decide_retention),
                    mended: section.mended.clone(),
                }
            })
        });
        let logs = sections.collect();
        Self { sources, parsed, logs, ..Self::default() }
    }

    /// Says whether there are objects, and none of them has to do with KubeFleet: manifests of other kinds, templates.
    ///
    /// What is alive on a cluster counts: pods and events are sent for their own sake.
    pub fn is_foreign(&self) -> bool {
        let of_fleet = |document: &Document| {
            let spec = document.head.find_kind();
            let alive = document.root.as_ref().is_some_and(|root| {
                root.get("status").is_some()
                    || !matches!(document.syntax, Syntax::Yaml | Syntax::Json)
            });
            spec.is_some_and(|spec| spec.is_fleet() || alive)
        };
        let silent = |parsed: &Parsed| {
            parsed.rejections.is_empty()
                && parsed.absences.is_empty()
                && !parsed.documents.iter().any(of_fleet)
        };
        let read = |parsed: &Parsed| !parsed.documents.is_empty() || !parsed.problems.is_empty();
        self.logs.is_empty()
            && self.refusals.is_empty()
            && self.parsed.iter().all(silent)
            && self.parsed.iter().any(read)
    }

    /// Says whether nothing was recognised.
    pub fn is_empty(&self) -> bool {
        let silent = |parsed: &Parsed| parsed.documents.is_empty() && parsed.rejections.is_empty();
        self.logs.is_empty() && self.parsed.iter().all(silent)
    }
}

/// Says whether an object is of a kind that some rule may read; what is in a Secret never is.
fn is_wanted(head: &DocumentHead) -> bool {
    head.find_kind().is_some_and(|spec| spec.family != Kind::Secret)
}

/// What was taken from a file.
enum Taken {
    Text(DecodedText),
    Log(Encoding, Box<ScannedLog>),
}

/// Reads a file whole, or streams it if its first block is a log's.
fn take(member: InputFile<'_>, gauge: &ReadProgress) -> Option<Taken> {
    if looks_like_log(member.body.peek().as_bytes()) {
        let (encoding, log) = take_log(member.body, gauge);
        return Some(Taken::Log(encoding, Box::new(log)));
    }
    let text = member.body.into_text()?;
    gauge.add_bytes(text.text.len());
    Some(Taken::Text(text))
}

/// Streams a log: a file on disk by all threads, each at its own place, anything else in order.
fn take_log(body: FileText<'_>, gauge: &ReadProgress) -> (Encoding, ScannedLog) {
    if let Some(file) = body.ranges() {
        let progress = |bytes| gauge.add_bytes(bytes);
        let options = ScanOptions::default();
        let (log, end) = scan_file(&file.bytes, &decide_retention, &options, &progress);
        return (file.finish(end, log.has_invalid), log);
    }
    let mut pieces = gauge.watch(body.into_pieces());
    let log = scan_log(&mut pieces, &decide_retention);
    (pieces.inner.encoding(log.has_invalid), log)
}
