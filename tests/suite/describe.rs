//! Describe text against the full objects, and what must hold for any text.

mod builtin;
mod paste;
mod printed;
mod property;

use std::path::{Path, PathBuf};

use fleetlens::internals::source::{Encoding, Origin, Sources, Span};
use fleetlens::internals::syntax::compare::{TreeDifference, compare_documents};
use fleetlens::internals::syntax::describe::parse_describe;
use fleetlens::internals::syntax::json::parse_json;
use fleetlens::internals::syntax::tree::{Node, Style, Value};
use fleetlens::internals::syntax::view::TextView;
use fleetlens::internals::syntax::{Context, Document, Syntax};

/// Parses a text as describe output that no command is known of.
fn parse(text: &str) -> Vec<Document> {
    parse_with(text, &Context::default())
}

fn parse_with(text: &str, context: &Context) -> Vec<Document> {
    let mut sources = Sources::default();
    let id = sources.add("input", Origin::default(), Encoding::Utf8, text);
    let source = sources.get(id);
    let documents = parse_describe(&TextView::whole(source, source.span()), context);
    for document in &documents {
        check_spans(text, document);
    }
    documents
}

fn parse_one(text: &str) -> Document {
    let mut documents = parse(text);
    assert_eq!(documents.len(), 1);
    documents.remove(0)
}

/// Returns the scalar at a path of keys and item numbers, as text.
fn at(document: &Document, path: &str) -> String {
    node_at(document, path).text().unwrap_or_else(|| panic!("{path} is no scalar")).value.into()
}

fn root(document: &Document) -> &Node {
    document.root.as_ref().expect("a describe document has a tree")
}

fn node_at<'d>(document: &'d Document, path: &str) -> &'d Node {
    path.split('.').fold(root(document), |node, step| {
        let next = match step.parse::<usize>() {
            Ok(number) => node.items().get(number),
            Err(_) => node.get(step),
        };
        next.unwrap_or_else(|| panic!("no {step} of {path}"))
    })
}

/// Fails unless all spans lie in the text, children in their parents, and plain text under its span.
fn check_spans(text: &str, document: &Document) {
    fn walk(text: &str, node: &Node, around: Span) {
        assert!(around.contains(node.span), "{node:?} leaves {around:?}");
        let under = text.get(node.span.range()).expect("a span lies on character borders");
        if let (Value::String(value), Style::Plain) = (&node.value, node.style) {
            assert_eq!(under, &**value);
        }
        for entry in node.entries() {
            assert!(text.get(entry.key_span.range()).is_some());
            walk(text, &entry.node, node.span);
        }
        node.items().iter().for_each(|item| walk(text, item, node.span));
    }
    let whole = Span::new(document.span.source, 0, text.len());
    assert!(whole.contains(document.span));
    let root = root(document);
    assert!(document.span.contains(root.span), "{:?} {:?}", document.span, root.span);
    walk(text, root, root.span);
    document.problems.iter().for_each(|problem| assert!(whole.contains(problem.span)));
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("testdata is readable")
}

/// Returns the describe files of `testdata/same`.
fn describe_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/same");
    let files = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().filter_map(Result::ok);
    let paths = files.map(walkdir::DirEntry::into_path);
    paths.filter(|path| path.to_string_lossy().ends_with(".describe.txt")).collect()
}

fn differences(path: &Path) -> (Vec<TreeDifference>, Syntax) {
    differences_in(path, &read(path))
}

/// Compares a describe text with the full object beside a describe file.
fn differences_in(path: &Path, text: &str) -> (Vec<TreeDifference>, Syntax) {
    let shown = parse_one(text);
    let json = path.to_string_lossy().replace(".describe.txt", ".json");
    let mut sources = Sources::default();
    let text = read(Path::new(&json));
    let id = sources.add("full", Origin::default(), Encoding::Utf8, text);
    let source = sources.get(id);
    let full = parse_json(&TextView::whole(source, source.span()), &|_| true);
    (compare_documents(&full[0], &shown), shown.syntax)
}

#[test]
fn describe_trees_equal_the_full_ones_but_for_named_losses() {
    let files = describe_files();
    assert!(files.len() >= 40);
    for path in files {
        for difference in differences(&path).0 {
            let TreeDifference { path: field, loss, message, .. } = difference;
            assert!(loss.is_some(), "{}: {field}: {message}", path.display());
        }
    }
}

#[test]
fn custom_resources_lose_something_only_where_it_is_known() {
    let mut lossy = Vec::new();
    for path in describe_files() {
        let (differences, syntax) = differences(&path);
        if syntax == Syntax::Describe && !differences.is_empty() {
            lossy.push(path.file_stem().unwrap().to_string_lossy().replace(".describe", ""));
        }
    }
    // Untyped patch values, a value with a tab, cut annotations, untyped payload; the last one hides
    // its only annotation.
    let known = [
        "ResourceOverride__test-namespace__replica-override",
        "ResourceOverrideSnapshot__test-namespace__bad-override-0",
        "ResourceBinding__my-app-namespace__web-app-placement-dev-01-40ded4ae",
        "StagedUpdateRun__my-app-namespace__web-app-rollout",
        "ClusterResourceEnvelope_____exotic-envelope",
        "ClusterStagedUpdateStrategy_____only-skipped-annotation",
    ];
    assert_eq!(lossy, known);
}

#[test]
fn a_changed_or_missing_field_is_a_fault() {
    let name = "stuck/ClusterStagedUpdateRun_____example-run.describe.txt";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/same").join(name);
    let text = read(&path);
    for (from, to, field) in [
        ("UpdateRunStuck", "UpdateRunFine", "status.conditions[1].reason"),
        ("      Cluster Name:  member3\n", "", "status.stagesStatus[1].clusters"),
        ("  State:                         Run\n", "", "spec.state"),
    ] {
        assert!(text.contains(from));
        let (differences, _) = differences_in(&path, &text.replace(from, to));
        let faults: Vec<&str> = differences
            .iter()
            .filter(|difference| difference.loss.is_none())
            .map(|difference| &*difference.path)
            .collect();
        assert_eq!(faults, [field]);
    }
}

#[test]
fn typed_fields_survive_the_loss_of_all_indentation() {
    // Payload that has no schema, and values of several lines, cannot be told from fields any more.
    let hopeless = ["Work_", "Envelope_", "Snapshot_", "dev-01-40ded4ae"];
    let mut count = 0;
    for path in describe_files() {
        if hopeless.iter().any(|name| path.to_string_lossy().contains(name)) {
            continue;
        }
        let text = read(&path);
        let text: String = text.lines().map(|line| format!("{}\n", line.trim_start())).collect();
        let (differences, syntax) = differences_in(&path, &text);
        if syntax == Syntax::Describe {
            count += 1;
            let long_text =
                |difference: &TreeDifference| difference.path.starts_with("metadata.annotations");
            let fault = differences.iter().find(|found| found.loss.is_none() && !long_text(found));
            assert!(fault.is_none(), "{}: {fault:?}", path.display());
        }
    }
    assert!(count >= 25, "{count}");
}

#[test]
fn many_objects_in_one_output_are_told_apart() {
    let texts: Vec<String> = describe_files().iter().map(|path| read(path)).collect();
    let documents = parse(&texts.join("\n\n"));
    assert_eq!(documents.len(), texts.len());
    for (document, text) in documents.iter().zip(&texts) {
        let alone = parse_one(text);
        assert_eq!(document.head, alone.head);
        assert!(same(root(document), root(&alone)), "{:?}", alone.head);
        assert!(document.listed && !alone.listed);
    }
}

/// Says whether two trees hold the same values and are trusted alike.
fn same(left: &Node, right: &Node) -> bool {
    left.fidelity == right.fidelity
        && match (&left.value, &right.value) {
            (Value::Map(a), Value::Map(b)) => {
                a.len() == b.len()
                    && a.iter().zip(b).all(|(a, b)| a.key == b.key && same(&a.node, &b.node))
            }
            (Value::List(a), Value::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
            }
            (a, b) => a == b,
        }
}
