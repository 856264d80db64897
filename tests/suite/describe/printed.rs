//! What kubectl prints, read to the letter: blanks, annotations, events, types.

use super::{at, node_at, parse_one};
use fleetlens::internals::syntax::Syntax;
use fleetlens::internals::syntax::tree::{Fidelity, Value};

const HEAD: &str = "Name:         r\nNamespace:    \nLabels:       <none>\nAnnotations:  <none>\n\
    API Version:  placement.kubernetes-fleet.io/v1\nKind:         ClusterStagedUpdateRun\n";

#[test]
fn blanks_around_a_value_are_its_own() {
    let run = parse_one(&format!(
        "{HEAD}Status:\n  Conditions:\n    Message:   two before and after  \n    Reason:  UpdateRunFailed\n    Type:    Succeeded\nEvents:  <none>\n"
    ));
    // The run's values start two behind `Message:`, so one more blank belongs to the value.
    assert_eq!(at(&run, "status.conditions.0.message"), "two before and after  ");
    let run = parse_one(&format!(
        "{HEAD}Status:\n  Conditions:\n    Message:    two before\n    Reason:   UpdateRunFailed\n    Type:     Succeeded\nEvents:       <none>\n"
    ));
    assert_eq!(at(&run, "status.conditions.0.message"), "  two before");
}

#[test]
fn types_come_from_the_schema() {
    let run = parse_one(&format!(
        "{HEAD}Metadata:\n  Generation:        7\n  Resource Version:  42\nSpec:\n  Resource Snapshot Index:  0\nStatus:\n  \
         Policy Observed Cluster Count:  many\n  Staged Update Strategy Snapshot:\n    Stages:\n      Max Concurrency:  25%\n      Name:             a\n      \
         Max Concurrency:  3\n      Name:             b\nEvents:                 <none>\n"
    ));
    assert_eq!(node_at(&run, "metadata.generation").value, Value::Int(7));
    assert_eq!(node_at(&run, "metadata.resourceVersion").value, Value::String("42".into()));
    assert_eq!(node_at(&run, "spec.resourceSnapshotIndex").value, Value::String("0".into()));
    let stages = "status.stagedUpdateStrategySnapshot.stages";
    assert_eq!(at(&run, &format!("{stages}.0.maxConcurrency")), "25%");
    assert_eq!(node_at(&run, &format!("{stages}.1.maxConcurrency")).value, Value::Int(3));
    let odd = node_at(&run, "status.policyObservedClusterCount");
    assert_eq!((odd.as_str(), odd.fidelity), (Some("many"), Fidelity::Inferred));
}

#[test]
fn borders_between_items_are_trusted_where_each_item_has_a_key_for_sure() {
    let placement = parse_one(
        "Name:         p\nNamespace:    \nLabels:       <none>\nAnnotations:  <none>\nAPI Version:  placement.kubernetes-fleet.io/v1\nKind:         ClusterResourcePlacement\n\
         Spec:\n  Policy:\n    Affinity:\n      Cluster Affinity:\n        Required During Scheduling Ignored During Execution:\n          Cluster Selector Terms:\n            \
         Label Selector:\n              Match Labels:\n                Tier:  gold\n            Label Selector:\n              Match Labels:\n                Tier:  silver\n\
         Status:\n  Conditions:\n    Last Transition Time:  a\n    Type:                  A\n    Last Transition Time:  b\n    Type:                  B\nEvents:                    <none>\n",
    );
    let conditions = node_at(&placement, "status.conditions").items();
    assert!(conditions.len() == 2 && conditions.iter().all(|item| item.fidelity == Fidelity::Read));
    let terms = "spec.policy.affinity.clusterAffinity.requiredDuringSchedulingIgnoredDuringExecution.clusterSelectorTerms";
    let terms = node_at(&placement, terms).items();
    assert!(terms.len() == 2 && terms.iter().all(|item| item.fidelity == Fidelity::Inferred));
}

#[test]
fn labels_and_annotations_keep_their_text() {
    let long = "z".repeat(138);
    let run = parse_one(&format!(
        "Name:         r\nNamespace:    ns\nLabels:       a=b=c\n              empty=\nAnnotations:  note: one: two\n              cut:\n                \
         {long}...\n                second\n              deep:\n                {{\n                  \"k\": 1\n                \n                }}\n\
         API Version:  placement.kubernetes-fleet.io/v1\nKind:         StagedUpdateRun\nEvents:       <none>\n"
    ));
    let labels = node_at(&run, "metadata.labels");
    assert_eq!(labels.get("a").unwrap().as_str(), Some("b=c"));
    assert_eq!(labels.get("empty").unwrap().as_str(), Some(""));
    assert_eq!(at(&run, "metadata.annotations.note"), "one: two");
    assert_eq!(at(&run, "metadata.annotations.deep"), "{\n  \"k\": 1\n\n}");
    let cut = node_at(&run, "metadata.annotations.cut");
    assert_eq!(cut.as_str(), Some(format!("{long}\nsecond").as_str()));
    assert_eq!(cut.fidelity, Fidelity::Cut);
    assert_eq!(run.head.namespace.as_deref(), Some("ns"));
}

#[test]
fn events_are_a_list_at_the_root() {
    let run = parse_one(&format!(
        "{HEAD}Events:\n  Type     Reason        Age                   From        Message\n  ----     ------        ----                  ----        -------\n  \
         Warning  FailedCreate  4s (x6 over 85s)      controller  no  quota\nleft\n  Normal   Fine          <unknown>                         well\n"
    ));
    let events = node_at(&run, "events");
    assert_eq!(events.items().len(), 2);
    assert_eq!(at(&run, "events.0.age"), "4s (x6 over 85s)");
    assert_eq!(at(&run, "events.0.message"), "no  quota\nleft");
    assert_eq!(at(&run, "events.1.from"), "");
    assert_eq!(at(&run, "events.1.message"), "well");
}

#[test]
fn an_event_and_an_unknown_kind_are_read_by_the_generic_describer() {
    let event = parse_one(
        "Name:             web.18e8\nNamespace:        shop\nLabels:           <none>\nAnnotations:      <none>\nAPI Version:      v1\nCount:            3\n\
         Event Time:       <nil>\nInvolved Object:\n  API Version:       apps/v1\n  Kind:              ReplicaSet\n  Name:              web\n\
         Kind:                Event\nMessage:             Error creating: no\nMetadata:\n  UID:  2ec5\nReason:   FailedCreate\nSource:\n  Component:  rs\nType:         Warning\nEvents:       <none>\n",
    );
    assert_eq!((event.head.kind.as_deref(), event.syntax), (Some("Event"), Syntax::Describe));
    assert_eq!(node_at(&event, "count").value, Value::Int(3));
    assert_eq!(node_at(&event, "eventTime").value, Value::Null);
    assert_eq!(at(&event, "involvedObject.kind"), "ReplicaSet");
    assert_eq!(at(&event, "reason"), "FailedCreate");

    let other = parse_one(
        "Name:         w\nNamespace:    shop\nLabels:       <none>\nAnnotations:  <none>\nAPI Version:  example.com/v1\nKind:         Widget\nMetadata:\n  Generation:  1\n\
         Spec:\n  Parts:\n    Color:  red\n    Size:   1\n    Color:  blue\n    Size:   2\nStatus:\n  Conditions:\n    Status:  True\n    Type:    Ready\nEvents:      <none>\n",
    );
    assert_eq!(other.head.kind.as_deref(), Some("Widget"));
    assert_eq!(at(&other, "spec.parts.1.color"), "blue");
    assert_eq!(at(&other, "status.conditions.0.type"), "Ready");
    assert_eq!(node_at(&other, "spec.parts.0").fidelity, Fidelity::Inferred);
}
