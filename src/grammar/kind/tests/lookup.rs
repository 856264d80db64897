//! Kinds are found by every name that people and kubectl give them, and by no other.

use crate::grammar::kind::{
    ColumnStep, Kind, KindSpec, MAX_VERSIONS, PLACEMENT_GROUP, Scope, all_kinds, find_kind,
    find_kind_in, find_resource, nearest_kind, parse_steps,
};

fn name(spec: Option<&'static KindSpec>) -> &'static str {
    spec.map_or("-", |spec| spec.name)
}

#[test]
fn twins_are_one_family() {
    let run = find_kind("ClusterStagedUpdateRun").expect("a known kind");
    assert_eq!((run.family, run.scope), (Kind::Run, Scope::Cluster));
    assert_eq!((run.group, run.storage), (PLACEMENT_GROUP, "v1beta1"));
    assert_eq!(run.versions, ["v1", "v1beta1", "v1alpha1"]);
    assert_eq!(run.api_version("v1"), "placement.kubernetes-fleet.io/v1");
    assert_eq!(run.list_kind(), "ClusterStagedUpdateRunList");
    let names: Vec<_> = Kind::Run.specs().map(|spec| spec.name).collect();
    assert_eq!(names, ["ClusterStagedUpdateRun", "StagedUpdateRun"]);
}

#[test]
fn a_kind_belongs_to_its_group() {
    let find = |api_version, kind| name(find_kind_in(api_version, kind));
    assert_eq!(find("placement.kubernetes-fleet.io/v1", "Work"), "Work");
    assert_eq!(find("placement.kubernetes-fleet.io/v9", "Work"), "Work");
    assert_eq!(find("placement.kubefleet.dev/v1alpha1", "Work"), "-");
    assert_eq!(find("placement.kubernetes-fleet.io/v1beta1", "MemberCluster"), "-");
    assert_eq!(find("v1", "Pod"), "Pod");
    assert_eq!(find("apps/v1", "Pod"), "-");
}

#[test]
fn resources_answer_to_every_name_of_kubectl() {
    for (asked, kind) in [
        ("csur", "ClusterStagedUpdateRun"),
        ("crsur", "ClusterStagedUpdateRun"),
        ("clusterstagedupdaterun", "ClusterStagedUpdateRun"),
        ("clusterstagedupdateruns", "ClusterStagedUpdateRun"),
        ("ClusterStagedUpdateRun", "ClusterStagedUpdateRun"),
        ("clusterstagedupdateruns.placement.kubernetes-fleet.io", "ClusterStagedUpdateRun"),
        ("clusterstagedupdateruns.v1beta1.placement.kubernetes-fleet.io", "ClusterStagedUpdateRun"),
        ("sus", "StagedUpdateStrategy"),
        ("cluster", "MemberCluster"),
        ("work", "Work"),
        ("works", "Work"),
        ("works.placement.kubernetes-fleet.io", "Work"),
        ("works.placement.kubefleet.dev", "-"),
        ("rs", "ReplicaSet"),
        ("rs.placement.kubernetes-fleet.io", "ResourceSnapshot"),
        ("resourcesnapshots", "ResourceSnapshot"),
        ("deploy", "Deployment"),
        ("deployments.apps", "Deployment"),
        ("deployments.v1.apps", "Deployment"),
        ("deployments.v9.apps", "-"),
        ("ev", "Event"),
        ("pods.v1.", "Pod"),
        ("pods.v1", "-"),
        ("", "-"),
        (".", "-"),
        ("all", "-"),
    ] {
        assert_eq!(name(find_resource(asked)), kind, "{asked}");
    }
}

#[test]
fn names_and_plurals_are_unique() {
    for (i, spec) in all_kinds().iter().enumerate() {
        for other in &all_kinds()[i + 1..] {
            assert_ne!(spec.name, other.name);
            assert!(spec.plural != other.plural, "{}", spec.plural);
            for short in spec.short {
                let shared = other.short.contains(short);
                assert!(!shared || *short == "rs", "{short}: {} and {}", spec.name, other.name);
            }
        }
        assert!(spec.versions.contains(&spec.storage), "{}", spec.name);
        assert!(spec.versions.len() <= MAX_VERSIONS, "{}", spec.name);
        assert!(spec.plural.bytes().all(|byte| byte.is_ascii_lowercase()), "{}", spec.plural);
    }
}

#[test]
fn misspelt_kinds_are_guessed() {
    for (misspelt, kind) in [
        ("ClusterStagedUpdateRuns", "ClusterStagedUpdateRun"),
        ("ClusterStageUpdateRun", "ClusterStagedUpdateRun"),
        ("clusterstagedupdaterun", "ClusterStagedUpdateRun"),
        ("ClusterStagedUpdateRnu", "ClusterStagedUpdateRun"),
        ("StagedUpateStratgy", "StagedUpdateStrategy"),
        ("ClusterAprovalRequest", "ClusterApprovalRequest"),
        ("MemberClusters", "MemberCluster"),
        ("Wrok", "Work"),
        ("Deploymnet", "Deployment"),
    ] {
        assert_eq!(name(nearest_kind(misspelt)), kind, "{misspelt}");
    }
}

#[test]
fn far_or_short_words_are_not_guessed() {
    let long = "ClusterStagedUpdateRun".repeat(1000);
    for word in ["", "Nod", "Pot", "StagedRollout", "Cluster", "RunningUpdate", "Rôle", &long] {
        assert_eq!(name(nearest_kind(word)), "-", "{word}");
    }
}

#[test]
fn equally_near_kinds_give_no_guess() {
    // One letter away from both Node and Role.
    assert_eq!(name(nearest_kind("Nole")), "-");
    assert_eq!(name(nearest_kind("Mode")), "Node");
}

#[test]
fn paths_split_outside_of_brackets() {
    let steps = parse_steps("status.properties[kubernetes-fleet.io/node-count].value");
    let expected = [
        ColumnStep::Field("status"),
        ColumnStep::Field("properties"),
        ColumnStep::Item("kubernetes-fleet.io/node-count"),
        ColumnStep::Field("value"),
    ];
    assert_eq!(steps, expected);
    assert_eq!(parse_steps(""), []);
    assert_eq!(parse_steps("a[b"), [ColumnStep::Field("a"), ColumnStep::Item("b")]);
}
