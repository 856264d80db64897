//! The reader resolves names and versions, and refuses data that it does not understand.

use crate::grammar::kind::data::FileData;
use crate::grammar::kind::resolve::{DataError, parse_file};
use crate::grammar::kind::{find_kind, resolve};
use crate::grammar::schema::{
    Embedded, ListType, Literal, Occasion, Schema, Type, ValueFormat, fold_label,
};

fn at<'s>(schema: &'s Schema, path: &str) -> &'s Schema {
    path.split('.').fold(schema, |schema, step| {
        if step == "*" {
            return schema.item().expect("a list or map");
        }
        &schema.field(step).unwrap_or_else(|| panic!("no {step} on the way to {path}")).schema
    })
}

fn schema(kind: &str) -> &'static Schema {
    find_kind(kind).expect("a known kind").schema()
}

fn schema_in(kind: &str, version: &str) -> &'static Schema {
    find_kind(kind).expect("a known kind").schema_in(version).expect("a served version")
}

#[test]
fn facts_reach_the_schema() {
    let run = schema("StagedUpdateRun");
    let state = at(run, "spec.state");
    assert_eq!(state.default, Some(Literal::Text("Initialize".into())));
    assert_eq!(state.allowed, ["Initialize".into(), "Run".into(), "Stop".into()]);
    assert!(state.was.contains(&("Started".into(), "Run".into())));
    assert_eq!(at(run, "spec").rules.len(), 3);
    assert_eq!(at(run, "spec").rules[0].on, Occasion::Update);
    assert_eq!(at(run, "spec.placementName").max_length, Some(255));
    assert_eq!(
        at(run, "spec.placementName").immutable.as_deref(),
        Some("placementName is immutable")
    );
    assert!(at(run, "spec").field("placementName").expect("a field").required);
    assert!(!at(run, "spec").field("state").expect("a field").required);

    let stage = at(run, "status.stagedUpdateStrategySnapshot.stages.*");
    assert_eq!(at(stage, "maxConcurrency").ty, Type::IntOrString);
    assert_eq!(at(stage, "maxConcurrency").default, Some(Literal::Int(1)));
    let conditions = at(run, "status.stagesStatus.*.clusters.*.conditions");
    assert_eq!(conditions.list_type, ListType::Map(vec!["type".into()]));
    assert_eq!(conditions.item_key(), ["type".into()]);
    assert_eq!(at(conditions, "*.lastTransitionTime").format, Some(ValueFormat::Time));
}

#[test]
fn items_are_named_by_their_natural_key() {
    let key = |kind: &str, path: &str| at(schema(kind), path).item_key().join("/");
    assert_eq!(key("ClusterStagedUpdateStrategy", "spec.stages"), "name");
    assert_eq!(key("ClusterStagedUpdateRun", "status.stagesStatus"), "stageName");
    assert_eq!(key("ClusterStagedUpdateRun", "status.stagesStatus.*.clusters"), "clusterName");
    assert_eq!(key("ResourcePlacement", "status.placementStatuses"), "clusterName");
    assert_eq!(key("Work", "status.manifestConditions"), "identifier.ordinal");
    let failed = key("ClusterResourceBinding", "status.failedPlacements");
    assert_eq!(failed, "kind/namespace/name");
    assert_eq!(key("ClusterResourceOverride", "spec.policy.overrideRules"), "");
}

#[test]
fn versions_differ_where_the_server_does() {
    let alpha = schema_in("ClusterStagedUpdateRun", "v1alpha1");
    assert!(at(alpha, "spec").field("state").is_none());
    assert!(at(alpha, "spec").field("resourceSnapshotIndex").expect("a field").required);
    assert_eq!(at(alpha, "spec").immutable.as_deref(), Some("The spec field is immutable"));
    assert_eq!(&*alpha.rules[0].message, "metadata.name max length is 127");
    let stable = schema_in("ClusterStagedUpdateRun", "v1");
    assert_eq!(at(stable, "spec").immutable, None);
    assert_eq!(&*stable.rules[0].message, "metadata.name max length is 63");

    let tasks = |version| {
        at(schema_in("ClusterStagedUpdateStrategy", version), "spec.stages.*.afterStageTasks")
    };
    assert_eq!((tasks("v1").rules.len(), tasks("v1alpha1").rules.len()), (2, 0));
    assert_ne!(at(tasks("v1"), "*.waitTime").pattern, at(tasks("v1alpha1"), "*.waitTime").pattern);

    let strategy = |version| at(schema_in("ResourcePlacement", version), "spec.strategy");
    assert!(strategy("v1").field("reportBackStrategy").is_none());
    assert!(strategy("v1beta1").field("reportBackStrategy").is_some());
    assert!(at(schema("ResourcePlacement"), "spec.strategy").field("reportBackStrategy").is_some());
    assert!(find_kind("ResourceBinding").expect("a known kind").schema_in("v1").is_none());
}

#[test]
fn scopes_differ_where_the_server_does() {
    assert_eq!(at(schema("ClusterResourcePlacement"), "spec").rules.len(), 6);
    assert_eq!(at(schema("ResourcePlacement"), "spec").rules.len(), 4);
    assert!(at(schema("ResourceOverride"), "spec").field("resourceSelectors").is_some());
    assert!(at(schema("ResourceOverride"), "spec").field("clusterResourceSelectors").is_none());
}

#[test]
fn embedded_objects_are_marked() {
    let manifest = at(schema("Work"), "spec.workload.manifests.*");
    assert_eq!((manifest.embedded, manifest.open), (Some(Embedded::Checked), true));
    let entry = at(schema("ResourceEnvelope"), "data.*");
    assert_eq!((entry.embedded, entry.open), (Some(Embedded::Unchecked), true));
    assert!(matches!(entry.ty, Type::Object(_)));
}

#[test]
fn labels_of_every_kubectl_find_their_field() {
    let status = at(schema("SchedulingPolicySnapshot"), "status");
    for label in ["Observed CRP Generation", "Observed Crp Generation", "Observed CRPGeneration"] {
        let field = status.field_folded(label).expect(label);
        assert_eq!(&*field.name, "observedCRPGeneration");
    }
    assert!(status.field_folded("Observed Generation").is_none());
    assert!(status.field("Conditions").is_none());
    assert_eq!(fold_label("API Version"), "apiversion");
}

/// Reads data as it is written, by the way that the build takes.
fn parse_yaml(text: &str) -> Result<FileData, DataError> {
    let data: serde_yaml::Value = serde_yaml::from_str(text).expect("YAML");
    parse_file("sample", &serde_json::to_string(&data).expect("JSON"))
}

fn refusal(text: &str) -> String {
    parse_yaml(text).expect_err("broken data").to_string()
}

#[test]
fn unknown_keys_are_refused_with_the_file() {
    for text in [
        "color: red",
        "types: {A: {type: string, colour: red}}",
        "kinds: {A: {columns: [{name: X, pat: spec}]}}",
        "kinds: {A: {columns: [name]}}",
        "types: {A: {type: string, rules: [{id: a, message: b, refuses: c, when: d}]}}",
        "types: {A: {type: string, rules: [{id: a, message: b, refuses: c, on: create}]}}",
        "types: {A: {type: string, format: uuid}}",
        "types: {A: [string, string]}",
        "types: {A: []}",
    ] {
        let message = refusal(text);
        assert!(message.starts_with("grammar/kinds/sample.yaml: "), "{text}: {message}");
    }
    assert!(refusal("types: {A: {type: string, colour: red}}").contains("unknown field `colour`"));
}

#[test]
fn meaningless_shapes_are_refused_with_the_file() {
    for (text, expected) in [
        (
            "types: {ObjectMeta: string}\nkinds: {A: {fields: {spec: Nothing}}}",
            "knows no type `Nothing`",
        ),
        ("types: {ObjectMeta: {fields: {a: ObjectMeta}}}\nkinds: {A: {}}", "refers to itself"),
        ("types: {ObjectMeta: {type: string, list: string}}\nkinds: {A: {}}", "needs one of"),
        ("types: {ObjectMeta: string}\nkinds: {B: {}}", "says nothing about A"),
        ("types: {ObjectMeta: string}\nkinds: {A: {like: B}}", "says nothing about B"),
    ] {
        let data = parse_yaml(text).expect("well-formed data");
        let error = resolve::shape_of(&data, "sample", "A").expect_err(text).to_string();
        assert!(error.starts_with("grammar/kinds/sample.yaml: "), "{error}");
        assert!(error.contains(expected), "{error}");
    }
}
