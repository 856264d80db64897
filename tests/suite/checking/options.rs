//! What is walked over, and what is shown in place of the findings.

use super::{EXTERNAL, STRATEGY, Scratch};

#[test]
fn what_git_ignores_is_not_judged_unless_it_is_named() {
    let scratch = Scratch::repository();
    let bad = EXTERNAL.replace("PickAll", "PickSome");
    scratch.write("rendered/p.yaml", &bad);
    scratch.write("node_modules/p.yaml", &bad);
    scratch.write("q.yaml", STRATEGY);
    scratch.write(".gitignore", "rendered/\n");
    assert_eq!(scratch.check(&["."]).code, Some(0));
    assert_eq!(scratch.check(&["rendered/p.yaml"]).code, Some(1));
    assert_eq!(scratch.check(&["rendered"]).code, Some(1));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(scratch.path("rendered"), scratch.path("link")).expect("a link");
        assert_eq!(scratch.check(&["link"]).code, Some(1), "a link that is named is followed");
        assert_eq!(scratch.check(&["."]).code, Some(0), "one that is come upon is not");
    }
    scratch.write(".gitignore", "");
    assert_eq!(scratch.check(&["."]).code, Some(1));
}

#[test]
fn files_and_statistics_are_shown_in_place_of_findings() {
    let scratch = Scratch::repository();
    let bad = STRATEGY.replace("name: rings", "name: Rings");
    scratch.write("a.yaml", &bad);
    scratch.write("b.yaml", &bad.replace("Rings", "Rounds"));
    scratch.write("other.txt", "x");
    let files = scratch.check(&["--show-files", "."]);
    assert_eq!((files.code, files.out.as_str()), (Some(0), "a.yaml\nb.yaml\n"));
    let counted = scratch.check(&["--statistics", "."]);
    assert_eq!(counted.code, Some(1));
    assert_eq!(counted.out, "2  FL1014  [ ] bad-name\nFound 2 errors.\n");
    let both = scratch.check(&["--statistics", "--format", "json", "."]);
    assert_eq!(both.code, Some(2), "a table is no JSON: {}", both.err);
    assert_eq!(scratch.check(&["--exit-zero", "."]).code, Some(0));
}

#[test]
fn standard_input_stands_for_a_file() {
    let scratch = Scratch::repository();
    scratch.write("fleet/p.yaml", EXTERNAL);
    scratch.write("fleet/fleetlens.toml", "[rules]\nexternal-never-run = \"error\"\n");
    let ended = scratch.check_text(&["--stdin-filename", "fleet/p.yaml", "-"], Some(EXTERNAL));
    assert!(ended.out.starts_with("fleet/p.yaml:11:"), "{}", ended.out);
    assert!(!ended.out.contains("FL1021"), "the file on disk is the same one: {}", ended.out);
    let lone = scratch.check(&["--stdin-filename", "fleet/p.yaml", "fleet"]);
    assert_eq!(lone.code, Some(2), "{}", lone.err);
}

#[test]
fn blocks_of_markdown_are_judged_and_mended_where_they_stand() {
    let scratch = Scratch::repository();
    let bad = STRATEGY.replace("labelSelector:", "maxConcurency: 2\n      labelSelector:");
    let indented: String = bad.lines().map(|line| format!("   {line}\n")).collect();
    let text =
        format!("# How to\n\n1. Write\n   ```yaml\n{indented}   ```\n\n```sh\nkubectl x\n```\n");
    scratch.write("README.md", &text);
    assert_eq!(scratch.check(&["."]).out, "");
    let ended = scratch.check(&["--markdown", "."]);
    assert!(ended.out.starts_with("README.md:12:10: error[FL1008"), "{}", ended.out);
    assert_eq!(scratch.check(&["README.md"]).out, ended.out, "who names a document means it");
    scratch.check(&["--markdown", "--fix", "."]);
    assert_eq!(scratch.read("README.md"), text.replace("maxConcurency", "maxConcurrency"));
}

#[test]
fn an_example_in_a_document_is_not_compared_with_the_last_commit() {
    let scratch = Scratch::repository();
    let block = |text: &str| format!("```yaml\n{text}```\n");
    scratch.write("README.md", &block(EXTERNAL));
    scratch.commit();
    let picked = EXTERNAL.replace("PickAll", "PickFixed\n    clusterNames: [member1]");
    scratch.write("README.md", &block(&picked));
    let ended = scratch.check(&["--markdown", "."]);
    assert!(!ended.out.contains("FL1315"), "{}", ended.out);
}

#[test]
fn a_fix_is_shown_as_a_difference_under_its_finding() {
    let scratch = Scratch::repository();
    let run = super::RUN.replace("spec:\n", "spec:\n  resourceSnapshotIndex: 01\n");
    scratch.write("run.yaml", &run);
    let ended = scratch.check(&["--format", "human", "--select", "FL1009", "run.yaml"]);
    let shown = "  fix   -   resourceSnapshotIndex: 01\n        +   resourceSnapshotIndex: \"1\"\n";
    assert!(ended.out.contains(shown), "{}", ended.out);
    assert!(ended.out.ends_with("Found 1 error. [*] 1 fixable with --fix.\n"), "{}", ended.out);
    scratch.check(&["--fix", "run.yaml"]);
    assert!(scratch.read("run.yaml").contains("resourceSnapshotIndex: \"1\"\n"));
}

#[test]
fn a_fix_that_leads_to_another_finding_on_its_line_is_not_made() {
    let scratch = Scratch::repository();
    // The nearest key takes a list, so that the right key would hold a wrong value.
    let bad = EXTERNAL.replace("PickAll", "PickFixed\n    clusterName: member1");
    scratch.write("p.yaml", &bad);
    let ended = scratch.check(&["--fix=all", "p.yaml"]);
    assert_eq!(scratch.read("p.yaml"), bad, "{}", ended.out);
}

#[test]
fn findings_follow_file_and_line() {
    let scratch = Scratch::repository();
    let bad = STRATEGY.replace("labelSelector:", "maxConcurency: 2\n      labelSelector:");
    scratch.write("b.yaml", &bad.replace("name: rings", "name: Rings"));
    scratch.write("a/z.yaml", &EXTERNAL.replace("name: shop\nspec", "name: Shop\nspec"));
    let ended = scratch.check(&["."]);
    let places: Vec<&str> = ended.out.lines().filter_map(|line| line.split(": ").next()).collect();
    assert_eq!(
        places,
        ["a/z.yaml:4:9", "a/z.yaml:11:11", "b.yaml:4:9", "b.yaml:8:7"],
        "{}",
        ended.out
    );
}

#[test]
fn a_reference_that_is_nearly_right_is_asked_about() {
    let scratch = Scratch::repository();
    scratch.write("fleet.yaml", &[EXTERNAL, STRATEGY].join("---\n"));
    let run = super::RUN.replace("Name: rings", "Name: ringz").replace("Name: shop", "Name: shp");
    scratch.write("run.yaml", &run);
    let ended = scratch.check(&["--format", "human", "run.yaml"]);
    assert!(ended.out.contains("help  Did you mean `rings`?"), "{}", ended.out);
    assert!(
        !ended.out.contains("Did you mean `shop`?"),
        "three letters are too few to guess: {}",
        ended.out
    );
}

#[test]
fn an_example_of_a_member_elsewhere_is_not_the_fleet() {
    let scratch = Scratch::repository();
    let member = "apiVersion: cluster.kubernetes-fleet.io/v1\nkind: MemberCluster\nmetadata:\n  name: m1\n  labels: {ring: other}\nspec:\n  identity: {kind: ServiceAccount, name: a, namespace: fleet-system, apiGroup: \"\"}\n";
    scratch.write("examples/member.yaml", member);
    scratch.write(
        "fleet/strategy.yaml",
        &STRATEGY
            .replace("labelSelector", "sortingLabelKey: order\n      labelSelector")
            .replace("ring: canary", "ring: other"),
    );
    assert_eq!(scratch.check(&["fleet"]).out, "", "another folder");
    let told = scratch.check(&["fleet", "--members", "examples/member.yaml"]);
    assert_eq!(told.codes(), ["FL1109"], "{}", told.out);
}

#[test]
fn a_budget_alone_may_have_its_placement_elsewhere() {
    let scratch = Scratch::empty();
    let budget = "apiVersion: placement.kubernetes-fleet.io/v1beta1\nkind: ClusterResourcePlacementDisruptionBudget\nmetadata: {name: shop}\nspec: {minAvailable: 1}\n";
    scratch.write("one/budget.yaml", budget);
    let alone = scratch.check(&["one/budget.yaml"]);
    assert!(alone.out.contains("note[FL1701"), "{}", alone.out);
    let folder = scratch.check(&["one"]);
    assert!(folder.out.contains("warning[FL1701"), "{}", folder.out);
}

#[test]
fn time_grows_with_the_keys_and_no_faster() {
    let scratch = Scratch::empty();
    let keys: String = (0..20_000).map(|n| format!("      key{n}: {n}\n")).collect();
    scratch.write("big.yaml", &format!("{STRATEGY}{keys}"));
    let start = std::time::Instant::now();
    assert_eq!(scratch.check(&["big.yaml"]).code, Some(1));
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn every_bundle_of_a_folder_is_judged_on_its_own() {
    let scratch = Scratch::empty();
    let capture = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata/bundles/run-approval-stale-before/capture");
    for entry in std::fs::read_dir(capture).expect("a capture").flatten() {
        let Ok(text) = std::fs::read_to_string(entry.path()) else { continue };
        let file = entry.file_name().to_string_lossy().into_owned();
        scratch.write(&format!("tickets/a/{file}"), &text);
        scratch.write(&format!("tickets/b/{file}"), &text);
    }
    scratch.write("tickets/empty.txt", "nothing of interest\n");
    scratch.write("tickets/.hidden", "x");
    let run = |words: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fleetlens"));
        command.current_dir(scratch.path("")).args(words).output().expect("it can be run")
    };
    let output = run(&["analyze", "--each", "tickets", "--format", "ndjson"]);
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<serde_json::Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("one object per line"))
        .collect();
    let told =
        |key: &str| -> Vec<&str> { lines.iter().filter_map(|line| line[key].as_str()).collect() };
    assert_eq!(told("input"), ["tickets/a", "tickets/b", "tickets/empty.txt"]);
    assert_eq!(told("outcome"), ["judged", "judged", "nothing"]);
    let alone = run(&["analyze", "tickets/a", "--format", "json"]);
    let alone: serde_json::Value = serde_json::from_slice(&alone.stdout).expect("a report");
    assert_eq!(lines[0]["report"]["findings"], alone["findings"], "as if it came alone");
    assert_eq!(run(&["analyze", "--each", "tickets"]).status.code(), Some(2));
    assert_eq!(
        run(&["analyze", "--each", "tickets/empty.txt", "--format", "ndjson"]).status.code(),
        Some(2)
    );
}

#[test]
fn usage_lines_say_how_the_program_was_called() {
    let scratch = Scratch::empty();
    let plugin = scratch.path("kubectl-fleetlens");
    // A link: a copy could still be open for writing in a process that another test starts.
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_fleetlens"), &plugin).expect("a link");
    let told = |program: &std::path::Path| {
        let output = std::process::Command::new(program).args(["check", "--help"]).output();
        String::from_utf8_lossy(&output.expect("the program can be run").stdout).into_owned()
    };
    assert!(told(&plugin).contains("Usage: kubectl fleetlens check "), "{}", told(&plugin));
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_fleetlens"));
    assert!(told(program).contains("Usage: fleetlens check "));
}
