//! JUnit XML: a test suite per file with findings, a failed case per finding.
//!
//! Owns the mapping to JUnit's words. Errors and warnings are failures, notes are passed cases with their text in
//! `system-out`; without any finding there is one passed case, since most services take an empty file for a fault.

use std::collections::BTreeMap;
use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::paths::Paths;
use super::snippet::{clean, masked};
use super::ticket::clock;
use crate::engine::{Report, ResolvedFinding};
use crate::finding::Severity;

/// Renders a report as one document.
pub fn render(report: &Report) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    write(&mut writer, report).expect("memory can be written to");
    let mut text = String::from_utf8(writer.into_inner()).expect("only text was written");
    text.push('\n');
    text
}

fn write(writer: &mut Writer<Vec<u8>>, report: &Report) -> io::Result<()> {
    let paths = Paths::below_input(report);
    let mut files: BTreeMap<String, Vec<&ResolvedFinding>> = BTreeMap::new();
    for resolved in &report.findings {
        files.entry(paths.show(&resolved.primary.path)).or_default().push(resolved);
    }
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let failures = report.findings.iter().filter(|it| is_failure(it)).count();
    let root = writer
        .create_element("testsuites")
        .with_attribute(("name", "fleetlens"))
        .with_attribute(("tests", report.findings.len().max(1).to_string().as_str()))
        .with_attribute(("failures", failures.to_string().as_str()));
    root.write_inner_content(|writer| {
        if files.is_empty() {
            writer
                .create_element("testsuite")
                .with_attribute(("name", "fleetlens"))
                .with_attribute(("tests", "1"))
                .with_attribute(("failures", "0"))
                .write_inner_content(|writer| {
                    let case = writer.create_element("testcase");
                    case.with_attribute(("name", "no finding")).write_empty().map(drop)
                })?;
        }
        files.iter().try_for_each(|(path, findings)| suite(writer, report, path, findings))
    })?;
    Ok(())
}

fn suite(
    writer: &mut Writer<Vec<u8>>,
    report: &Report,
    path: &str,
    findings: &[&ResolvedFinding],
) -> io::Result<()> {
    let failures = findings.iter().filter(|it| is_failure(it)).count();
    let suite = writer
        .create_element("testsuite")
        .with_attribute(("name", allowed(path).as_str()))
        .with_attribute(("tests", findings.len().to_string().as_str()))
        .with_attribute(("failures", failures.to_string().as_str()));
    suite.write_inner_content(|writer| {
        properties(writer, report)?;
        findings.iter().try_for_each(|it| case(writer, path, it))
    })?;
    Ok(())
}

/// Tells of what the report was made.
fn properties(writer: &mut Writer<Vec<u8>>, report: &Report) -> io::Result<()> {
    let mut told = vec![
        ("fleetlens".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ("catalogue".to_owned(), crate::grammar::digest().to_owned()),
        ("clock".to_owned(), clock(report)),
    ];
    if let Some(made) = &report.provenance {
        let inputs = made.inputs.iter();
        told.extend(inputs.map(|it| (format!("sha256 of {}", it.name), it.sha256.clone())));
        told.push(("options".to_owned(), masked(&made.flags.join(" "))));
    }
    let list = writer.create_element("properties");
    list.write_inner_content(|writer| {
        told.iter().filter(|(_, value)| !value.is_empty()).try_for_each(|(name, value)| {
            let property = writer.create_element("property");
            let property = property.with_attribute(("name", allowed(name).as_str()));
            property.with_attribute(("value", allowed(value).as_str())).write_empty().map(drop)
        })
    })?;
    Ok(())
}

fn case(writer: &mut Writer<Vec<u8>>, path: &str, resolved: &ResolvedFinding) -> io::Result<()> {
    let (finding, place) = (&resolved.finding, &resolved.primary);
    let object = place.object.as_ref().map(|key| format!(" {}", clean(&key.to_string())));
    let name = format!("{} {}{}", finding.code, finding.name, object.unwrap_or_default());
    let message = allowed(&masked(&finding.message));
    let text = format!(
        "{}:{}:{}: {message}\n{}",
        allowed(path),
        place.start.line,
        place.start.column,
        allowed(&masked(&finding.why)),
    );
    let case = writer
        .create_element("testcase")
        .with_attribute(("name", allowed(&name).as_str()))
        .with_attribute(("classname", allowed(path).as_str()))
        .with_attribute(("file", allowed(path).as_str()))
        .with_attribute(("line", place.start.line.to_string().as_str()));
    case.write_inner_content(|writer| {
        if is_failure(resolved) {
            writer
                .create_element("failure")
                .with_attribute(("message", message.as_str()))
                .with_attribute(("type", finding.severity.word()))
                .write_text_content(BytesText::new(text.trim_end()))?;
        } else {
            writer
                .create_element("system-out")
                .write_text_content(BytesText::new(text.trim_end()))?;
        }
        Ok(())
    })?;
    Ok(())
}

fn is_failure(resolved: &ResolvedFinding) -> bool {
    resolved.finding.severity > Severity::Note
}

/// Takes out what XML 1.0 cannot hold even when escaped.
fn allowed(text: &str) -> String {
    let is_allowed = |c: &char| !matches!(c, '\u{fffe}' | '\u{ffff}');
    clean(text).chars().filter(is_allowed).collect()
}
