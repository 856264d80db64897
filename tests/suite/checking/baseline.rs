//! Known findings: written, hidden, found again after edits, and missed when they are gone.

use super::{EXTERNAL, STRATEGY, Scratch};

/// Returns a strategy with two findings of one rule at one object and field.
fn twice() -> String {
    let head = STRATEGY.split_inclusive("stages:\n").next().expect("a strategy has stages");
    format!("{head}    - name: canary\n    - name: canary\n")
}

fn written(scratch: &Scratch, paths: &[&str]) -> String {
    let arguments: Vec<&str> =
        ["--write-baseline", "known.json"].iter().chain(paths).copied().collect();
    let ended = scratch.check(&arguments);
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), ""), "{}", ended.err);
    scratch.read("known.json")
}

#[test]
fn a_known_finding_is_hidden_wherever_it_moves() {
    let scratch = Scratch::repository();
    scratch.write("p.yaml", EXTERNAL);
    let text = written(&scratch, &["p.yaml"]);
    assert!(!text.contains("\"line\"") && text.contains("\"spec.strategy.type\""), "{text}");
    assert_eq!(text, written(&scratch, &["p.yaml"]), "the same to the byte");
    scratch.write("moved/p.yaml", &format!("# more\n\n# lines\n{EXTERNAL}"));
    std::fs::remove_file(scratch.path("p.yaml")).expect("removed");
    let known = ["--baseline", "known.json", "--fail-on", "note", "moved/p.yaml"];
    let ended = scratch.check(&known);
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), ""));
    let human: Vec<&str> = ["--format", "human"].into_iter().chain(known).collect();
    assert!(scratch.check(&human).out.contains("1 known by the baseline"));
    scratch.write("fleetlens.toml", "baseline = \"known.json\"\n");
    assert_eq!(scratch.check(&["moved/p.yaml"]).out, "");
}

#[test]
fn one_more_of_the_same_is_shown() {
    let scratch = Scratch::repository();
    scratch.write("s.yaml", &twice());
    assert_eq!(scratch.check(&["s.yaml"]).codes(), ["FL1103", "FL1103", "FL1101"]);
    assert!(written(&scratch, &["s.yaml"]).contains("\"count\": 2"));
    let known = ["--baseline", "known.json", "s.yaml"];
    assert_eq!(scratch.check(&known).out, "");
    scratch.write("s.yaml", &format!("{}    - name: canary\n", twice()));
    assert_eq!(scratch.check(&known).codes(), ["FL1103", "FL1101"]);
}

#[test]
fn what_is_gone_is_noted_only_where_it_was_judged() {
    let scratch = Scratch::repository();
    scratch.write("p.yaml", EXTERNAL);
    scratch.write("q.yaml", STRATEGY);
    written(&scratch, &["p.yaml"]);
    scratch.write("p.yaml", &EXTERNAL.replace("External", "RollingUpdate"));
    let ended = scratch.check(&["--baseline", "known.json", "p.yaml"]);
    assert_eq!(ended.codes(), ["FL1906"]);
    assert!(ended.out.contains("known.json:8:"), "{}", ended.out);
    assert_eq!(scratch.check(&["--baseline", "known.json", "q.yaml"]).out, "");
    // A choice of rules does not make the others stale.
    scratch.write("p.yaml", EXTERNAL);
    let chosen = ["--baseline", "known.json", "--select", "FL19,FL1006", "p.yaml"];
    assert_eq!(scratch.check(&chosen).out, "");
    std::fs::remove_file(scratch.path("p.yaml")).expect("removed");
    assert_eq!(scratch.check(&["--baseline", "known.json", "."]).codes(), ["FL1906"]);
}

#[test]
fn a_corrupt_baseline_stops_the_check() {
    let scratch = Scratch::repository();
    scratch.write("p.yaml", EXTERNAL);
    let good = written(&scratch, &["p.yaml"]);
    for (text, place, word) in [
        (String::new(), "known.json:1:1", "no baseline"),
        ("{\"schema\": 1}".to_owned(), "known.json:1:12", "no baseline"),
        (good.replace("\"count\": 1", "\"count\": \"1\""), "known.json:9:", "above 0"),
        (good.replace("\"count\"", "\"number\""), "known.json:9:", "no key `number`"),
        (good.replace("\"code\": \"FL1318\",", ""), "known.json:4:", "lacks `code`"),
        (good.replace("}", ""), "known.json:", "known.json cannot be used"),
    ] {
        scratch.write("known.json", &text);
        let ended = scratch.check(&["--baseline", "known.json", "p.yaml"]);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{text}");
        assert!(ended.err.contains(place) && ended.err.contains(word), "{text}\n{}", ended.err);
    }
    assert_eq!(scratch.check(&["--baseline", "none.json", "p.yaml"]).code, Some(2));
}
