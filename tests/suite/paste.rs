//! Pastes, mails, transcripts and tables: what comes out of a file that is not of one syntax.
//!
//! `testdata/syntax/{paste,table}/<name>.in` is a file as somebody sent it (without `.in`), and
//! `<name>.out` shows what was found: documents with their trees, logs, absences, problems.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use fleetlens::internals::source::{Encoding, Origin, SourceFile, Sources, Span};
use fleetlens::internals::syntax::detect::parse_source;
use fleetlens::internals::syntax::tree::{Fidelity, Node, Style, Value};
use fleetlens::internals::syntax::{Document, DocumentHead, Parsed};
use proptest::prelude::*;

use crate::bless::{golden, names_in, report};

fn all(_: &DocumentHead) -> bool {
    true
}

fn with_parsed(path: &str, text: &str, check: &mut dyn FnMut(&SourceFile, &Parsed)) {
    let mut sources = Sources::default();
    let id = sources.add(path, Origin::default(), Encoding::Utf8, text);
    let source = sources.get(id);
    check(source, &parse_source(source, &all));
}

/// Prints a tree on one line; `~` marks what was inferred and `-` what was cut.
fn print_tree(node: &Node, out: &mut String) {
    out.push_str(match node.fidelity {
        Fidelity::Read | Fidelity::Open => "",
        Fidelity::Inferred => "~",
        Fidelity::Cut => "-",
    });
    match &node.value {
        Value::Map(entries) => {
            out.push('{');
            for (at, entry) in entries.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                let _ = write!(out, "{}: ", entry.key);
                print_tree(&entry.node, out);
            }
            out.push('}');
        }
        Value::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                print_tree(item, out);
            }
            out.push(']');
        }
        Value::String(text) => {
            let _ = write!(out, "{text:?}");
        }
        Value::Null => out.push_str("null"),
        _ => out.push_str(&node.text().map(|text| text.value).unwrap_or_default()),
    }
}

fn lines(source: &SourceFile, span: Span) -> String {
    let line = |offset: u32| source.position(offset).line;
    format!("{}-{}", line(span.lo), line(span.hi.saturating_sub(1).max(span.lo)))
}

fn or_dash(text: Option<&str>) -> &str {
    text.unwrap_or("-")
}

fn print_document(source: &SourceFile, document: &Document, out: &mut String) {
    let Document { head, context, .. } = document;
    let _ = write!(out, "{:?} {}", document.syntax, lines(source, document.span));
    let _ = write!(out, " {} ", or_dash(head.kind.as_deref()));
    let _ = write!(out, "{}/{}", or_dash(head.namespace.as_deref()), or_dash(head.name.as_deref()));
    for (is, word) in [(document.partial, " partial"), (document.listed, " listed")] {
        out.push_str(if is { word } else { "" });
    }
    let cluster = context.cluster.as_deref().map(|cluster| format!(" on {cluster}"));
    out.push_str(&cluster.unwrap_or_default());
    if let Some(command) = context.command {
        let _ = write!(out, " from `{}`", source.slice(command).replace('\n', " "));
    }
    out.push('\n');
    if let Some(root) = &document.root {
        out.push_str("  ");
        print_tree(root, out);
        out.push('\n');
    }
    for problem in &document.problems {
        let _ = writeln!(out, "  ! {:?}: {}", problem.kind, problem.message);
    }
}

fn print(source: &SourceFile, parsed: &Parsed) -> String {
    let mut out = String::new();
    for document in &parsed.documents {
        print_document(source, document, &mut out);
    }
    for log in &parsed.logs {
        let _ = writeln!(out, "Log {}", lines(source, log.span));
    }
    for absence in &parsed.absences {
        let kind = or_dash(absence.kind.as_deref());
        let name = or_dash(absence.name.as_deref());
        let namespace = or_dash(absence.namespace.as_deref());
        let place = lines(source, absence.span);
        let _ = writeln!(out, "Absent {:?} {place} {kind} {namespace}/{name}", absence.what);
    }
    for problem in &parsed.problems {
        let place = lines(source, problem.span);
        let _ = writeln!(out, "Problem {:?} {place} {}", problem.kind, problem.message);
    }
    out
}

/// Returns everything that a file's result must never be.
fn faults(source: &SourceFile, parsed: &Parsed) -> Vec<String> {
    let text = source.text();
    let inside = |span: Span| text.get(span.range()).is_some() && span.source == source.id();
    let mut faults = Vec::new();
    let mut judge = |fine: bool, what: &str, span: Span| {
        if !fine {
            faults.push(format!("{what} at {span:?}"));
        }
    };
    for document in &parsed.documents {
        judge(inside(document.span), "a document reaches out of the file", document.span);
        let Some(root) = &document.root else { continue };
        judge(document.span.contains(root.span), "a root leaves its document", root.span);
        root.walk(&mut |node| {
            judge(inside(node.span), "a node reaches out of the file", node.span);
            node.entries().iter().for_each(|entry| {
                judge(inside(entry.key_span), "a key reaches out of the file", entry.key_span);
                judge(
                    node.span.contains(entry.node.span),
                    "a child leaves its parent",
                    entry.node.span,
                );
            });
            for item in node.items() {
                judge(node.span.contains(item.span), "an item leaves its list", item.span);
            }
        });
    }
    let logs = parsed.logs.iter().map(|log| log.span);
    let absences = parsed.absences.iter().map(|absence| absence.span);
    let problems = parsed.problems.iter().map(|problem| problem.span);
    for span in logs.chain(absences).chain(problems) {
        judge(inside(span), "a place is not in the file", span);
    }
    faults
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/syntax").join(name)
}

/// Returns name and text of every input in a folder.
fn inputs(name: &str) -> Vec<(String, String)> {
    let folder = folder(name);
    let read =
        |file: &String| std::fs::read_to_string(folder.join(file)).expect("it was just listed");
    let files = names_in(&folder).into_iter();
    files.filter_map(|file| Some((file.strip_suffix(".in")?.to_owned(), read(&file)))).collect()
}

fn goldens(folder: &str) {
    let mut troubles = Vec::new();
    for (name, text) in inputs(folder) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/syntax").join(folder);
        with_parsed(&name, &text, &mut |source, parsed| {
            troubles.extend(faults(source, parsed));
            troubles
                .extend(golden(&root.join(format!("{name}.out")), &print(source, parsed)).err());
        });
    }
    report(troubles);
}

#[test]
fn pastes_are_read_as_expected() {
    goldens("paste");
}

#[test]
fn tables_are_read_as_expected() {
    goldens("table");
}

/// Cells of tables are written as they stand, so the text under every value is the value.
#[test]
fn table_values_are_the_text_under_their_spans() {
    for (name, text) in inputs("table") {
        with_parsed(&name, &text, &mut |source, parsed| {
            for root in parsed.documents.iter().filter_map(|document| document.root.as_ref()) {
                root.walk(&mut |node| {
                    let plain = node.style == Style::Plain && !node.span.is_empty();
                    if let Some(text) = node.text().filter(|_| plain) {
                        assert_eq!(*text.value, *source.slice(node.span), "{name}");
                    }
                });
            }
        });
    }
}

#[test]
fn a_file_may_end_anywhere() {
    for (name, text) in inputs("paste").into_iter().chain(inputs("table")) {
        let step = 1 + text.len() / 50;
        for end in (0..text.len()).step_by(step).filter(|&end| text.is_char_boundary(end)) {
            with_parsed(&name, &text[..end], &mut |source, parsed| {
                assert_eq!(faults(source, parsed), Vec::<String>::new(), "{name} cut at {end}");
            });
        }
    }
}

/// Lines that mean something to the splitter, to be shuffled.
const LINES: [&str; 34] = [
    "```yaml",
    "```",
    "~~~",
    "$ kubectl get csur a -o yaml",
    "# kubectl get crp \\",
    "PS C:\\> kubectl get pods",
    "kubectl config use-context m2",
    "> quoted",
    ">> > ```",
    "...",
    "  ...",
    "# ...",
    "apiVersion: v1",
    "kind: Pod",
    "status:",
    "  conditions:",
    "  - lastTransitionTime: x",
    "    reason: UpdateRunStuck",
    "- a: 1",
    "Name:         web",
    "Namespace:    shop",
    "API Version:  placement.kubernetes-fleet.io/v1",
    "Kind:         ClusterStagedUpdateRun",
    "    Last Transition Time:  2026",
    "Events:  <none>",
    "NAME   AGE",
    "web    5m",
    "{\"a\": [",
    "]}",
    "No resources found",
    "==== START logs for container a ====",
    "I0302 09:01:00.000001       1 a.go:1] x",
    "Data",
    "cat <<EOF | kubectl apply -f -",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_survived(text in "(?s).{0,300}", path in "[a-z]{1,8}\\.(txt|md|yaml|json|log|eml)") {
        with_parsed(&path, &text, &mut |source, parsed| {
            assert_eq!(faults(source, parsed), Vec::<String>::new());
        });
    }

    #[test]
    fn any_order_of_telling_lines_is_survived(
        picks in prop::collection::vec((0..LINES.len(), 0..5_usize, any::<bool>()), 0..40),
    ) {
        let mut text = String::new();
        for (pick, indent, quoted) in picks {
            text.push_str(if quoted { "> " } else { "" });
            text.push_str(&" ".repeat(indent));
            text.push_str(LINES[pick]);
            text.push_str(if indent == 3 { "\r\n" } else { "\n" });
        }
        with_parsed("ticket.txt", &text, &mut |source, parsed| {
            assert_eq!(faults(source, parsed), Vec::<String>::new(), "{text}");
        });
    }
}

#[test]
fn a_selector_leaves_objects_out_and_a_pipe_lines() {
    let list = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: placement.kubernetes-fleet.io/v1\n  kind: ClusterStagedUpdateRun\n  metadata:\n    name: web-1\n  spec:\n    placementName: web\n";
    let read = |command: &str| {
        let mut found = Vec::new();
        let text = format!("$ kubectl get clusterstagedupdateruns {command}\n{list}");
        with_parsed("ticket.txt", &text, &mut |_, parsed| {
            found = parsed.documents.iter().map(|it| (it.partial, it.listed)).collect();
        });
        found
    };
    assert_eq!(read("-o yaml"), [(false, true)]);
    assert_eq!(read("-l app=web -o yaml"), [(false, false)]);
    assert_eq!(read("web-1 web-2 -o yaml"), [(false, false)]);
    assert_eq!(read("-o yaml | head -50"), [(true, false)]);
}
