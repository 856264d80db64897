//! What people paste: fragments, cuts, wrapped and shifted lines, lost nesting.

use super::{at, node_at, parse, parse_one, parse_with, root};
use fleetlens::internals::syntax::tree::Fidelity;
use fleetlens::internals::syntax::{Context, Document, ProblemKind};

fn problem_kinds(document: &Document) -> Vec<ProblemKind> {
    document.problems.iter().map(|problem| problem.kind).collect()
}

#[test]
fn bare_conditions_go_where_their_reason_says() {
    for (reason, path) in [
        ("UpdateRunStuck", "status.conditions.0.reason"),
        ("StageUpdatingFailed", "status.stagesStatus.0.conditions.0.reason"),
        ("ClusterUpdatingFailed", "status.stagesStatus.0.clusters.0.conditions.0.reason"),
    ] {
        let run = parse_one(&format!(
            "        Last Transition Time:  2026-11-15T22:44:08Z\n        Message:               told\n        \
             Observed Generation:   2\n        Reason:                {reason}\n        Status:                False\n        \
             Type:                  Progressing\n"
        ));
        assert_eq!(at(&run, path), reason);
        assert_eq!(run.head.kind.as_deref(), Some("ClusterStagedUpdateRun"));
        assert!(run.partial);
    }
}

#[test]
fn a_fragment_finds_its_parents_when_it_dedents() {
    let run = parse_one(
        "        Reason:                ClusterUpdatingStarted\n        Status:                True\n        Type:                  Started\n      \
         Cluster Name:            west\n    Conditions:\n      Last Transition Time:  2026-11-15T22:44:08Z\n      Message:               m\n      \
         Reason:                StageUpdatingStarted\n      Status:                True\n      Type:                  Progressing\n    \
         Stage Name:              first\nEvents:                      <none>\n",
    );
    assert_eq!(at(&run, "status.stagesStatus.0.clusters.0.conditions.0.type"), "Started");
    assert_eq!(at(&run, "status.stagesStatus.0.clusters.1.clusterName"), "west");
    assert_eq!(at(&run, "status.stagesStatus.0.conditions.0.type"), "Progressing");
    assert_eq!(at(&run, "status.stagesStatus.0.stageName"), "first");
    assert!(node_at(&run, "events").is_empty());
}

#[test]
fn a_label_one_column_off_is_placed_by_the_schema() {
    let context = Context {
        kind: Some("ResourcePlacement".into()),
        name: Some("web".into()),
        ..Context::default()
    };
    let text = " Placement Statuses:\n    ...\n    Cluster Name:              west\n    Conditions:\n      \
        Last Transition Time:  2026-11-15T22:44:08Z\n      Message:               m\n      Reason:                Scheduled\n      \
        Status:                True\n      Type:                  Scheduled\n     Failed Placements:\n      Kind:      Deployment\n";
    let placement = &parse_with(text, &context)[0];
    assert_eq!(at(placement, "status.placementStatuses.0.clusterName"), "west");
    assert_eq!(at(placement, "status.placementStatuses.0.failedPlacements.0.kind"), "Deployment");
    assert_eq!(node_at(placement, "status.placementStatuses.0").fidelity, Fidelity::Cut);
    assert_eq!(placement.head.kind.as_deref(), Some("ResourcePlacement"));
    assert_eq!(placement.head.name.as_deref(), Some("web"));
    assert!(placement.problems.is_empty());
}

/// A placement whose children stand on their parents' columns, as a careless editor leaves them.
const FLATTENED: &str = "\
Name:         shop
Namespace:    retail
...
API Version:  placement.kubernetes-fleet.io/v1beta1
Kind:         ResourcePlacment
Metadata:
   Finalizers:
   kubernetes-fleet.io/scheduler-cleanup
   Generation:        4
Spec:
   Policy:
   Placement Type:  PickAll
   Resource Selectors:
   Group:                 \"\"
   Kind:                  ConfigMap
   Name:                  prices
   Version:               v1
   Group:                 apps
   Kind:                  Deployment
   Name:                  till
   Version:               v1
   Revision History Limit:  10
   Strategy:
   Type:  External
Status:
   Conditions:
   Last Transition Time:  2026-11-15T22:44:08Z
   Message:               all clusters found
   Observed Generation:   4
   Reason:                SchedulingPolicyFulfilled
   Status:                True
   Type:                  ResourcePlacementScheduled
   Placement Statuses:
   Cluster Name:          east
   Conditions:
      Last Transition Time:  2026-11-15T22:45:08Z
      Message:               Work object retail.shop-work is
        not yet available
      Observed Generation:   4
      Reason:                NotAllWorkAreAvailable
      Status:                False
      Type:                  Available
   Failed Placements:
      Condition:
      Last Transition Time:  2026-11-15T22:45:08Z
      Message:               not yet
      Reason:                ManifestNotAvailableYet
      Status:                False
      Type:                  Available
      Kind:                  Deployment
      Name:                  till
      Version:               v1
   Cluster Name:          west
   Conditions:
      Last Transition Time:  2026-11-15T22:45:09Z
      Message:               fine
      Reason:                Scheduled
      Status:                True
      Type:                  Scheduled
";

#[test]
fn flattened_nesting_is_rebuilt_from_the_schema() {
    let placement = parse_one(FLATTENED);
    assert_eq!(problem_kinds(&placement), [ProblemKind::MisspeltKind, ProblemKind::LostNesting]);
    assert_eq!(placement.head.kind.as_deref(), Some("ResourcePlacement"));
    for (path, value) in [
        ("metadata.finalizers.0", "kubernetes-fleet.io/scheduler-cleanup"),
        ("metadata.generation", "4"),
        ("spec.policy.placementType", "PickAll"),
        ("spec.resourceSelectors.0.group", ""),
        ("spec.resourceSelectors.1.name", "till"),
        ("spec.revisionHistoryLimit", "10"),
        ("spec.strategy.type", "External"),
        ("status.conditions.0.type", "ResourcePlacementScheduled"),
        ("status.placementStatuses.0.clusterName", "east"),
        ("status.placementStatuses.0.conditions.0.reason", "NotAllWorkAreAvailable"),
        (
            "status.placementStatuses.0.conditions.0.message",
            "Work object retail.shop-work is not yet available",
        ),
        (
            "status.placementStatuses.0.failedPlacements.0.condition.reason",
            "ManifestNotAvailableYet",
        ),
        ("status.placementStatuses.0.failedPlacements.0.name", "till"),
        ("status.placementStatuses.1.clusterName", "west"),
        ("status.placementStatuses.1.conditions.0.reason", "Scheduled"),
    ] {
        assert_eq!(at(&placement, path), value, "{path}");
    }
    assert_eq!(node_at(&placement, "status.conditions").items().len(), 1);
    assert_eq!(node_at(&placement, "spec.policy").fidelity, Fidelity::Inferred);
}

#[test]
fn with_all_indentation_gone_reasons_tell_a_stage_from_its_clusters() {
    let run = parse_one(
        "Status:\nStages Status:\nClusters:\nCluster Name:  east\nConditions:\nLast Transition Time:  2026-11-15T22:44:08Z\nMessage:  m\n\
         Reason:  ClusterUpdatingSucceeded\nStatus:  True\nType:  Succeeded\nCluster Name:  west\nConditions:\n\
         Last Transition Time:  2026-11-15T22:44:09Z\nMessage:  m\nReason:  StageUpdatingFailed\nStatus:  False\nType:  Succeeded\n\
         Stage Name:  canary\n",
    );
    assert!(problem_kinds(&run).contains(&ProblemKind::LostNesting));
    let clusters = node_at(&run, "status.stagesStatus.0.clusters");
    assert_eq!(clusters.items().len(), 2);
    assert!(clusters.items()[1].get("conditions").is_none());
    assert_eq!(at(&run, "status.stagesStatus.0.conditions.0.reason"), "StageUpdatingFailed");
    assert_eq!(at(&run, "status.stagesStatus.0.stageName"), "canary");
}

#[test]
fn cuts_are_marked_where_something_may_be_missing() {
    let run = parse_one(
        "Name:         r\nNamespace:    \nLabels:       <none>\nAnnotations:  <none>\nAPI Version:  placement.kubernetes-fleet.io/v1\n\
         Kind:         ClusterStagedUpdateRun\nSpec:\n  Placement Name:  p\nStatus:\n  Stages Status:\n    Clusters:\n      Cluster Name:  a\n      \
         ...\n    Stage Name:      one\n    Clusters:\n      Cluster Name:  b\n    Stage Name:      two\nEvents:              <none>\n",
    );
    assert!(run.partial);
    assert_eq!(node_at(&run, "status.stagesStatus.0.clusters").fidelity, Fidelity::Cut);
    assert_eq!(node_at(&run, "status.stagesStatus.1.clusters").fidelity, Fidelity::Read);
    assert_eq!(node_at(&run, "spec").fidelity, Fidelity::Read);
}

#[test]
fn a_text_that_breaks_off_says_so() {
    let run = parse_one(
        "Name:         r\nNamespace:    \nLabels:       <none>\nAnnotations:  <none>\nAPI Version:  placement.kubernetes-fleet.io/v1\n\
         Kind:         ClusterStagedUpdateRun\nSpec:\n  Placement Name:  shop-pla",
    );
    assert_eq!(problem_kinds(&run), [ProblemKind::Truncated]);
    assert_eq!(node_at(&run, "spec.placementName").fidelity, Fidelity::Cut);
    assert!(run.partial);
}

#[test]
fn a_value_cannot_forge_fields() {
    let run = parse_one(
        "Name:         r\nNamespace:    \nLabels:       <none>\nAnnotations:  <none>\nAPI Version:  placement.kubernetes-fleet.io/v1\n\
         Kind:         ClusterStagedUpdateRun\nStatus:\n  Conditions:\n    Last Transition Time:  2026-11-15T22:44:08Z\n    \
         Message:               refused:\nSpec:\nKind:  Forged\n\nEvents:  <none>\n    Reason:                UpdateRunFailed\n    \
         Status:                False\n    Type:                  Succeeded\nEvents:                    <none>\n",
    );
    assert_eq!(
        at(&run, "status.conditions.0.message"),
        "refused:\nSpec:\nKind:  Forged\n\nEvents:  <none>"
    );
    assert_eq!(at(&run, "status.conditions.0.reason"), "UpdateRunFailed");
    assert!(root(&run).get("spec").is_none());
    assert!(!run.partial);
}

#[test]
fn a_field_of_a_newer_release_is_kept() {
    let run = parse_one(
        "Name:         r\nNamespace:    \nLabels:       <none>\nAnnotations:  <none>\nAPI Version:  placement.kubernetes-fleet.io/v1\n\
         Kind:         ClusterStagedUpdateRun\nSpec:\n  Brand New:       yes\n  Placement Name:  p\n  Quite New:\n    Inner:  1\nEvents:     <none>\n",
    );
    assert_eq!(at(&run, "spec.brandNew"), "yes");
    assert_eq!(at(&run, "spec.placementName"), "p");
    assert_eq!(at(&run, "spec.quiteNew.inner"), "1");
    assert_eq!(node_at(&run, "spec.brandNew").fidelity, Fidelity::Inferred);
}

#[test]
fn managed_fields_of_old_releases_are_skipped() {
    let text = "Name:         r\nNamespace:    \nLabels:       <none>\nAnnotations:  <none>\nAPI Version:  placement.kubernetes-fleet.io/v1\n\
        Kind:         ClusterStagedUpdateRun\nMetadata:\n  Generation:  3\n  Managed Fields:\n    API Version:  v1\n    Fields Type:  FieldsV1\n    \
        fieldsV1:\n      f:spec:\n        .:\n        k:{\"type\":\"Initialized\"}:\n    Manager:         kubectl\n  Resource Version:  77\nEvents:              <none>\n";
    let run = parse_one(text);
    let metadata = node_at(&run, "metadata");
    assert_eq!(at(&run, "metadata.resourceVersion"), "77");
    assert!(metadata.get("managedFields").is_none() && metadata.entries().len() == 3);
    assert!(run.problems.is_empty());
}

#[test]
fn line_ends_marks_and_blanks_of_other_programs_do_no_harm() {
    let text = "\u{feff}Name:\u{a0}\u{a0}r\r\nNamespace:\t\r\nLabels:       a=b\r\nAnnotations:  <none>\r\nAPI Version:  placement.kubernetes-fleet.io/v1\r\n\
        Kind:         ClusterStagedUpdateRun\r\nSpec:\r\n  Placement Name:  p\r\nEvents:            <none>\r\n";
    let run = parse_one(text);
    assert_eq!(at(&run, "metadata.name"), "r");
    assert_eq!(at(&run, "metadata.labels.a"), "b");
    assert_eq!(at(&run, "spec.placementName"), "p");
}

#[test]
fn capitals_of_user_keys_come_back_where_the_order_proves_them() {
    let strategy = parse_one(
        "Name:         s\nNamespace:    \nLabels:       <none>\nAnnotations:  <none>\nAPI Version:  placement.kubernetes-fleet.io/v1\n\
         Kind:         ClusterStagedUpdateStrategy\nSpec:\n  Stages:\n    Label Selector:\n      Match Labels:\n        Team:         blue\n        \
         App - Name:   till\n        Environment:  test\n    Name:             a\nEvents:               <none>\n",
    );
    let labels = node_at(&strategy, "spec.stages.0.labelSelector.matchLabels");
    let keys: Vec<&str> = labels.entries().iter().map(|entry| &*entry.key).collect();
    assert_eq!(keys, ["Team", "app-name", "environment"]);
}

#[test]
fn prose_is_no_document() {
    assert!(parse("").is_empty());
    assert!(parse("Dear support,\n\nour run is stuck: please help.\n").is_empty());
}

#[test]
fn a_command_tells_the_namespace_of_a_namespaced_kind_alone() {
    let text = "  Conditions:\n    Message:  told\n    Reason:   Scheduled\n    Status:   True\n    Type:     Applied\n";
    let told = |kind: &str| {
        let (kind, name) = (Some(kind.into()), Some("web".into()));
        let context = Context { kind, name, namespace: Some("shop".into()), ..Context::default() };
        let head = parse_with(text, &context).remove(0).head;
        (head.name, head.namespace)
    };
    assert_eq!(told("ResourcePlacement"), (Some("web".into()), Some("shop".into())));
    assert_eq!(told("ClusterResourcePlacement"), (Some("web".into()), None));
}

#[test]
fn a_line_in_the_column_of_a_fragment_belongs_below_what_stands_above_it() {
    let text = "    Failed Placements:\n      Condition:\n        Message:  told\n        Reason:   ManifestApplyFailed\n        \
        Status:   False\n        Type:     Applied\n        Observed Resource Index:  0\n";
    let placement = parse_one(text);
    assert_eq!(at(&placement, "status.placementStatuses.0.observedResourceIndex"), "0");
    assert_eq!(problem_kinds(&placement).len(), 1, "the nesting is rebuilt");
}

#[test]
fn a_fragment_that_fits_two_kinds_is_of_the_one_that_has_it_further_out() {
    let text = "  Failed Placements:\n    Condition:\n      Reason:  ManifestApplyFailed\n      Status:  False\n      Type:    Applied\n    \
        Group:   apps\n    Kind:    Deployment\n    Name:    portal\n    Version:  v1\n";
    let binding = parse_one(text);
    assert_eq!(binding.head.kind.as_deref(), Some("ClusterResourceBinding"));
    assert_eq!(at(&binding, "status.failedPlacements.0.kind"), "Deployment");
}

#[test]
fn half_a_label_at_the_end_is_no_part_of_the_value_above() {
    let text = "Name:         web-1-after-dev\nAPI Version:  placement.kubernetes-fleet.io/v1\nKind:         ClusterApprovalRequest\n\
        Metadata:\n  Generation:  1\nSpec:\n  Parent Stage Rollout:  web-1\n  Target Stage:          dev\n";
    let end = text.find("Target").expect("the last label");
    for length in end + 1..end + "Target Stage".len() + 1 {
        let request = parse_one(&text[..length]);
        assert_eq!(at(&request, "spec.parentStageRollout"), "web-1", "{}", &text[end..length]);
    }
}
