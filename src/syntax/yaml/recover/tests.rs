//! Documents as mail programs and hurried hands leave them.

use super::super::parse_yaml;
use super::*;
use crate::source::{Encoding, Origin, Sources};
use crate::syntax::Document;

fn read(text: &str) -> (Sources, Document) {
    let mut sources = Sources::default();
    let id = sources.add("test", Origin::default(), Encoding::Utf8, text);
    let source = sources.get(id);
    let mut documents = parse_yaml(&TextView::whole(source, source.span()), &|_| true);
    assert_eq!(documents.len(), 1, "{documents:#?}");
    let document = documents.remove(0);
    assert!(document.partial);
    (sources, document)
}

fn faults(sources: &Sources, document: &Document) -> Vec<String> {
    let faults = document.problems.iter().filter(|problem| is_fault(problem));
    faults.map(|problem| sources.text(problem.span).to_owned()).collect()
}

#[test]
fn a_broken_annotation_does_not_cost_the_status() {
    let text = "apiVersion: v1\nkind: Run\nmetadata:\n  annotations:\n    a: b\n    last: |\n      {\"apiVersion\":\"v1\",\n\"kind\":\"Run\",\"metadata\":{}}\n    z: 1\n  name: run\nspec:\n  state: Run\nstatus:\n  conditions:\n  - type: Progressing\n";
    let (sources, document) = read(text);
    let root = document.root.as_ref().unwrap();
    assert_eq!(document.head.name.as_deref(), Some("run"));
    let kind = root.at(&["status", "conditions"]).unwrap().items()[0].get("type").unwrap();
    assert_eq!(sources.text(kind.span), "Progressing");
    assert_eq!(root.at(&["metadata", "annotations", "a"]).unwrap().as_str(), Some("b"));
    let trust = |path: &[&str]| root.at(path).unwrap().fidelity;
    assert_eq!(root.fidelity, Fidelity::Cut);
    assert_eq!(trust(&["metadata"]), Fidelity::Cut);
    assert_eq!(trust(&["spec"]), Fidelity::Read);
    assert_eq!(trust(&["status"]), Fidelity::Read);
    assert_eq!(faults(&sources, &document), ["\"kind\":\"Run\",\"metadata\":{}}"]);
}

#[test]
fn a_message_that_was_wrapped_to_the_margin_costs_its_own_tail() {
    let text = "kind: Run\nstatus:\n  conditions:\n  - lastTransitionTime: t\n    message: stuck waiting for cluster\nmember-2 in stage\n    observedGeneration: 1\n    type: Progressing\n  - type: Succeeded\n    status: x\n  stage: x\n";
    let (sources, document) = read(text);
    let root = document.root.as_ref().unwrap();
    let conditions = root.at(&["status", "conditions"]).unwrap().items();
    assert_eq!(conditions.len(), 2);
    assert_eq!(conditions[0].get("message").unwrap().as_str(), Some("stuck waiting for cluster"));
    assert_eq!(conditions[0].get("type").unwrap().as_str(), Some("Progressing"));
    assert_eq!(conditions[0].fidelity, Fidelity::Cut);
    assert_eq!(conditions[1].fidelity, Fidelity::Read);
    assert_eq!(root.at(&["status", "stage"]).unwrap().as_str(), Some("x"));
    assert_eq!(faults(&sources, &document), ["member-2 in stage"]);
}

#[test]
fn tabs_and_stray_lines() {
    let (sources, document) = read("kind: A\nspec:\n\tx: 1\nstatus: # why\n  y: 2\n");
    let root = document.root.as_ref().unwrap();
    assert_eq!(root.at(&["status", "y"]).unwrap().value, Value::Int(2));
    assert_eq!(sources.text(document.comments[0]), "# why");
    let (_, document) = read("kind: A\nspec: [1, 2\nstatus:\n  y: 2\n");
    assert!(document.root.as_ref().unwrap().at(&["status", "y"]).is_some());
    let (_, document) = read("kind: A\n{{- if .Values.x }}\nspec:\n  x: 1\n{{- end }}\n");
    assert_eq!(document.problems[0].kind, ProblemKind::Template);
    assert!(document.root.as_ref().unwrap().at(&["spec", "x"]).is_some());
}

#[test]
fn a_fault_in_one_item_of_a_list_leaves_the_rest_of_it() {
    let text = "apiVersion: v1\nitems:\n- kind: A\n  metadata:\n    name: a\n  spec:\n   x: 1\n  y: \"open\n  status:\n    z: 1\nkind: List\n";
    let (sources, document) = read(text);
    assert!(document.root.as_ref().unwrap().at(&["status", "z"]).is_some());
    assert_eq!(faults(&sources, &document).len(), 1);
}
