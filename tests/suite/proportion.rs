//! Time in proportion to the input: what once grew with its square, at a size at which that takes a minute or more.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::input::pack::{Item, gzip, tar};

/// A linear reader takes a second or two in a test build; on a busy machine some more.
const PATIENCE: Duration = Duration::from_secs(60);

fn run(command: &str, name: &str, bytes: &[u8]) -> String {
    run_as(command, name, bytes, "human")
}

fn run_as(command: &str, name: &str, bytes: &[u8], format: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("room for it");
    let began = Instant::now();
    let done = Command::new(env!("CARGO_BIN_EXE_fleetlens"))
        .args([command, &format!("--format={format}")])
        .arg(Path::new(&path))
        .output()
        .expect("it runs");
    let took = began.elapsed();
    assert!(took < PATIENCE, "{command} {name}: {took:?}");
    assert!(done.status.code().is_some_and(|code| code != 2), "{name}: {:?}", done.status);
    let text = [done.stdout, done.stderr].concat();
    assert!(text.len() < 4 << 20, "{name}: {} bytes of report", text.len());
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn pods_without_owner() {
    let pod = |number: usize| {
        format!(
            "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p{number}\n  namespace: d\nstatus:\n  phase: Pending\n"
        )
    };
    run("analyze", "pods.yaml", (0..10_000).map(pod).collect::<String>().as_bytes());
}

#[test]
fn keys_that_stand_twice() {
    let head = "apiVersion: placement.kubernetes-fleet.io/v1beta1\nkind: ClusterResourcePlacement\nmetadata:\n  name: a\nspec:\n";
    let text = format!("{head}{}", "  policy: {}\n".repeat(30_000));
    run("analyze", "twice.yaml", text.as_bytes());
    run("check", "twice.yaml", text.as_bytes());
}

#[test]
fn keys_that_nobody_knows() {
    let head = "apiVersion: placement.kubernetes-fleet.io/v1beta1\nkind: ClusterResourcePlacement\nmetadata:\n  name: a\nspec:\n";
    let keys: String = (0..10_000).map(|number| format!("  unknown{number}: 1\n")).collect();
    run("check", "unknown.yaml", format!("{head}{keys}").as_bytes());
}

#[test]
fn keys_that_all_stand_twice() {
    let head = "apiVersion: placement.kubernetes-fleet.io/v1beta1\nkind: ClusterResourcePlacement\nmetadata:\n  name: a\nspec:\n";
    let keys: String = (0..80_000).map(|number| format!("  k{number}: 1\n")).collect();
    let text = run("check", "twice.yaml", format!("{head}{keys}{keys}").as_bytes());
    let words = Vec::from_iter(text.split_whitespace()).join(" ");
    assert!(words.contains("79900 more faults of this kind"), "{text:.400}");
}

#[test]
fn clusters_that_are_named_twice() {
    let names: Vec<String> = (0..12_000).map(|number| format!("m{}", number % 300)).collect();
    let text = format!(
        "apiVersion: placement.kubernetes-fleet.io/v1beta1\nkind: ClusterResourcePlacement\nmetadata:\n  name: a\nspec:\n  \
         resourceSelectors: [{{group: \"\", version: v1, kind: Namespace, name: web}}]\n  policy: {{placementType: PickFixed, clusterNames: [{}]}}\n",
        names.join(",")
    );
    let text = run("check", "names.yaml", text.as_bytes());
    let words = Vec::from_iter(text.split_whitespace()).join(" ");
    assert!(words.contains("11600 more faults of this kind"), "{text:.400}");
}

#[test]
fn overrides_of_one_object() {
    let one = |number: usize| {
        format!(
            "---\napiVersion: placement.kubernetes-fleet.io/v1beta1\nkind: ClusterResourceOverride\nmetadata:\n  name: o{number}\nspec:\n  \
             clusterResourceSelectors: [{{group: \"\", version: v1, kind: Namespace, name: web}}]\n  policy:\n    overrideRules:\n    - clusterSelector: {{}}\n      \
             jsonPatchOverrides: [{{op: add, path: /metadata/labels/x, value: y}}]\n"
        )
    };
    let text: String = (0..300).map(one).collect();
    let text = run("check", "overrides.yaml", text.as_bytes());
    assert!(text.contains(" and by 289 more"), "{text:.400}");
}

#[test]
fn secrets_with_what_was_applied() {
    let secret = |number: usize| {
        let value = format!("dmFsdWUgb2Yga2V5IG51bWJlciBwbGVudHkg{number:08}");
        format!(
            "- apiVersion: v1\n  data:\n    a: {value}\n    b: plain-{number}\n  kind: Secret\n  metadata:\n    annotations:\n      kubectl.kubernetes.io/last-applied-configuration: |\n        \
             {{\"apiVersion\":\"v1\",\"data\":{{\"a\":\"{value}\"}},\"kind\":\"Secret\",\"metadata\":{{\"name\":\"s{number}\"}}}}\n    name: s{number}\n    namespace: web\n"
        )
    };
    let text = format!(
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: placement.kubernetes-fleet.io/v1\n  kind: ClusterResourcePlacement\n  metadata: {{name: web}}\n  \
         status: {{conditions: [{{type: ClusterResourcePlacementApplied, status: \"False\", reason: Odd, lastTransitionTime: \"2026-11-16T12:00:00Z\", \
         message: wrong dmFsdWUgb2Yga2V5IG51bWJlciBwbGVudHkg00000007}}]}}\n{}",
        (0..20_000).map(secret).collect::<String>()
    );
    let text = run("analyze", "secrets.yaml", text.as_bytes());
    assert!(text.contains("wrong ***") && !text.contains("dmFsdWUg"), "{text:.2000}");
}

#[test]
fn words_that_hint_at_credentials() {
    let words = ["token ", "found ", "x://", "password_password", "data"]
        .map(|word| word.repeat(200_000 / word.len()));
    let text = format!(
        "apiVersion: placement.kubernetes-fleet.io/v1\nkind: ClusterResourcePlacement\nmetadata: {{name: web}}\n\
         status: {{conditions: [{{type: ClusterResourcePlacementApplied, status: \"False\", reason: Odd, \
         lastTransitionTime: \"2026-11-16T12:00:00Z\", message: {}}}]}}\n",
        words.concat()
    );
    run("analyze", "words.yaml", text.as_bytes());
}

#[test]
fn files_that_are_refused() {
    let names: Vec<String> = (0..10_000).map(|number| format!("../up{number}.yaml")).collect();
    let items: Vec<Item<'_>> = names.iter().map(|name| Item::File(name, b"a: 1")).collect();
    let text = run("analyze", "refused.tgz", &gzip(&tar(&items)));
    assert!(text.contains("10000 files were not read"), "{text:.400}");
}

#[test]
fn a_thousand_clusters_that_refuse_the_same() {
    let head = "apiVersion: placement.kubernetes-fleet.io/v1\nkind: ClusterResourcePlacement\nmetadata:\n  name: web\n  generation: 1\n  creationTimestamp: \"2026-11-16T12:00:00Z\"\n\
        spec:\n  policy: {placementType: PickAll}\n  resourceSelectors: [{group: \"\", version: v1, kind: Namespace, name: web}]\nstatus:\n  conditions:\n  - {type: ClusterResourcePlacementScheduled, status: \"True\", observedGeneration: 1, reason: SchedulingPolicyFulfilled, lastTransitionTime: \"2026-11-16T12:00:05Z\", message: found all cluster needed}\n\
        \u{20} - {type: ClusterResourcePlacementApplied, status: \"False\", observedGeneration: 1, reason: ApplyFailed, lastTransitionTime: \"2026-11-16T12:00:30Z\", message: Failed to apply manifests to 1000 clusters}\n  placementStatuses:\n";
    let cluster = |number: usize| {
        format!(
            "  - clusterName: member{number}\n    conditions:\n    - {{type: Applied, status: \"False\", observedGeneration: 1, reason: NotAllWorkHaveBeenApplied, lastTransitionTime: \"2026-11-16T12:00:30Z\", message: Work object web-work is not applied}}\n    \
             failedPlacements:\n    - {{kind: ConfigMap, name: app, namespace: web, version: v1, condition: {{type: Applied, status: \"False\", observedGeneration: 1, reason: ManifestApplyFailed, lastTransitionTime: \"2026-11-16T12:00:30Z\", \
             message: 'Failed to apply manifest: configmaps \"app\" is forbidden: exceeded quota: team, requested: configmaps=1, used: configmaps=2, limited: configmaps=2'}}}}\n"
        )
    };
    let text = format!("{head}{}", (0..1_000).map(cluster).collect::<String>());
    let report = run("analyze", "placements.yaml", text.as_bytes());
    assert!(report.contains("FL0701"), "{report:.2000}");
    assert!(report.len() < 5_000, "{} bytes of report", report.len());
    let same = "The same is true of member1, member2, member3, member4, member5 and 994 more.";
    assert!(report.contains(same), "{report:.2000}");
    let report: serde_json::Value =
        serde_json::from_str(&run_as("analyze", "placements.yaml", text.as_bytes(), "json"))
            .expect("JSON");
    let causes = report["verdict"]["causes"].as_array().map(Vec::len);
    assert!(causes >= Some(1_000), "{causes:?}");
}
