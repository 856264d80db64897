//! Messages as they stand in captures, pastes and documents of all releases.

use fleetlens::internals::grammar::message::{
    HoleRole, LogLevel, MessageContext, PrefixLayer, Recognised, SelfRecovery, Version, key_role,
    log_template, recognise, version_bounds,
};
use proptest::prelude::*;

const PREEMPTED: &str = "the binding of the updating cluster `member2` in the stage `staging` is not up-to-date with the desired status, please check the status of binding `my-ns/web-member2-e1a567da` and see if there is a concurrent updateRun referencing the same placement and updating the same cluster";

fn plain(text: &str) -> Recognised {
    recognise(text, &MessageContext::default())
}

fn ids(found: &Recognised) -> Vec<&str> {
    found.parts.iter().map(|part| part.template.map_or("?", |one| one.name)).collect()
}

fn named<'t>(text: &'t str, found: &Recognised, role: HoleRole) -> Vec<&'t str> {
    found.refs(role).map(|one| &text[one.range.clone()]).collect()
}

#[test]
fn takes_the_layers_off() {
    let text = "cannot continue the updateRun: failed to validate the updateRun: failed to process the request due to a client error: no resourceSnapshots with index `7` found for placement `/web`";
    let found = recognise(
        text,
        &MessageContext {
            condition_type: Some("Initialized"),
            reason: Some("UpdateRunInitializedFailed"),
            kind: Some("ClusterStagedUpdateRun"),
        },
    );
    assert_eq!(ids(&found), ["err-snapshot-index"]);
    assert_eq!(named(text, &found, HoleRole::SnapshotIndex), ["7"]);
    assert_eq!(named(text, &found, HoleRole::Placement), ["web"]);
    assert!(found.has_prefix(PrefixLayer::Abort) && found.has_prefix(PrefixLayer::Class));
    assert_eq!(&text[found.prefixes[1].1.clone()], "failed to validate the updateRun:");
    assert_eq!(found.versions.since, Version::find("v0.2"));
    let template = found.parts[0].template.unwrap();
    assert_eq!(template.outcome, Some(SelfRecovery::Terminal));
    assert!(template.means().is_some() && template.remedy().is_some());
    assert!(found.reason.is_some());
}

#[test]
fn a_comma_may_stand_for_the_colon_of_a_layer() {
    let text = "cannot continue the updateRun: failed to validate the updateRun, unexpected behavior which cannot be handled by the controller: cannot find annotation kubernetes-fleet.io/number-of-clusters: the policy snapshot `/web-0` doesn't have valid cluster count annotation";
    let found = plain(text);
    assert_eq!(ids(&found), ["err-policy-count-annotation", "err-count-annotation-missing"]);
    assert_eq!(found.prefixes.len(), 3);
    assert_eq!(found.parts[1].parent, Some(0));
}

#[test]
fn splits_several_errors() {
    let text = format!(
        "[cannot continue the updateRun: failed to process the request due to a client error: {PREEMPTED}, the cluster updating encountered an error at stage `staging`, updateRun := `web`]"
    );
    let found = plain(&text);
    assert_eq!(ids(&found), ["exec-preempted", "retry-cluster-error"]);
    assert_eq!(named(&text, &found, HoleRole::Binding), ["my-ns/web-member2-e1a567da"]);
    assert!(found.has_prefix(PrefixLayer::Aggregate));
    assert_eq!(&text[found.parts[0].range.clone()], PREEMPTED);
}

#[test]
fn commas_and_brackets_inside_an_error_do_not_split_it() {
    let text = r#"Pod "web" is invalid: [spec.containers[0].image: Required value, spec.volumes[0]: Invalid value: {"a":[1, 2],"b":"x, parent placement not found"}: field is immutable]"#;
    let found = plain(text);
    assert_eq!(ids(&found), ["k8s.invalid", "k8s.field-required", "k8s.immutable"]);
    assert_eq!(
        named(text, &found, HoleRole::Field),
        ["spec.containers[0].image", "spec.volumes[0]"]
    );
}

#[test]
fn follows_an_error_into_another() {
    let text = format!(
        "cannot continue the updateRun: the stage `staging` has failed, err: cannot continue the updateRun: failed to process the request due to a client error: {PREEMPTED}"
    );
    let found = plain(&text);
    assert_eq!(ids(&found), ["val-stage-failed", "exec-preempted"]);
    assert_eq!(found.causes().count(), 1);
    assert_eq!(named(&text, &found, HoleRole::Stage), ["staging", "staging"]);
}

#[test]
fn old_and_documented_wordings_lead_to_the_present_one() {
    let cases = [
        (
            "cannot continue the ClusterStagedUpdateRun: failed to initialize the clusterStagedUpdateRun: failed to process the request due to a client error: parent clusterResourcePlacement not found",
            "err-placement-not-found",
        ),
        (
            "cannot continue the StagedUpdateRun: failed to initialize the stagedUpdateRun: failed to process the request due to a client error: parent resourcePlacement not found",
            "err-placement-not-found",
        ),
        (
            "The updateRun is stuck waiting for 1 cluster(s) in stage staging to finish updating, please check placement status for potential errors",
            "run-stuck",
        ),
        (
            "The updateRun is stuck waiting for cluster member1 in stage staging to finish updating, please check crp status for potential errors",
            "run-stuck",
        ),
        (
            "cannot continue the updateRun: failed to validate the updateRun: cluster `member1` appears in more than one stage",
            "err-cluster-twice",
        ),
        ("ClusterStagedUpdateRun initialized successfully", "run-initialized"),
    ];
    for (text, present) in cases {
        let found = plain(text);
        let template = found.parts[0].template.unwrap();
        assert_eq!(template.successor.map(|id| id.name()), Some(present), "{text}");
        assert_eq!(found.parts.len(), 1, "{text}");
    }
}

#[test]
fn one_hole_may_name_several_clusters() {
    let text = "The updateRun is stuck waiting for member1, member2, member3... cluster(s) in stage prod to finish updating, please check placement status for potential errors";
    let found = plain(text);
    assert_eq!(named(text, &found, HoleRole::Cluster), ["member1", "member2", "member3"]);
    assert!(!found.cut);
}

#[test]
fn blanks_and_case_do_not_matter() {
    let text = "Cannot continue the updateRun:\n    failedto validate the updateRun: failed  to process the\n  request due to a client error: parent placement not found";
    let found = plain(text);
    assert_eq!(ids(&found), ["err-placement-not-found"]);
    assert_eq!(&text[found.parts[0].range.clone()], "parent placement not found");
    let text = "The updateRun is waiting for after-stage tasks in stagecanary tocomplete";
    assert_eq!(named(text, &plain(text), HoleRole::Stage), ["canary"]);
}

#[test]
fn words_of_a_template_may_stand_in_a_hole_too() {
    let text = "odd: the policy snapshot `a b` is odd: the policy snapshot `/web-0` doesn't have valid cluster count annotation";
    let found = plain(text);
    assert_eq!(ids(&found)[0], "err-policy-count-annotation");
    assert_eq!(named(text, &found, HoleRole::PolicySnapshot), ["web-0"]);
}

#[test]
fn a_text_cut_with_dots_is_known_by_its_beginning() {
    let text =
        "The updateRun is stuck waiting for member1, member2 cluster(s) in stage prod to fin...";
    let found = plain(text);
    assert!(found.cut);
    assert_eq!(ids(&found), ["run-stuck"]);
    assert_eq!(named(text, &found, HoleRole::Stage), ["prod"]);
    let nested = "Failed to apply the manifest (error: failed to apply the manifest: failed to create manifest object: error returned by the API server: namespaces \"inta…";
    let found = plain(nested);
    assert_eq!(
        ids(&found)[..3],
        ["manifest.applied.false", "work.apply", "manifest.applied.create"]
    );
    // Half a name is not a name.
    let half = "The updateRun is stuck waiting for member1 cluster(s) in stage pro...";
    let found = plain(half);
    assert_eq!(named(half, &found, HoleRole::Cluster), ["member1"]);
    assert_eq!(named(half, &found, HoleRole::Stage), Vec::<&str>::new());
}

#[test]
fn a_colon_inside_a_name_is_not_a_border() {
    let text = r#"ClusterResourceOverrideSnapshot "rbac-0" failed to apply on ClusterRole "system:web": label key zone not found on cluster member1"#;
    let found = plain(text);
    assert_eq!(ids(&found), ["binding.overridden.false.cro", "override.label"]);
    assert_eq!(named(text, &found, HoleRole::Object), [r#"ClusterRole "system:web""#]);
}

#[test]
fn pointers_of_go_do_not_matter() {
    let text = "cannot continue the updateRun: failed to process the request due to a client error: the applyStrategy in the updateRun is outdated, latest: &{PartialComparison Always ServerSideApply false 0x17c0e78ec1f8 Always}, recorded: &{PartialComparison Always ClientSideApply false <nil> Always}";
    assert_eq!(ids(&plain(text)), ["val-applystrategy"]);
}

#[test]
fn names_what_an_api_server_refused() {
    let text = r#"Failed to apply the manifest (error: failed to apply the manifest: failed to create manifest object: error returned by the API server: configmaps "flags" is forbidden: exceeded quota: team-quota, requested: configmaps=1, used: configmaps=2, limited: configmaps=2)"#;
    let found = plain(text);
    assert_eq!(ids(&found).last(), Some(&"k8s.quota"));
    assert_eq!(named(text, &found, HoleRole::Quota), ["team-quota"]);
    let text = r#"Internal error occurred: failed calling webhook "verify.contoso.com": failed to call webhook: Post "https://verifier.ns.svc:443/verify?timeout=5s": dial tcp 10.0.0.7:443: connect: connection refused"#;
    let found = plain(text);
    assert_eq!(
        ids(&found),
        ["k8s.webhookdown", "k8s.webhook-call", "http.request", "http.refused"]
    );
    assert_eq!(named(text, &found, HoleRole::Webhook), ["verify.contoso.com"]);
    let text = "Apply failed with 2 conflicts: conflicts with \"kubectl client-side apply\" using apps/v1:\n- .spec.replicas\n- .spec.paused";
    assert_eq!(named(text, &plain(text), HoleRole::Manager), ["kubectl client-side apply"]);
}

#[test]
fn a_known_error_is_found_behind_unknown_words() {
    let text = "the gizmo could not be turned: namespaces \"web\" not found";
    let found = plain(text);
    assert_eq!(ids(&found), ["?", "k8s.nonamespace"]);
    assert_eq!(&text[found.parts[0].range.clone()], "the gizmo could not be turned");
    assert_eq!(found.parts[1].parent, Some(0));
}

#[test]
fn an_unknown_wording_keeps_its_known_reason() {
    for (condition_type, of) in
        [("ClusterResourcePlacementOverridden", "placement"), ("Overridden", "binding")]
    {
        let hint = MessageContext {
            condition_type: Some(condition_type),
            reason: Some("OverriddenFailed"),
            kind: Some("ClusterResourcePlacement"),
        };
        let found = recognise("It did not work out", &hint);
        assert!(found.is_unknown());
        assert_eq!(found.reason.map(|reason| reason.of), Some(of));
    }
}

#[test]
fn silence_and_free_words_are_known_by_their_reason() {
    let joined = MessageContext {
        condition_type: Some("Joined"),
        reason: Some("InternalMemberClusterJoined"),
        kind: Some("MemberCluster"),
    };
    assert_eq!(ids(&recognise("", &joined)), ["agent.quiet"]);
    assert_eq!(ids(&plain("")), Vec::<&str>::new());
    let approved = MessageContext {
        condition_type: Some("Approved"),
        reason: Some("lgtm"),
        kind: Some("ApprovalRequest"),
    };
    assert_eq!(ids(&recognise("ship it: now 🚀", &approved)), ["approval-free"]);
}

#[test]
fn wordings_bound_the_release() {
    let seen = [
        plain("The update run has been stopped").versions,
        plain("Works(s) are succcesfully created or updated in 3 target cluster(s)' namespaces")
            .versions,
    ];
    let bounds = version_bounds(seen);
    assert_eq!(bounds.since, Version::find("v0.2"));
    assert_eq!(bounds.until, Version::find("v0.3.1"));
    let older = plain("ClusterStagedUpdateRun initialized successfully").versions;
    assert_eq!(version_bounds([bounds, older]).until, Version::find("v0.1.2+"));
    assert!(Version::find("v0.2+") < Version::find("v0.2.1"));
    assert!(Version::find("v9").is_none());
}

#[test]
fn log_lines_are_looked_up_by_file_and_text() {
    let stuck =
        "Time waiting for cluster update to finish passes threshold, mark the update run as stuck";
    let line = log_template("updaterun/execution.go:275", stuck).unwrap();
    assert_eq!((line.id, line.level), ("log-stuck", LogLevel::Info));
    assert!(line.keys.contains(&("updateRun", HoleRole::Run)));
    assert_eq!(log_template("execution.go", stuck).unwrap().id, "log-stuck");
    assert!(log_template("updaterun/nothing.go:1", stuck).is_none());
    assert!(log_template("updaterun/execution.go:1", "nothing of the kind").is_none());
    assert_eq!(log_template("", "Reconciler error").unwrap().id, "log-reconciler-error");
    assert_eq!(key_role("err"), Some(HoleRole::Error));
    // Two controllers in files of one name say the same; the directory tells them apart.
    let rollout = log_template("rollout/controller.go:90", "Ignoring NotFound placement").unwrap();
    assert_eq!(rollout.file, "rollout/controller.go");
}

#[test]
fn log_lines_with_values_inside_tell_them() {
    let text = "binding catalog/web-member4-cfbce6fe has terminal failure on condition Applied (reason \"ApplyInProgress\")";
    let line = log_template("binding/binding.go:68", text).unwrap();
    assert_eq!(line.id, "log-binding-terminal");
    let refs = line.refs(text);
    let found: Vec<_> = refs.iter().map(|one| (one.role, &text[one.range.clone()])).collect();
    assert_eq!(
        found,
        [
            (HoleRole::Binding, "catalog/web-member4-cfbce6fe"),
            (HoleRole::Condition, "Applied"),
            (HoleRole::Reason, "ApplyInProgress"),
        ]
    );
}

#[test]
fn long_messages_take_time_by_their_length() {
    let template = format!("{{\"a\":[{}]}}", "{\"b\":\"x: y, z\"},".repeat(4_000));
    let text = format!(
        "Failed to apply the manifest (error: failed to apply the manifest: failed to patch the manifest object: error returned by the API server: Job.batch \"migrate\" is invalid: spec.template: Invalid value: {template}: field is immutable)"
    );
    let found = plain(&text);
    assert_eq!(ids(&found).last(), Some(&"k8s.immutable"));
    let hostile = [
        "[".repeat(40_000),
        "a, ".repeat(40_000),
        format!("[{}]", "the cluster `, ".repeat(10_000)),
        "cannot continue the updateRun: ".repeat(4_000),
        format!(
            "the updating cluster `c` in the stage s does not match the cluster status: {}",
            ", binding: ".repeat(10_000)
        ),
        "x: ".repeat(40_000),
    ];
    for text in hostile {
        plain(&text);
    }
}

/// Scraps that texts are made of, so that random texts come near the templates.
fn scraps() -> impl Strategy<Value = String> {
    let scrap = prop_oneof![
        Just("cannot continue the updateRun: ".to_owned()),
        Just("failed to process the request due to a client error: ".to_owned()),
        Just("the stage `s` has failed, err: ".to_owned()),
        Just("ClusterUnschedulable, ".to_owned()),
        Just("Failed to apply the manifest (error: ".to_owned()),
        Just("pods \"a\" is forbidden: ".to_owned()),
        Just("The updateRun is stuck waiting for ".to_owned()),
        Just(" cluster(s) in stage ".to_owned()),
        Just("[".to_owned()),
        Just("]".to_owned()),
        Just(", ".to_owned()),
        Just("...".to_owned()),
        Just("…".to_owned()),
        Just("é\u{a0}".to_owned()),
        ".{0,12}",
    ];
    proptest::collection::vec(scrap, 0..12).prop_map(|scraps| scraps.concat())
}

proptest! {
    #[test]
    fn whatever_the_text_ranges_lie_on_its_characters(text in prop_oneof![".{0,80}", scraps()]) {
        let found = plain(&text);
        let parts = found.parts.iter();
        let all = parts
            .flat_map(|part| part.refs.iter().map(|one| &one.range).chain([&part.range]))
            .chain(found.prefixes.iter().map(|(_, range)| range));
        for range in all {
            prop_assert!(text.get(range.clone()).is_some(), "{range:?} of {text:?}");
        }
        for (index, part) in found.parts.iter().enumerate() {
            prop_assert!(part.parent.is_none_or(|parent| parent < index));
        }
        log_template("binding.go", &text);
    }
}
