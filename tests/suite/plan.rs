//! Plans: `testdata/plan/<case>/input` (and `members`, for `--members`) against `expected.txt`, the
//! stages that a run has stored, and that the JSON form keeps to its shipped schema.

use std::path::Path;
use std::process::Command;

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::graph::{self, Graph, ObjectSet};
use fleetlens::internals::model::run::Run;
use fleetlens::internals::report::plan::{SCHEMA, render, render_json};
use fleetlens::internals::views::plan::{ClusterEvidence, Plan, Plans, plans};
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
    for plan in
        plans(&graph, None).plans.iter().filter(|plan| plan.basis == ClusterEvidence::Status)
    {
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

/// Plans a run as if it had stored nothing yet.
fn plan_again(graph: &mut Graph, run: &Run) -> Plan {
    let bare = Run {
        frozen_stages: None,
        stages: Vec::new(),
        deletion_stage: None,
        conditions: Vec::new(),
        ..run.clone()
    };
    graph.runs = ObjectSet::new(vec![bare]);
    let mut plans = plans(graph, None).plans;
    plans.retain(|plan| plan.run.is_some());
    plans.pop().expect("the run is planned")
}

#[test]
fn what_was_stored_is_what_would_be_planned_again() {
    // The controller's own result is the best judge: wherever everything that it looked at was
    // captured beside it, and was not changed since, the plan has the same clusters in the same order.
    let mut compared = 0;
    for story in names_in("testdata/bundles") {
        let mut graph = read(&format!("testdata/bundles/{story}/capture"));
        let runs: Vec<Run> = graph.runs.as_slice().to_vec();
        for run in runs.iter().filter(|run| run.is_initialized()) {
            let plan = plan_again(&mut graph, run);
            if plan.basis != ClusterEvidence::Bindings
                || !plan.unknown.is_empty()
                || plan.missing.is_some()
            {
                continue;
            }
            let planned: Vec<Vec<&str>> = plan
                .stages
                .iter()
                .map(|stage| stage.clusters.iter().map(|cluster| cluster.name.as_str()).collect())
                .collect();
            let stored: Vec<Vec<&str>> = run
                .stages
                .iter()
                .map(|stage| stage.clusters.iter().map(|cluster| &*cluster.name).collect())
                .collect();
            assert_eq!(planned, stored, "{story}: {}", run.meta.name());
            compared += 1;
        }
    }
    assert!(compared > 0, "no run was compared");
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
