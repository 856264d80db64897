//! Old against new: what git has, or what `--old` names.

use super::{EXTERNAL, RUN, STRATEGY, Scratch};

fn repository() -> Scratch {
    let scratch = Scratch::repository();
    scratch.write("run.yaml", RUN);
    scratch.write("placement.yaml", EXTERNAL);
    scratch.write("strategy.yaml", STRATEGY);
    scratch.commit();
    scratch
}

#[test]
fn a_change_is_judged_against_the_last_commit() {
    let scratch = repository();
    assert_eq!(scratch.check(&["run.yaml"]).out, "", "nothing changed");
    for (from, to, code) in [
        ("placementName: shop", "placementName: store", "FL1018"),
        ("stagedRolloutStrategyName: rings", "stagedRolloutStrategyName: waves", "FL1018"),
        ("state: Run", "state: Initialize", "FL1211"),
        // The default comes back when the line goes.
        ("  state: Run\n", "", "FL1211"),
    ] {
        scratch.write("run.yaml", &RUN.replace(from, to));
        let ended = scratch.check(&["run.yaml"]);
        assert!(ended.codes().contains(&code), "{from} {to}: {}", ended.out);
        assert_eq!(ended.code, Some(1));
    }
    scratch.write("run.yaml", &RUN.replace("state: Run", "state: Stop"));
    let ended = scratch.check(&["run.yaml"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), ""), "a run may be stopped");
}

#[test]
fn a_line_that_is_removed_counts_after_defaulting() {
    let scratch = repository();
    scratch.write(
        "placement.yaml",
        &EXTERNAL.replace("    type: External\n", "    type: RollingUpdate\n"),
    );
    assert!(scratch.check(&["placement.yaml"]).codes().contains(&"FL1316"));
    scratch.write("placement.yaml", &EXTERNAL.replace("  strategy:\n    type: External\n", ""));
    assert!(scratch.check(&["placement.yaml"]).codes().contains(&"FL1316"));
}

#[test]
fn an_object_is_followed_into_another_file() {
    let scratch = repository();
    std::fs::remove_file(scratch.path("run.yaml")).expect("removed");
    scratch.write("runs/shop-1.yaml", &RUN.replace("placementName: shop", "placementName: store"));
    assert!(scratch.check(&["runs/shop-1.yaml"]).codes().contains(&"FL1018"));
}

#[test]
fn another_revision_may_be_named() {
    let scratch = repository();
    scratch.write("run.yaml", &RUN.replace("placementName: shop", "placementName: store"));
    scratch.commit();
    let codes = |revision: &str| {
        let ended = scratch.check(&["--against", revision, "run.yaml"]);
        ended.codes().contains(&"FL1018")
    };
    assert!(!codes("HEAD"));
    assert!(codes("HEAD~1"));
    let ended = scratch.check(&["--against", "nowhere", "run.yaml"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.err.contains("nowhere"), "{}", ended.err);
    assert_eq!(scratch.check(&["--against", "--all", "run.yaml"]).code, Some(2));
}

#[test]
fn the_stored_object_may_be_given() {
    let scratch = Scratch::empty();
    scratch.write("old.yaml", RUN);
    scratch.write("new.yaml", &RUN.replace("state: Run", "state: Initialize"));
    let ended = scratch.check(&["--old", "old.yaml", "new.yaml"]);
    assert!(ended.codes().contains(&"FL1211"), "{}", ended.out);
    assert_eq!(ended.err, "");
}

#[test]
fn outside_a_repository_less_is_judged_and_that_is_said() {
    let scratch = Scratch::empty();
    scratch.write("run.yaml", RUN);
    let ended = scratch.check(&["run.yaml"]);
    assert_eq!(ended.code, Some(0));
    assert!(ended.err.contains("no git repository here: changes are not judged"), "{}", ended.err);
    let inside = Scratch::repository();
    inside.write("run.yaml", RUN);
    assert_eq!(inside.check(&["run.yaml"]).err, "", "a repository without a commit");
}
