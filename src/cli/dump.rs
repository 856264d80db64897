//! `fleetlens dump`: what was understood of the input, for people who debug parsers.

mod compare;

use std::fmt::Write as _;

use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};

use super::redact::RedactOption;
use super::unreadable::nothing_in;
use super::{Exit, output};
use crate::bundle::Bundle;
use crate::error::Error;
use crate::redact::Names;
use crate::report::{clean, json_text};
use crate::source::{SourceFile, Sources};
use crate::syntax::Document;
use crate::syntax::tree::{Fidelity, Node, Value};

/// Arguments of `dump`.
#[derive(Debug, Args)]
pub(super) struct DumpArgs {
    /// Directories, archives, files, or `-` for standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// Compare the same objects as yaml, json and describe (`X.yaml`, `X.json`, `X.describe.txt`).
    #[arg(long)]
    compare: bool,
    /// Show every node with its path, value, place and fidelity.
    #[arg(long)]
    tree: bool,
    /// Text, or JSON.
    #[arg(short = 'o', long, value_enum, default_value = "text")]
    format: DumpFormat,
    #[command(flatten)]
    redact: RedactOption,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DumpFormat {
    Text,
    Json,
}

/// Runs the command.
pub(super) fn run(args: &DumpArgs) -> Result<Exit, Error> {
    let bundle = Bundle::open(&args.paths)?;
    if bundle.is_empty() && args.format == DumpFormat::Text {
        return Err(Error::Nothing(nothing_in(&bundle, &args.paths)));
    }
    args.redact.apply_with(&[&bundle.sources], || {
        Names::of(&bundle, &crate::graph::build(&bundle, None))
    })?;
    if args.compare {
        return compare::run(&bundle);
    }
    let text = match args.format {
        DumpFormat::Text => as_text(&bundle, args.tree),
        DumpFormat::Json => as_json(&bundle, args.tree),
    };
    output::publish(&text, &bundle.sources)?;
    Ok(if bundle.is_empty() { Exit::Nothing } else { Exit::Clean })
}

fn as_text(bundle: &Bundle, tree: bool) -> String {
    let mut out = String::new();
    for (source, parsed) in bundle.sources.iter().zip(&bundle.parsed) {
        let origin = source.origin();
        let from = origin
            .cluster
            .as_deref()
            .map(|cluster| format!("  from {cluster}"))
            .unwrap_or_default();
        let layout = origin.layout.map(|layout| format!("  ({layout})")).unwrap_or_default();
        let lines = source.line_count();
        let _ = writeln!(
            out,
            "{}  {lines} lines  {:?}{from}{layout}",
            clean(source.path()),
            source.encoding()
        );
        for document in &parsed.documents {
            let _ = writeln!(out, "  {}", clean(&headline(source, document)));
            for problem in &document.problems {
                let at = source.position(problem.span.lo);
                let message = clean(&bundle.sources.hide(&problem.message));
                let _ = writeln!(out, "    ! {}:{} {message}", at.line, at.column);
            }
            if let Some(root) = document.root.as_ref().filter(|_| tree) {
                walk(root, String::new(), &mut |path, node| {
                    let at = source.position(node.span.lo);
                    let mark = mark(node.fidelity);
                    let _ = writeln!(
                        out,
                        "    {}:{}  {} = {}{mark}",
                        at.line,
                        at.column,
                        clean(&bundle.sources.hide(path)),
                        clean(&show(node, &bundle.sources))
                    );
                });
            }
        }
        for log in &parsed.logs {
            let (first, last) =
                (source.position(log.span.lo).line, source.position(log.span.hi).line);
            let _ = writeln!(out, "  log, lines {first} to {last}");
        }
        for problem in &parsed.problems {
            let at = source.position(problem.span.lo);
            let message = clean(&bundle.sources.hide(&problem.message));
            let _ = writeln!(out, "  ! {}:{} {message}", at.line, at.column);
        }
    }
    for refusal in &bundle.refusals {
        let _ = writeln!(out, "{}  not read: {}", clean(&refusal.path), clean(&refusal.reason));
    }
    out
}

fn headline(source: &SourceFile, document: &Document) -> String {
    let head = &document.head;
    let place = source.position(document.span.lo);
    let kind = head.kind.as_deref().unwrap_or("?");
    let namespace =
        head.namespace.as_deref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
    let name = head.name.as_deref().unwrap_or("?");
    let partial = if document.partial { ", partial" } else { "" };
    let skipped = if document.root.is_none() { ", not parsed" } else { "" };
    format!(
        "line {}  {:?}{partial}{skipped}  {kind} {namespace}{name}",
        place.line, document.syntax
    )
}

fn as_json(bundle: &Bundle, tree: bool) -> String {
    let sources: Vec<Json> = bundle
        .sources
        .iter()
        .zip(&bundle.parsed)
        .map(|(source, parsed)| {
            let documents = parsed.documents.iter().map(|document| document_json(&bundle.sources, source, document, tree));
            json!({
                "path": source.path(),
                "encoding": format!("{:?}", source.encoding()),
                "lines": source.line_count(),
                "cluster": source.origin().cluster,
                "layout": source.origin().layout,
                "documents": documents.collect::<Vec<_>>(),
                "logs": parsed.logs.iter().map(|log| json!({
                    "line": source.position(log.span.lo).line, "end_line": source.position(log.span.hi).line,
                })).collect::<Vec<_>>(),
            })
        })
        .collect();
    let refusals: Vec<Json> = bundle
        .refusals
        .iter()
        .map(|refusal| json!({ "path": refusal.path, "reason": refusal.reason }))
        .collect();
    let value = json!({ "schema": "fleetlens/dump/1", "sources": sources, "refused": refusals });
    json_text(&value)
}

fn document_json(sources: &Sources, source: &SourceFile, document: &Document, tree: bool) -> Json {
    let head = &document.head;
    let mut nodes = Vec::new();
    if let Some(root) = document.root.as_ref().filter(|_| tree) {
        walk(root, String::new(), &mut |path, node| {
            let at = source.position(node.span.lo);
            nodes.push(json!({
                "path": sources.hide(path), "value": show(node, sources), "line": at.line, "column": at.column,
                "text": sources.get(node.span.source).shown(node.span), "fidelity": format!("{:?}", node.fidelity).to_lowercase(),
            }));
        });
    }
    let mut value = json!({
        "line": source.position(document.span.lo).line,
        "syntax": format!("{:?}", document.syntax),
        "partial": document.partial,
        "parsed": document.root.is_some(),
        "apiVersion": head.api_version, "kind": head.kind, "namespace": head.namespace, "name": head.name,
        "problems": document.problems.iter().map(|problem| json!({
            "line": source.position(problem.span.lo).line, "message": sources.hide(&problem.message),
        })).collect::<Vec<_>>(),
    });
    if let (true, Json::Object(map)) = (tree, &mut value) {
        map.insert("nodes".to_owned(), Json::Array(nodes));
    }
    value
}

/// Calls `visit` for every scalar and every empty map or list below a node, with its path.
fn walk(node: &Node, path: String, visit: &mut dyn FnMut(&str, &Node)) {
    match &node.value {
        Value::Map(entries) if !entries.is_empty() => {
            for entry in entries {
                let dot = if path.is_empty() { "" } else { "." };
                walk(&entry.node, format!("{path}{dot}{}", entry.key), visit);
            }
        }
        Value::List(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                walk(item, format!("{path}[{index}]"), visit);
            }
        }
        _ => visit(&path, node),
    }
}

/// Shows a value; one of which a part is hidden is shown as it stands in the text, without that part.
fn show(node: &Node, sources: &Sources) -> String {
    let source = sources.get(node.span.source);
    let shown = source.shown(node.span);
    if shown != source.slice(node.span) {
        return shown;
    }
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Map(_) => "{}".to_owned(),
        Value::List(_) => "[]".to_owned(),
        // Hidden before it is quoted: quoting a quotation hides its end.
        Value::String(text) => format!("{:?}", sources.hide(text)),
        _ => node.text().map(|text| sources.hide(&text.value).into_owned()).unwrap_or_default(),
    }
}

fn mark(fidelity: Fidelity) -> &'static str {
    match fidelity {
        Fidelity::Read | Fidelity::Open => "",
        Fidelity::Inferred => "  (inferred)",
        Fidelity::Cut => "  (cut)",
    }
}
