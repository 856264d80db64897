//! What is done with any bytes: the bodies of the fuzz targets, and of the property tests that run without one.
//!
//! Each body panics if its promise is broken: a panic of the program, a rule that broke down, a place outside the text, an
//! escape that reaches a report. Time and memory are measured by whoever calls it.

use std::path::Path;

use fleetlens::internals::bundle::{Bundle, decide_retention};
use fleetlens::internals::check::{CheckSettings, check as judge_manifests};
use fleetlens::internals::config::Config;
use fleetlens::internals::engine::{Report, judge};
use fleetlens::internals::grammar::message::{MessageContext, recognise};
use fleetlens::internals::input::{Input, InputFile, Limits, read_inputs};
use fleetlens::internals::manifest::{FileRole, Repository, Setting};
use fleetlens::internals::report::{
    azure, concise, github, gitlab, html, human, json as json_report, junit, markdown, reply, sarif,
};
use fleetlens::internals::source::{Encoding, Origin, SourceFile, Sources};
use fleetlens::internals::syntax::describe::parse_describe;
use fleetlens::internals::syntax::detect::parse_source;
use fleetlens::internals::syntax::json::parse_json;
use fleetlens::internals::syntax::log::scan_text;
use fleetlens::internals::syntax::table::parse_table;
use fleetlens::internals::syntax::view::TextView;
use fleetlens::internals::syntax::yaml::{parse_manifests, parse_yaml};
use fleetlens::internals::syntax::{Context, Document};

/// A body, by its name.
pub(crate) type Body = (&'static str, fn(&[u8]));

/// All bodies.
pub(crate) const ALL: [Body; 10] = [
    ("yaml", yaml),
    ("json", json),
    ("describe", describe),
    ("table", table),
    ("klog", klog),
    ("paste", paste),
    ("archive", archive),
    ("templates", templates),
    ("check", check),
    ("pipeline", pipeline),
];

fn sources(name: &str, bytes: &[u8]) -> Sources {
    let mut sources = Sources::default();
    let text = String::from_utf8_lossy(bytes);
    sources.add(name, Origin::default(), Encoding::Utf8, &*text);
    sources
}

fn within(source: &SourceFile, documents: &[Document]) {
    let (text, length) = (source.text(), source.text().len());
    for document in documents {
        let (lo, hi) = (document.span.lo as usize, document.span.hi as usize);
        assert!(lo <= hi && hi <= length, "a document at {lo}..{hi} of {length}");
        let Some(root) = &document.root else { continue };
        root.walk(&mut |node| {
            let (lo, hi) = (node.span.lo as usize, node.span.hi as usize);
            assert!(lo <= hi && hi <= length, "a node at {lo}..{hi} of {length}");
            assert!(text.is_char_boundary(lo) && text.is_char_boundary(hi), "half a character");
        });
    }
}

fn parsed(bytes: &[u8], parse: impl Fn(&TextView<'_>) -> Vec<Document>) {
    let sources = sources("fuzz.txt", bytes);
    for source in sources.iter() {
        within(source, &parse(&TextView::whole(source, source.span())));
    }
}

/// Reads YAML as programs print it, and as the API server takes it.
fn yaml(bytes: &[u8]) {
    parsed(bytes, |view| parse_yaml(view, &|_| true));
    parsed(bytes, |view| parse_manifests(view, &|_| true));
}

/// Reads JSON.
fn json(bytes: &[u8]) {
    parsed(bytes, |view| parse_json(view, &|_| true));
}

/// Reads what `kubectl describe` prints.
fn describe(bytes: &[u8]) {
    parsed(bytes, |view| parse_describe(view, &Context::default()));
}

/// Reads what `kubectl get` prints.
fn table(bytes: &[u8]) {
    parsed(bytes, |view| parse_table(view, &Context::default()));
}

/// Reads lines of agents.
fn klog(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let scan = scan_text(&text, &decide_retention);
    for record in &scan.records {
        let range = record.range();
        assert!(range.start <= range.end && range.end as usize <= text.len(), "a record outside");
    }
}

/// Finds out what a text is, and reads it.
fn paste(bytes: &[u8]) {
    let sources = sources("ticket.txt", bytes);
    for source in sources.iter() {
        within(source, &parse_source(source, &|_| true).documents);
    }
}

/// Opens an archive, whatever it is.
fn archive(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("bundle");
    std::fs::write(&path, bytes).expect("room for it");
    let limits = Limits::default();
    let mut kept = 0;
    let mut sink = |member: InputFile<'_>| {
        assert!(!Path::new(member.path).components().any(|it| it.as_os_str() == ".."));
        kept += member.body.into_text().map_or(0, |text| text.text.len() as u64);
    };
    // A file that cannot be read is told, not a failure.
    let _ = read_inputs(&[Input::from(&*path)], &limits, &mut sink);
    // A text in an encoding of one byte may take three in ours.
    let most = 3 * limits.ratio_from.max(limits.ratio * bytes.len() as u64);
    assert!(kept <= most, "{kept} bytes out of {}", bytes.len());
}

/// Recognises a message of a controller.
fn templates(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines().take(50) {
        let recognised = recognise(line, &MessageContext::default());
        for part in &recognised.parts {
            assert!(line.get(part.range.clone()).is_some(), "a part outside of {line:?}");
        }
    }
}

/// Judges a manifest.
fn check(bytes: &[u8]) {
    let sources = sources("fleet.yaml", bytes);
    let repository = Repository::read(&sources, &[FileRole::Judged], Setting::default());
    let report = judge_manifests(&repository, &sources, &CheckSettings::default());
    harmless(&report, &sources);
}

/// Judges a bundle of one file.
fn pipeline(bytes: &[u8]) {
    let bundle = Bundle::parse(sources("bundle.yaml", bytes), &|_| true);
    let report = judge(&bundle, &Config::default());
    harmless(&report, &bundle.sources);
}

/// Prints a report in every format: no rule broke down, and nothing in it steers a terminal or a pipeline.
fn harmless(report: &Report, sources: &Sources) {
    let broken = report.findings.iter().find(|it| it.finding.code == "FL0009");
    assert!(broken.is_none(), "{}", broken.map_or("", |it| &*it.finding.message));
    let texts = [
        human::render(report, sources, human::Look::plain(100)),
        concise::render(report),
        json_report::render(report, sources),
        markdown::render(report, sources),
        reply::render(report),
        html::render(report, sources),
        github::render(report),
        gitlab::render(report),
        sarif::render(report, sources),
        junit::render(report),
        azure::render(report),
    ];
    for text in texts {
        let steers = |c: &char| c.is_control() && !matches!(c, '\n' | '\t');
        let found = text.chars().find(steers);
        assert!(found.is_none(), "{found:?} in {:?}", text.chars().take(60).collect::<String>());
    }
}
