//! What is not a manifest yet, and what is one by the time it comes through standard input.

use super::{EXTERNAL, Scratch};

#[test]
fn what_is_to_be_filled_in_is_skipped_with_a_note() {
    let scratch = Scratch::repository();
    for (name, from, to) in [
        ("helm", "name: shop\nspec", "name: {{ .Release.Name }}\nspec"),
        ("helm-block", "  policy:\n", "  {{- if .Values.all }}\n  policy:\n"),
        ("shell", "name: shop\nspec", "name: ${NAME}\nspec"),
        ("flux", "name: shop\nspec", "name: $(NAME)\nspec"),
        ("cut", "placementType: PickAll", "..."),
        ("cut-lines", "  policy:\n", "  ...\n  policy:\n"),
        ("cut-document", "  policy:\n", "...\n  policy:\n"),
    ] {
        let path = format!("{name}.yaml");
        scratch.write(&path, &EXTERNAL.replace(from, to));
        let ended = scratch.check(&[&path]);
        assert_eq!(ended.codes(), ["FL1901"], "{name}: {}", ended.out);
        assert_eq!(ended.code, Some(0), "{name}");
        assert!(ended.out.contains(": note["), "{name}: {}", ended.out);
    }
}

#[test]
fn dots_in_place_of_an_item_are_judged_with_the_rest() {
    let scratch = Scratch::repository();
    let text =
        EXTERNAL.replace("    - {group", "    - ...\n    - {group").replace("PickAll", "Pick");
    scratch.write("cut.yaml", &text);
    assert_eq!(scratch.check(&["cut.yaml"]).codes(), ["FL1009", "FL1011", "FL1318"]);
}

#[test]
fn dots_at_the_end_cut_nothing() {
    let scratch = Scratch::repository();
    scratch.write("end.yaml", &format!("{EXTERNAL}...\n# the end\n"));
    assert_eq!(scratch.check(&["end.yaml"]).codes(), ["FL1318"]);
    scratch.write("broken.yaml", &format!("{}...\n", EXTERNAL.replace("  policy:", "  policy")));
    assert!(scratch.check(&["broken.yaml"]).codes().contains(&"FL1001"));
    scratch.write(
        "next.yaml",
        &format!("{}---\na: b\n...\n", EXTERNAL.replace("  policy:", "  policy")),
    );
    assert!(scratch.check(&["next.yaml"]).codes().contains(&"FL1001"));
}

#[test]
fn a_patch_of_kustomize_is_no_manifest_of_its_own() {
    let scratch = Scratch::repository();
    scratch.write("base/p.yaml", EXTERNAL);
    scratch.write("base/kustomization.yaml", "resources: [p.yaml]\n");
    let patch = "apiVersion: placement.kubernetes-fleet.io/v1beta1\nkind: ClusterResourcePlacement\n\
                 metadata:\n  name: shop\nspec:\n  revisionHistoryLimit: 3\n";
    scratch.write("prod/limit.yaml", patch);
    let ended = scratch.check(&["prod/limit.yaml"]);
    assert!(ended.codes().contains(&"FL1010"), "a piece alone: {}", ended.out);
    for list in ["patches: [{path: ./limit.yaml}]", "patchesStrategicMerge: [limit.yaml]"] {
        scratch.write("prod/kustomization.yaml", &format!("resources: [../base]\n{list}\n"));
        let ended = scratch.check(&["prod/limit.yaml"]);
        assert_eq!((ended.codes(), ended.code), (vec!["FL1901"], Some(0)), "{}", ended.out);
    }
    assert_eq!(scratch.check(&["base/p.yaml"]).codes(), ["FL1318"], "the patch is no twin");
}

#[test]
fn the_same_object_is_refused_only_where_it_is_applied_twice() {
    let scratch = Scratch::repository();
    scratch.write("dev/p.yaml", EXTERNAL);
    scratch.write("prod/p.yaml", EXTERNAL);
    let ended = scratch.check(&["."]);
    assert!(!ended.out.contains("FL1021"), "for two hubs: {}", ended.out);
    scratch.write("prod/q.yaml", EXTERNAL);
    let ended = scratch.check(&["prod"]);
    assert!(ended.out.contains("note[FL1021"), "alternatives: {}", ended.out);
    let ended = scratch.check(&["prod/q.yaml", "--context", "prod"]);
    assert!(ended.out.contains("error[FL1021"), "it is stored: {}", ended.out);
    scratch.write("both.yaml", &format!("{EXTERNAL}---\n{EXTERNAL}"));
    let ended = scratch.check(&["both.yaml"]);
    assert!(ended.out.contains("error[FL1021"), "in one file: {}", ended.out);
}

#[test]
fn variables_of_an_override_are_no_template() {
    let scratch = Scratch::repository();
    let text = std::fs::read_to_string("testdata/rules/FL1507-bad-patch-variable/good.yaml");
    scratch.write("o.yaml", &text.expect("testdata"));
    assert!(!scratch.check(&["o.yaml"]).codes().contains(&"FL1901"));
}

#[test]
fn rendered_text_comes_through_standard_input() {
    let scratch = Scratch::repository();
    let rendered = format!(
        "---\n# Source: fleet/templates/p.yaml\n{EXTERNAL}---\napiVersion: v1\nkind: Service\nmetadata:\n  name: a\n"
    );
    let ended = scratch.check_text(&["-"], Some(&rendered));
    assert_eq!(ended.codes(), ["FL1318"]);
    assert!(ended.out.starts_with("<stdin>:13:"), "{}", ended.out);
    let broken = rendered.replace("PickAll", "PickSome");
    assert_eq!(scratch.check_text(&["-"], Some(&broken)).code, Some(1));
    // What is left over there was not filled in: it is no template any more.
    let left = rendered.replace("name: shop\nspec", "name: ${NAME}\nspec");
    let ended = scratch.check_text(&["-"], Some(&left));
    assert_eq!(ended.code, Some(1), "{}", ended.out);
}

#[test]
fn yaml_of_other_kinds_is_passed_over_in_silence() {
    let scratch = Scratch::repository();
    scratch.write("a.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n");
    scratch.write("broken.yaml", "a: [\n- }\n");
    scratch.write("values.yaml", "x: {{ y }}\n");
    let ended = scratch.check(&["a.yaml", "broken.yaml", "values.yaml"]);
    assert_eq!((ended.code, ended.out.as_str(), ended.err.as_str()), (Some(0), "", ""));
}

#[test]
fn a_broken_document_of_somebody_else_is_not_ours() {
    let scratch = Scratch::repository();
    let broken = "---\napiVersion: v1\nkind: Service\nmetadata: {name: a\nspec: ]\n";
    scratch.write("mixed.yaml", &format!("{EXTERNAL}{broken}"));
    assert_eq!(scratch.check(&["mixed.yaml"]).codes(), ["FL1318"]);
    // Without kind and version it may be ours.
    let broken = "---\nmetadata: {name: a\nspec: ]\n";
    scratch.write("mixed.yaml", &format!("{EXTERNAL}{broken}"));
    assert!(scratch.check(&["mixed.yaml"]).codes().contains(&"FL1001"));
}
