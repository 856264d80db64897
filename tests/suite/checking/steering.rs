//! Which configuration holds, and what it does.

use super::{EXTERNAL, STRATEGY, Scratch};

const IGNORED: &str = "\
[[ignore]]
rule = \"FL1318\"
kind = \"ClusterResourcePlacement\"
name = \"shop\"
reason = \"runs come from the pipeline, password=hunter2hunter2\"
";

#[test]
fn the_nearest_configuration_up_to_the_root_holds() {
    let scratch = Scratch::repository();
    scratch.write("apps/a/p.yaml", EXTERNAL);
    assert_eq!(scratch.check(&["apps/a/p.yaml"]).codes(), ["FL1318"]);
    scratch.write("fleetlens.toml", "fail-on = \"note\"\n");
    assert_eq!(scratch.check(&["apps/a/p.yaml"]).code, Some(1));
    scratch.write("apps/fleetlens.toml", "[rules]\nexternal-never-run = \"warning\"\n");
    let ended = scratch.check(&["apps/a/p.yaml"]);
    assert_eq!(ended.code, Some(0));
    assert!(ended.out.contains("warning[FL1318"), "{}", ended.out);
    // Files of two folders have the configuration of both.
    scratch.write("b/q.yaml", "kind: Other\n");
    assert_eq!(scratch.check(&["apps/a/p.yaml", "b/q.yaml"]).code, Some(1));
    assert_eq!(scratch.check(&["--no-config", "apps/a/p.yaml"]).code, Some(0));
    let other = ["--config", "fleetlens.toml", "apps/a/p.yaml"];
    assert_eq!(scratch.check(&other).code, Some(1));
    assert_eq!(scratch.check(&["--fail-on", "note", "apps/a/p.yaml"]).code, Some(1));
}

#[test]
fn above_the_root_and_outside_a_repository_nothing_is_looked_for() {
    let scratch = Scratch::empty();
    scratch.write("fleetlens.toml", "[rules]\nFL1318 = \"error\"\n");
    scratch.write("inner/p.yaml", EXTERNAL);
    scratch.write("inner/.git/HEAD", "");
    assert_eq!(scratch.check(&["inner/p.yaml"]).code, Some(0));
    let outside = Scratch::empty();
    outside.write("fleetlens.toml", "[rules]\nFL1318 = \"error\"\n");
    outside.write("inner/p.yaml", EXTERNAL);
    assert_eq!(outside.check(&["inner"]).code, Some(1), "the current folder counts");
}

#[test]
fn a_fault_in_the_configuration_stops_the_check() {
    let scratch = Scratch::repository();
    scratch.write("p.yaml", EXTERNAL);
    scratch.write("fleetlens.toml", "[rule]\n");
    let ended = scratch.check(&["p.yaml"]);
    assert_eq!(ended.code, Some(2));
    assert_eq!(ended.out, "");
    assert!(
        ended.err.contains("fleetlens.toml:1:2") && ended.err.contains("`rules`"),
        "{}",
        ended.err
    );
    assert_eq!(scratch.check(&["--config", "none.toml", "p.yaml"]).code, Some(2));
}

#[test]
fn excluded_paths_are_neither_judged_nor_looked_up() {
    let scratch = Scratch::repository();
    scratch.write("p.yaml", EXTERNAL);
    scratch.write("old.yaml", EXTERNAL);
    assert!(scratch.check(&["p.yaml"]).codes().contains(&"FL1021"));
    scratch.write("fleetlens.toml", "exclude = [\"old.yaml\"]\n");
    assert_eq!(scratch.check(&["p.yaml"]).codes(), ["FL1318"]);
    let named = scratch.check(&["old.yaml"]);
    assert_eq!((named.code, named.out.as_str()), (Some(0), ""));
    assert_eq!(scratch.check(&["."]).codes(), ["FL1318"]);
}

#[test]
fn what_is_ignored_is_counted_and_listed_without_secrets() {
    let scratch = Scratch::repository();
    scratch.write("p.yaml", EXTERNAL);
    scratch.write("fleetlens.toml", IGNORED);
    let ended = scratch.check(&["--format", "json", "p.yaml"]);
    let report: serde_json::Value = serde_json::from_str(&ended.out).expect("JSON");
    let shipped = serde_json::from_str(fleetlens::internals::report::json::SCHEMA).expect("JSON");
    let mut troubles = Vec::new();
    crate::schema::check(&report, &shipped, &shipped, "", &mut troubles);
    assert_eq!(troubles, Vec::<String>::new());
    assert_eq!(report["findings"], serde_json::json!([]));
    assert_eq!(report["suppressed"], 1);
    let listed = &report["suppressed_findings"][0];
    assert_eq!((&listed["code"], &listed["by"]), (&"FL1318".into(), &"config".into()));
    assert_eq!((&listed["object"]["name"], &listed["line"]), (&"shop".into(), &11.into()));
    assert_eq!(listed["reason"], "runs come from the pipeline, password=***");
    assert!(!ended.out.contains("hunter2"));
    assert!(scratch.check(&["--format", "human", "p.yaml"]).out.contains("1 suppressed"));
}

#[test]
fn a_reason_beside_a_line_does_not_leak_either() {
    let scratch = Scratch::repository();
    let comment = "type: External # fleetlens: ignore[FL1318] token: abcdef123456";
    scratch.write("p.yaml", &EXTERNAL.replace("type: External", comment));
    let unused = "policy: # fleetlens: ignore[FL1006] token: abcdef123456";
    scratch.write(
        "q.yaml",
        &EXTERNAL.replace("policy:", unused).replace("name: shop\nspec", "name: q\nspec"),
    );
    for format in ["human", "json", "concise", "github"] {
        let ended = scratch.check(&["--format", format, "p.yaml", "q.yaml"]);
        assert!(!ended.out.contains("abcdef123456"), "{format}: {}", ended.out);
    }
    let ended = scratch.check(&["p.yaml", "q.yaml"]);
    assert!(ended.codes().contains(&"FL1902"), "{}", ended.out);
}

#[test]
fn an_entry_expires_and_is_called_unused_only_where_all_was_judged() {
    let scratch = Scratch::repository();
    scratch.write("p.yaml", EXTERNAL);
    scratch.write("q.yaml", STRATEGY);
    scratch.write("fleetlens.toml", &format!("{IGNORED}expires = \"2027-01-31\"\n"));
    let on = |day: &str, path: &str| {
        let now = format!("{day}T12:00:00Z");
        let ended = scratch.check(&["--now", &now, path]);
        ended.codes().iter().map(|code| (*code).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(on("2027-01-31", "p.yaml"), Vec::<String>::new());
    assert_eq!(on("2027-02-01", "p.yaml"), ["FL1905", "FL1318"]);
    scratch.write("fleetlens.toml", &IGNORED.replace("\"shop\"", "\"store\""));
    assert_eq!(on("2027-01-01", "p.yaml"), ["FL1318"], "the store may be elsewhere");
    assert_eq!(on("2027-01-01", "."), ["FL1902", "FL1318"]);
    scratch.write("fleetlens.toml", &IGNORED.replace("FL1318", "FL1317"));
    assert_eq!(on("2027-01-01", "q.yaml"), Vec::<String>::new(), "the shop was not judged");
    assert_eq!(on("2027-01-01", "p.yaml"), ["FL1902", "FL1318"]);
}

#[test]
fn analyze_takes_a_configuration_only_if_it_is_named() {
    let scratch = Scratch::repository();
    let case = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata/rules/FL0501-stale-approval/bad");
    scratch.write("fleetlens.toml", "[rules]\nstale-approval = \"off\"\n");
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fleetlens"));
        command.current_dir(scratch.path("")).args(["analyze", "--format", "json"]);
        let output = command.args(arguments).arg(&case).output().expect("it runs");
        String::from_utf8(output.stdout).expect("JSON is UTF-8")
    };
    let count = |text: &str| text.matches("\"code\": \"FL0501\"").count();
    scratch.write(
        "lapsed.toml",
        "[[ignore]]\nrule = \"FL0501\"\nname = \"*\"\nreason = \"a\"\nexpires = \"2020-01-01\"\n",
    );
    let lapsed = run(&["--config", "lapsed.toml"]);
    assert!(count(&lapsed) > 0 && lapsed.contains("\"suppressed\": 0"));
    let by_itself = run(&[]);
    assert!(by_itself.contains("\"suppressed\": 0") && count(&by_itself) > 0);
    let named = run(&["--config", "fleetlens.toml"]);
    let report: serde_json::Value = serde_json::from_str(&named).expect("JSON");
    assert_eq!(report["suppressed_findings"][0]["by"], "config");
    let findings = report["findings"].as_array().expect("a list");
    assert!(findings.iter().all(|finding| finding["code"] != "FL0501"));
}

#[test]
fn a_comment_may_name_several_rules_and_an_annotation_speaks_of_its_object() {
    let scratch = Scratch::repository();
    let comment =
        "  # fleetlens: ignore[external-never-run, FL1006] run by hand\n    type: External";
    scratch.write("p.yaml", &EXTERNAL.replace("    type: External", &format!("  {comment}")));
    assert_eq!(scratch.check(&["p.yaml"]).codes(), ["FL1902"], "only one of the two is needed");
    let annotated = |note: &str| {
        let name = format!("name: shop\n  annotations:\n    fleetlens.dev/ignore: {note}\nspec");
        scratch.write("p.yaml", &EXTERNAL.replace("name: shop\nspec", &name));
        let ended = scratch.check(&["p.yaml"]);
        ended.codes().iter().map(|code| (*code).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(annotated("FL1318 run by hand"), Vec::<String>::new());
    assert_eq!(annotated("FL1318 run by hand; FL1006 old hub"), ["FL1902"]);
    assert_eq!(annotated("FL1318"), ["FL1904", "FL1318"]);
    assert_eq!(annotated("FL9999 why"), ["FL1903", "FL1318"]);
    assert_eq!(annotated("FL1006 old hub"), ["FL1902", "FL1318"], "another rule is not meant");
}

#[test]
fn a_fix_is_written_to_its_file_where_a_configuration_holds() {
    let scratch = Scratch::repository();
    scratch.write("fleetlens.toml", "fail-on = \"warning\"\n");
    scratch.write("s.yaml", &format!("{STRATEGY}      maxConcurrency: \"2\"\n"));
    let ended = scratch.check(&["--fix", "s.yaml"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{}", ended.out);
    assert_eq!(scratch.read("s.yaml"), format!("{STRATEGY}      maxConcurrency: 2\n"));
}

#[test]
fn an_annotation_does_not_speak_of_the_object_beside_it() {
    let scratch = Scratch::repository();
    let bad = |name: &str, note: &str| {
        let head = format!("name: {name}\n{note}spec");
        EXTERNAL.replace("name: shop\nspec", &head).replace("PickAll", "PickSome")
    };
    let note = "  annotations:\n    fleetlens.dev/ignore: FL1011 a newer hub\n";
    scratch.write("p.yaml", &format!("{}---\n{}", bad("one", note), bad("two", "")));
    let ended = scratch.check(&["--select", "FL1011", "p.yaml"]);
    assert_eq!(ended.codes(), ["FL1011"], "{}", ended.out);
    assert!(ended.out.starts_with("p.yaml:23:"), "that of the other object: {}", ended.out);
}
