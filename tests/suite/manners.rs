//! Manners of the program: what it says and how it ends where an argument or an input is not what it wants.

use std::fs;
use std::process::{Command, Output};

const STORY: &str = "testdata/bundles/run-stuck-two-reasons/capture";

fn run(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fleetlens"));
    command.env("COLUMNS", "80").env_remove("NO_COLOR").args(args);
    command.output().expect("the program can be run")
}

fn told(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_path_alone_is_analyzed() {
    let (code, alone, _) = told(&run(&[STORY]));
    let (_, named, _) = told(&run(&["analyze", STORY]));
    assert_eq!(code, Some(1));
    assert_eq!(alone, named);
}

#[test]
fn the_first_screen_is_the_answer() {
    let (_, out, _) = told(&run(&[STORY]));
    let head: Vec<&str> = out.lines().take(8).collect();
    assert!(head[3].starts_with("✗ ingest-2-0-1  STUCK in stage prod since 12:33:29Z"), "{out}");
    assert!(head[4].ends_with("FL0701"), "{out}");
    for line in out.lines().filter(|line| !line.contains("kubectl ")) {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn a_name_that_is_not_there_is_answered_with_what_is() {
    for (flag, name, answer) in [
        ("--run", "ingest-2-0-2", "did you mean ingest-2-0-1?"),
        ("--placement", "ingest", "ingest-placement"),
        ("--cluster", "member9", "member1"),
        ("--namespace", "nowhere", "ingest"),
        ("--select", "quota-exceded", "did you mean quota-exceeded?"),
        ("--cause", "7", "there are causes 1 to 2"),
    ] {
        let (code, out, err) = told(&run(&["analyze", STORY, flag, name]));
        assert_eq!((code, out.as_str()), (Some(2), ""), "{flag}");
        assert!(err.contains(answer), "{flag}: {err}");
    }
}

#[test]
fn what_cannot_be_judged_gets_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    fs::create_dir(path("empty")).expect("a folder can be made");
    fs::write(path("shot.png"), b"\x89PNG\r\n\x1a\n\0\0").expect("a file can be written");
    fs::write(path("ticket.docx"), b"PK\x03\x04\0\0").expect("a file can be written");
    let strategy = "apiVersion: placement.kubernetes-fleet.io/v1\nkind: ClusterStagedUpdateStrategy\nmetadata:\n  name: a\nspec:\n  stages:\n  - name: dev\n";
    fs::write(path("strategy.yaml"), strategy).expect("a file can be written");
    for (command, name, sentence) in [
        ("analyze", "empty", "is an empty folder"),
        ("analyze", "shot.png", "is a picture"),
        ("analyze", "strategy.yaml", "fleetlens check"),
        ("timeline", "empty", "is an empty folder"),
        ("tree", "empty", "is an empty folder"),
        ("check", "empty", "is an empty folder"),
        ("check", "shot.png", "is a picture"),
        ("check", "ticket.docx", "word processor"),
        ("plan", "empty", "is an empty folder"),
        ("dump", "empty", "is an empty folder"),
    ] {
        let (code, out, err) = told(&run(&[command, &path(name)]));
        assert_eq!((code, out.as_str()), (Some(3), ""), "{command} {name}: {err}");
        assert!(err.contains(sentence), "{command} {name}: {err}");
    }
    fs::copy("testdata/input/ticket.tgz", path("ticket.tgz")).expect("a file can be copied");
    let (code, _, err) = told(&run(&["check", &path("ticket.tgz")]));
    assert_eq!(code, Some(3));
    assert!(err.contains("fleetlens analyze"), "{err}");
}

#[test]
fn one_format_goes_to_standard_output() {
    let (code, _, err) = told(&run(&[STORY, "-o", "json", "-o", "human"]));
    assert_eq!(code, Some(2));
    assert!(err.contains("two formats"), "{err}");
}

#[test]
fn quiet_and_exit_zero_do_as_they_say() {
    assert_eq!(told(&run(&[STORY, "-q"])), (Some(1), String::new(), String::new()));
    assert_eq!(told(&run(&[STORY, "-q", "--exit-zero"])).0, Some(0));
}

#[test]
fn a_ticket_tells_what_led_to_the_cause() {
    let (_, ticket, _) = told(&run(&[STORY, "-o", "markdown"]));
    assert!(ticket.contains("<summary>Timeline ("), "{ticket}");
}

#[test]
fn a_sample_is_diagnosed_by_the_program() {
    let (code, sample, _) = told(&run(&["explain", "FL0501", "--sample"]));
    assert_eq!(code, Some(0));
    let (code, out) = pasted(&sample);
    assert_eq!(code, Some(1));
    assert!(out.contains("FL0501"), "{out}");
    let (code, _, err) = told(&run(&["explain", "FL1018", "--sample"]));
    assert_eq!(code, Some(3));
    assert!(err.contains("FL1018 changed-immutable-field has no sample"), "{err}");
}

#[test]
fn a_page_is_told_to_programs_and_fits_the_terminal() {
    let json = |about: &str| -> serde_json::Value {
        let (code, out, _) = told(&run(&["explain", about, "-o", "json"]));
        assert_eq!(code, Some(0), "{about}");
        serde_json::from_str(&out).expect("JSON")
    };
    let rule = json("FL0501");
    assert_eq!(rule["rule"]["name"], "stale-approval");
    assert!(rule["rule"]["page"].as_str().is_some_and(|page| page.contains("## Why it matters")));
    let reason = json("UpdateRunStuck");
    assert_eq!(reason["rule"], serde_json::Value::Null);
    assert_eq!(reason["conditions"][0]["type"], "Progressing");
    for (about, has_rules) in
        [("UpdateRunStuck", false), ("Applied", true), ("AllWorkSynced", false)]
    {
        let (_, out, _) = told(&run(&["explain", about]));
        assert_eq!(out.contains("Rules whose pages name it: FL"), has_rules, "{about}");
        assert_eq!(out.contains("Rules whose pages"), has_rules, "{about}");
        for line in out.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

#[test]
fn commands_are_written_for_the_shell_that_is_asked_for() {
    let (_, plain, _) = told(&run(&[STORY, "--ascii"]));
    assert!(plain.is_ascii(), "{plain}");
    let json = "testdata/bundles/run-approval-stale-before/capture";
    let (_, bash, _) = told(&run(&[json]));
    assert!(bash.contains("-p \"[{op: "), "{bash}");
}

#[test]
fn every_command_has_three_examples() {
    let (_, help, _) = told(&run(&["--help"]));
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = commands.take_while(|line| !line.is_empty());
    // The words about a command may go on in a further line, which is indented more.
    let names = names.filter(|line| line.get(2..3).is_some_and(|first| first != " "));
    let names: Vec<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"analyze") && names.contains(&"man"), "{help}");
    for name in names.iter().filter(|name| !["help", "version"].contains(name)) {
        let (_, help, _) = told(&run(&[name, "--help"]));
        let examples = help.split("Examples:\n").nth(1).unwrap_or_default();
        let count = examples.lines().filter(|line| line.contains("fleetlens ")).count();
        assert!(count >= 3, "{name} has {count} examples");
    }
}

#[test]
fn completions_and_manual_are_made_of_the_same_definitions() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let (code, out, _) = told(&run(&["completions", shell]));
        assert_eq!(code, Some(0));
        assert!(out.contains("timeline"), "{shell}");
    }
    let (_, manual, _) = told(&run(&["man"]));
    assert!(manual.contains("timeline") && manual.contains(".SH"), "{manual}");
}

#[test]
fn a_timeline_tells_what_carries_the_verdict() {
    let (code, out, _) = told(&run(&["timeline", STORY]));
    assert_eq!(code, Some(0));
    let (_, all, _) = told(&run(&["timeline", STORY, "--all"]));
    assert!(out.lines().count() < 60, "{out}");
    assert!(all.lines().count() > out.lines().count());
    assert!(out.contains("ingest-2-0-1 STUCK"), "{out}");
    assert!(out.contains("◀ cause"), "{out}");
}

/// Writes a paste, analyzes it, and returns the exit code and the report.
fn pasted(text: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ticket.txt");
    fs::write(&path, text).expect("a file can be written");
    let (code, out, _) = told(&run(&["analyze", &path.to_string_lossy()]));
    (code, out)
}

#[test]
fn what_could_not_be_read_is_not_called_healthy() {
    let whole = "apiVersion: placement.kubernetes-fleet.io/v1\nkind: ClusterStagedUpdateRun\nmetadata:\n  name: r-7\n  generation: 1\n\
        spec:\n  placementName: web\n  state: Run\nstatus:\n  conditions:\n  - lastTransitionTime: \"2026-01-09T01:21:18Z\"\n    \
        message: The UpdateRun initialized successfully\n    observedGeneration: 1\n    reason: UpdateRunInitializedSuccessfully\n    \
        status: \"True\"\n    type: Initialized\n";
    let cut =
        format!("{whole}  - lastTransitionTime: \"2026-01-09T01:21:19Z\"\n    message: The upda\n");
    let (code, out) = pasted(&cut);
    assert_eq!(code, Some(2), "{out}");
    assert!(out.contains("? Nothing wrong was seen in what could be read."), "{out}");
    assert!(
        out.contains("ticket.txt:18 The text breaks off in the middle of a condition"),
        "{out}"
    );
    assert!(out.contains("r-7  UNKNOWN") && !out.contains("NOT STARTED"), "{out}");

    let flat = "NAME PLACEMENT RESOURCE-SNAPSHOT-INDEX POLICY-SNAPSHOT-INDEX INITIALIZED PROGRESSING SUCCEEDED AGE\nr1 web 0 0 True False 24m\n";
    let (code, out) = pasted(flat);
    assert_eq!(code, Some(2), "{out}");
    assert!(!out.contains("Nothing is wrong"), "{out}");

    let (code, out) = pasted(whole);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("✓ Nothing is wrong."), "{out}");
}

#[test]
fn words_that_fit_both_phases_are_put_in_neither() {
    let words = "cannot continue the updateRun: failed to validate the updateRun: failed to process the request due to a client error: ";
    let (_, out) = pasted(&format!("It says: {words}parent placement not found\n"));
    assert!(out.contains("✗ the run  FAILED ") && !out.contains("initialization"), "{out}");
    assert!(!out.contains("Cluster") && out.contains("2 read-only commands"), "{out}");
    // The strategy is read once, at the start.
    let (_, out) = pasted(&format!("It says: {words}referenced updateStrategy not found: `s`\n"));
    assert!(out.contains("✗ the run  FAILED at initialization"), "{out}");
}

#[test]
fn a_message_belongs_to_the_one_run_that_fails_without_a_word() {
    let table = "NAME   PLACEMENT   RESOURCE-SNAPSHOT-INDEX   POLICY-SNAPSHOT-INDEX   INITIALIZED   PROGRESSING   SUCCEEDED   AGE\n\
        r1     web         0                         0                       True          False         False       24m\n";
    let words = "\nthe page says: cannot continue the updateRun: the cluster count initialized in the updateRun is outdated, latest: 1, recorded: 2\n";
    let (_, out) = pasted(&format!("{table}{words}"));
    assert!(out.contains("✗ r1  FAILED") && out.contains("from 2 to 1 while r1"), "{out}");
    assert!(!out.contains("the run"), "{out}");
    // The row tells that it failed at its start.
    let early =
        table.replace("True          False         False", "False                              ");
    let gone = "\nthe page says: cannot continue the updateRun: failed to validate the updateRun: failed to process the request due to a client error: parent placement not found\n";
    let (_, out) = pasted(&format!("{early}{gone}"));
    assert!(out.contains("✗ r1  FAILED at initialization"), "{out}");
    // A run that waits is not the one that failed.
    let waits = table
        .lines()
        .last()
        .expect("a row")
        .replace("r1", "r3")
        .replace("False       24m", "            24m");
    let (_, out) = pasted(&format!("{table}{waits}\n{words}"));
    assert!(out.contains("from 2 to 1 while r1"), "{out}");
    // With a second run that fails without a word, nobody can tell.
    let second = table.lines().last().expect("a row").replace("r1", "r2");
    let (_, out) = pasted(&format!("{table}{second}\n{words}"));
    assert!(out.contains("✗ the run  FAILED"), "{out}");
}

#[test]
fn a_reply_and_a_comparison_name_what_they_were_made_of() {
    let (_, json, _) = told(&run(&["analyze", STORY, "--format", "json"]));
    let json: serde_json::Value = serde_json::from_str(&json).expect("a report is JSON");
    let digest = json["provenance"]["inputs"][0]["sha256"].as_str().expect("a digest");
    let (_, reply, _) = told(&run(&["analyze", STORY, "--format", "reply"]));
    assert!(reply.contains(&format!("sha256 {}", &digest[..12])), "{reply}");
    let (_, table, _) = told(&run(&["diff", STORY, STORY, "--format", "markdown"]));
    assert_eq!(table.matches(&format!("`capture` sha256 {digest}")).count(), 2, "{table}");
    let (_, diff, _) = told(&run(&["diff", STORY, STORY, "--format", "json"]));
    let diff: serde_json::Value = serde_json::from_str(&diff).expect("a comparison is JSON");
    assert_eq!(diff["provenance"]["before"][0]["sha256"], *digest);
}

#[test]
fn a_reply_does_not_speak_of_what_was_not_sent() {
    let reply = |text: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ticket.txt");
        fs::write(&path, text).expect("a file can be written");
        let path = path.to_string_lossy().into_owned();
        let (_, reply, _) = told(&run(&["analyze", &path, "--format", "reply"]));
        let (_, human, _) = told(&run(&["analyze", &path]));
        (reply, human)
    };
    let binding = "apiVersion: placement.kubernetes-fleet.io/v1\nkind: ClusterResourceBinding\nmetadata:\n  name: web-member1-1a2b3c4d\n  generation: 1\n\
        spec:\n  state: Bound\n  targetCluster: member1\nstatus:\n  conditions:\n  - lastTransitionTime: \"2026-11-16T12:35:13Z\"\n    \
        message: All of the works are available\n    observedGeneration: 1\n    reason: AllWorkAreAvailable\n    status: \"True\"\n    type: Available\n";
    let (words, human) = reply(binding);
    assert!(words.contains("We checked 1 object."), "{words}");
    assert!(!words.contains("by the logs alone"), "{words}");
    assert!(human.contains("? Nothing wrong is shown."), "{human}");
    // A row that is not done: the reply asks for the object, as the report does.
    let row = "NAME   GEN   SCHEDULED   SCHEDULED-GEN   AVAILABLE   AVAILABLE-GEN   AGE\nweb    3     True        1               True        1               20m\n";
    let (words, human) = reply(row);
    assert!(words.contains("kubectl get clusterresourceplacements web -o yaml"), "{words}");
    assert!(human.contains("? Nothing wrong is shown."), "{human}");
}
