//! Several manifests together: references, members, and what else a repository holds.

use super::{EXTERNAL, RUN, STRATEGY, Scratch};

fn member(name: &str, ring: &str) -> String {
    format!(
        "apiVersion: cluster.kubernetes-fleet.io/v1beta1\nkind: MemberCluster\nmetadata:\n  name: {name}\n  \
         labels: {{ring: {ring}}}\nspec:\n  identity: {{kind: User, name: {name}}}\n"
    )
}

#[test]
fn references_are_looked_up_in_the_whole_repository() {
    let scratch = Scratch::repository();
    scratch.write("runs/run.yaml", RUN);
    assert_eq!(scratch.check(&["runs/run.yaml"]).codes(), ["FL1202", "FL1204"]);
    scratch.write("placements/p.yaml", EXTERNAL);
    scratch.write("strategies/s.yaml", STRATEGY);
    assert_eq!(scratch.check(&["runs/run.yaml"]).codes(), ["FL1214"; 0]);
    // Only what is named is judged, and only what the folder holds is known.
    assert_eq!(
        scratch.check(&["--context", "runs", "runs/run.yaml"]).codes(),
        ["FL1202", "FL1204"]
    );
    let here = ["--context", "strategies", "runs/run.yaml"];
    assert_eq!(scratch.check(&here).codes(), ["FL1202"]);
    scratch.write("fleetlens.toml", "context = \"placements\"\n");
    assert_eq!(scratch.check(&["runs/run.yaml"]).codes(), ["FL1204"]);
}

#[test]
fn outside_a_repository_only_what_is_named_is_known() {
    let scratch = Scratch::empty();
    scratch.write("run.yaml", RUN);
    scratch.write("p.yaml", EXTERNAL);
    let alone = scratch.check(&["run.yaml"]);
    assert_eq!(alone.codes(), ["FL1202", "FL1204"]);
    assert!(!alone.out.contains("warning["), "they may well be elsewhere: {}", alone.out);
    scratch.write("p.yaml", &EXTERNAL.replace("External", "RollingUpdate"));
    let ended = scratch.check(&["run.yaml", "p.yaml"]);
    assert!(ended.codes().contains(&"FL1203"), "{}", ended.out);
    assert!(ended.err.contains("only what is named or in --context DIR is known"), "{}", ended.err);
    assert_eq!(scratch.check(&["--context", "none", "run.yaml"]).code, Some(2));
    scratch.write("some/other.yaml", "kind: Other\n");
    assert_eq!(scratch.check(&["--context", "some", "run.yaml"]).codes(), ["FL1202", "FL1204"]);
}

#[test]
fn two_runs_at_work_on_one_placement_are_noticed() {
    let scratch = Scratch::repository();
    scratch.write("p.yaml", EXTERNAL);
    scratch.write("s.yaml", STRATEGY);
    scratch.write("run-1.yaml", RUN);
    scratch.commit();
    scratch.write("run-2.yaml", &RUN.replace("shop-1", "shop-2"));
    assert!(scratch.check(&["run-2.yaml"]).codes().contains(&"FL1212"));
}

#[test]
fn stages_are_held_against_members_in_whatever_form_they_come() {
    let scratch = Scratch::repository();
    scratch.write("run.yaml", RUN);
    scratch.write("p.yaml", EXTERNAL);
    scratch.write("s.yaml", STRATEGY);
    scratch.commit();
    let yaml = format!("{}---\n{}", member("member1", "canary"), member("member2", "rest"));
    let table = "\
NAME      JOINED   AGE   MEMBER-AGENT-LAST-SEEN   NODE-COUNT   AVAILABLE-CPU   AVAILABLE-MEMORY   LABELS
member1   True     12d   30s                      3            5800m           11Gi               ring=canary
member2   True     12d   30s                      3            5800m           11Gi               ring=rest,zone=b
";
    let json = r#"{"apiVersion":"v1","kind":"List","items":[
        {"apiVersion":"cluster.kubernetes-fleet.io/v1beta1","kind":"MemberCluster","metadata":{"name":"member1","labels":{"ring":"canary"}}},
        {"apiVersion":"cluster.kubernetes-fleet.io/v1beta1","kind":"MemberCluster","metadata":{"name":"member2","labels":{"ring":"rest"}}}]}"#;
    let one = |name: &str, ring: &str| {
        format!(
            "Name:         {name}\nNamespace:    \nLabels:       ring={ring}\nAnnotations:  <none>\nAPI Version:  \
             cluster.kubernetes-fleet.io/v1beta1\nKind:         MemberCluster\nMetadata:\n  Generation:  1\nSpec:\n  \
             Heartbeat Period Seconds:  60\n"
        )
    };
    let describe = format!("{}\n\n{}", one("member1", "canary"), one("member2", "rest"));
    for (name, text) in
        [("m.yaml", yaml.as_str()), ("m.json", json), ("m.txt", table), ("describe.txt", &describe)]
    {
        let folder = Scratch::empty();
        folder.write(name, text);
        let path = folder.path(name).display().to_string();
        let ended = scratch.check(&["--members", &path, "s.yaml"]);
        assert_eq!(ended.codes(), ["FL1107"], "{name}: {}", ended.out);
        assert!(ended.out.contains("cluster member2"), "{name}: {}", ended.out);
    }
    assert_eq!(scratch.check(&["--members", "none.yaml", "s.yaml"]).code, Some(2));
    let told = scratch.check(&["--members", "p.yaml", "s.yaml"]).err;
    assert!(told.contains("p.yaml tells of no MemberCluster"), "{told}");
}

#[test]
fn an_overlap_is_proved_by_a_cluster_or_shown_by_labels() {
    let scratch = Scratch::repository();
    let two =
        format!("{STRATEGY}    - name: old\n      labelSelector: {{matchLabels: {{age: old}}}}\n");
    scratch.write("s.yaml", &two);
    assert_eq!(scratch.check(&["s.yaml"]).codes(), ["FL1106"]);
    scratch.write("m.yaml", &member("member1", "canary").replace("canary}", "canary, age: old}"));
    assert!(scratch.check(&["s.yaml"]).codes().contains(&"FL1105"));
    // The change of a cluster is as good a reason as the change of the strategy.
    let ended = scratch.check(&["m.yaml"]);
    assert!(ended.codes().contains(&"FL1105"), "{}", ended.out);
}

#[test]
fn what_an_override_patches_is_looked_up_among_other_kinds() {
    let scratch = Scratch::repository();
    let folder = "testdata/rules/FL1506-patch-of-nothing/bad";
    let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).expect("testdata");
    scratch.write("fleet/override.yaml", &read("override.yaml"));
    scratch.write("apps/web.yaml", &read("context.yaml"));
    let ended = scratch.check(&["fleet/override.yaml"]);
    assert!(ended.codes().contains(&"FL1506"), "{}", ended.out);
    scratch.write("apps/kustomization.yaml", "resources: [web.yaml]\n");
    assert!(!scratch.check(&["fleet/override.yaml"]).codes().contains(&"FL1506"));
}

#[test]
fn a_manifest_in_utf16_is_read_like_any_other() {
    let scratch = Scratch::repository();
    let units = ['\u{feff}'].into_iter().chain(EXTERNAL.chars()).map(|letter| letter as u16);
    let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    std::fs::write(scratch.path("wide.yaml"), bytes).expect("a file can be written");
    assert_eq!(scratch.check(&["wide.yaml"]).codes(), ["FL1318"]);
}

#[test]
fn what_is_not_applied_together_is_not_joined() {
    let scratch = Scratch::repository();
    let rolling = EXTERNAL.replace("External", "RollingUpdate");
    scratch.write("a/run.yaml", RUN);
    scratch.write("a/s.yaml", STRATEGY);
    scratch.write("b/p.yaml", &rolling);
    let codes = |scratch: &Scratch| scratch.check(&["."]).codes().contains(&"FL1203");
    assert!(!codes(&scratch), "two folders may be for two hubs");
    scratch.write("kustomization.yaml", "resources: [a, b/p.yaml]\n");
    assert!(!codes(&scratch), "a folder without a kustomization is not taken in");
    scratch.write("a/kustomization.yaml", "resources: [run.yaml, s.yaml]\n");
    assert!(codes(&scratch), "one kustomization takes in both");
    scratch.write("kustomization.yaml", "resources: [a]\n");
    assert!(!codes(&scratch));
    scratch.write("a/p.yaml", &rolling);
    assert!(codes(&scratch), "the files of a folder are applied together");
    scratch.write("a/q.yaml", &rolling);
    assert!(!codes(&scratch), "unless some of them are alternatives");
    assert!(scratch.check(&["--context", "b", "a/run.yaml"]).codes().contains(&"FL1203"));
}

#[test]
fn a_run_that_may_be_for_another_hub_skips_no_override() {
    let scratch = Scratch::repository();
    let path = "testdata/rules/FL1515-override-skipped-by-runs/bad.yaml";
    let both = std::fs::read_to_string(path).expect("testdata");
    let (run, item) = both.split_once("---\n").expect("a run and an override");
    let told = |scratch: &Scratch| scratch.check(&["."]).codes().contains(&"FL1515");
    scratch.write("a/run.yaml", run);
    scratch.write("b/override.yaml", item);
    assert!(!told(&scratch), "two folders may be for two hubs");
    scratch.write("b/run.yaml", run);
    assert!(told(&scratch), "the files of a folder are applied together");
}

#[test]
fn a_member_among_the_manifests_may_be_an_example() {
    let scratch = Scratch::repository();
    scratch.write("s.yaml", STRATEGY);
    scratch.write("m.yaml", &member("m1", "prod"));
    let ended = scratch.check(&["."]);
    assert!(!ended.out.contains("FL1108"), "{}", ended.out);
    let ended = scratch.check(&["--members", "m.yaml", "s.yaml"]);
    assert!(ended.out.contains("warning[FL1108"), "{}", ended.out);
}
