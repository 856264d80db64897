//! Plans: `testdata/plan/<case>/input` (and `members`, for `--members`) against `expected.txt`, the
//! stages that a run has stored, and that the JSON form keeps to its shipped schema.

use std::path::Path;
use std::process::Command;

use fleetlens::bundle::Bundle;
use fleetlens::graph::{self, Graph};
use fleetlens::plan::{Basis, Plans, plans};
use fleetlens::report::plan::{SCHEMA, render, render_json};
use serde_json::Value;

use crate::bless::{golden, names_in, report};
use crate::schema::check;

fn read(path: &str) -> Graph {
    let bundle = Bundle::open(&[path.to_owned()]).expect("testdata can be read");
    graph::build(&bundle, None)
}

fn plan(case: &str) -> Plans {
    let members = format!("testdata/plan/{case}/members");
    let members = Path::new(&members).is_dir().then(|| read(&members));
    plans(&read(&format!("testdata/plan/{case}/input")), members.as_ref())
}

#[test]
fn plans_are_as_expected_and_fit_the_screen() {
    let mut troubles = Vec::new();
    for case in names_in("testdata/plan") {
        let text = render(&plan(&case), 80);
        let wide = text.lines().find(|line| line.chars().count() > 80);
        troubles.extend(wide.map(|line| format!("{case}: too wide: {line}")));
        let path = format!("testdata/plan/{case}/expected.txt");
        troubles.extend(golden(Path::new(&path), &text).err());
    }
    report(troubles);
}

#[test]
fn plans_keep_to_their_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let mut troubles = Vec::new();
    let mut judge = |name: &str, plans: &Plans| {
        let value = serde_json::from_str(&render_json(plans)).expect("plans are JSON");
        check(&value, &schema, &schema, name, &mut troubles);
    };
    for case in names_in("testdata/plan") {
        judge(&case, &plan(&case));
    }
    for story in names_in("testdata/bundles") {
        judge(&story, &plans(&read(&format!("testdata/bundles/{story}/capture")), None));
    }
    report(troubles);
}

#[test]
fn a_run_that_has_stored_its_stages_is_repeated() {
    let graph = read("testdata/bundles/run-stuck-two-reasons/capture");
    let mut seen = 0;
    for plan in plans(&graph, None).plans.iter().filter(|plan| plan.basis == Basis::Status) {
        seen += 1;
        let name = plan.run.as_ref().map(|key| key.name.to_string()).unwrap_or_default();
        let run = graph.runs.as_slice().iter().find(|run| run.meta.name() == name).expect("a run");
        for (planned, stored) in plan.stages.iter().zip(&run.stages) {
            let planned: Vec<&str> = planned.clusters.iter().map(|c| c.name.as_str()).collect();
            let stored: Vec<&str> = stored.clusters.iter().map(|c| &*c.name).collect();
            assert_eq!(planned, stored, "{name}");
        }
    }
    assert!(seen > 0);
}

#[test]
fn what_was_stored_is_what_would_be_planned_again() {
    // The controller's own result is the best judge of the plan: it is compared wherever the labels
    // and bindings of a run are captured beside it.
    let mut compared = 0;
    for story in names_in("testdata/bundles") {
        let graph = read(&format!("testdata/bundles/{story}/capture"));
        for run in graph.runs.as_slice().iter().filter(|run| run.is_initialized()) {
            let Some(strategy) = graph.find_strategy(run) else { continue };
            let frozen = run.frozen_stages.as_ref().map(Vec::len);
            for stored in run.stages.iter().filter(|_| frozen == Some(strategy.stages.len())) {
                let stage = strategy.stages.iter().find(|stage| stage.name() == stored.name());
                for cluster in &stored.clusters {
                    let Some(member) = graph.find_member(&cluster.name) else { continue };
                    compared += 1;
                    let selects = stage.is_some_and(|stage| stage.selects(&member.meta.labels));
                    assert!(selects, "{story}: {} in {}", &*cluster.name, stored.name());
                }
            }
        }
    }
    assert!(compared > 3, "only {compared} clusters were compared");
}

#[test]
fn the_exit_code_tells_whether_a_run_could_start() {
    let code = |path: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fleetlens"));
        let output = command.args(["plan", "--format", "json", path]).output();
        output.expect("the program runs").status.code()
    };
    assert_eq!(code("testdata/plan/from-manifests/input"), Some(0));
    assert_eq!(code("testdata/plan/faults/input"), Some(1));
    assert_eq!(code("testdata/plan/run-without-strategy/input"), Some(1));
    assert_eq!(code("testdata/plan/no-such-folder"), Some(2));
    assert_eq!(code("testdata/plan/from-bindings/members"), Some(3));
}
