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
        ("cut-item", "    - {group", "    - ...\n    - {group"),
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
