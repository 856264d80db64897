//! When the tool cannot do its job: what it says, how it ends, and that it leaves nothing half done behind.
//! And when the repository is hostile: nothing of its configuration is run, nothing is fetched.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::checking::{EXTERNAL, Ended, Scratch};

const CASE: &str = "testdata/bundles/run-approval-stale-before/capture";

fn run(arguments: &[&str], out: Stdio) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fleetlens"));
    command.args(arguments).stdin(Stdio::null()).stdout(out).stderr(Stdio::piped());
    let done = command.spawn().expect("it runs").wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ended { code: done.status.code(), out: text(done.stdout), err: text(done.stderr) }
}

fn leftovers(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).expect("a folder").flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.contains("fleetlens-")).collect()
}

#[test]
fn a_full_disk_is_told() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let ended = run(&["analyze", CASE], full.into());
    assert_eq!(ended.code, Some(2));
    assert!(ended.err.contains("cannot write standard output"), "{}", ended.err);
    let ended = run(&["analyze", "--format=json=/dev/full", CASE], Stdio::null());
    assert_eq!(ended.code, Some(2));
    assert!(ended.err.contains("cannot write /dev/full"), "{}", ended.err);
}

#[test]
fn a_report_that_cannot_be_written_leaves_the_old_one() {
    let scratch = Scratch::empty();
    let missing = format!("--format=json={}", scratch.path("no/such/report.json").display());
    let ended = run(&["analyze", &missing, CASE], Stdio::null());
    assert_eq!(ended.code, Some(2), "{}", ended.err);
    assert!(ended.err.contains("report.json"), "{}", ended.err);
    let folder = format!("--format=json={}", scratch.path("").display());
    assert_eq!(run(&["analyze", &folder, CASE], Stdio::null()).code, Some(2));
    scratch.write("report.json", "old");
    let whole = format!("--format=json={}", scratch.path("report.json").display());
    run(&["analyze", &whole, CASE], Stdio::null());
    assert!(scratch.read("report.json").starts_with('{'), "replaced in one step");
    assert_eq!(leftovers(&scratch.path("")), Vec::<String>::new());
}

#[test]
fn no_report_is_written_over_an_input() {
    let scratch = Scratch::empty();
    scratch.write("a.yaml", EXTERNAL);
    let (input, place) = (scratch.path("a.yaml"), scratch.path("").join("./a.yaml"));
    let output = format!("--format=json={}", place.display());
    for command in ["analyze", "check"] {
        let ended = run(&[command, &output, &input.display().to_string()], Stdio::null());
        assert_eq!(ended.code, Some(2), "{command}");
        assert!(ended.err.contains("is an input"), "{}", ended.err);
    }
    let folder = scratch.path("").display().to_string();
    for command in ["analyze", "check"] {
        let ended = run(&[command, &output, &folder], Stdio::null());
        assert_eq!(ended.code, Some(2), "{command}");
        assert!(ended.err.contains("a folder that is an input"), "{}", ended.err);
    }
    assert_eq!(scratch.read("a.yaml"), EXTERNAL);
    // An earlier report may lie there: the next one takes its place.
    let again = format!("--format=json={}", scratch.path("report.json").display());
    for _ in 0..2 {
        let ended = run(&["check", &again, &folder], Stdio::null());
        assert!(ended.code.is_some_and(|code| code < 2), "{}", ended.err);
    }
    let twice = format!("--format=concise={}", scratch.path("r").display());
    let ended = run(&["analyze", &twice, &twice, CASE], Stdio::null());
    assert!(ended.err.contains("two reports"), "{}", ended.err);
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fleetlens"));
    command.args(["rules"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    drop(child.stdout.take());
    let done = child.wait_with_output().expect("it ends");
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
#[cfg(unix)]
fn what_a_check_could_not_read_is_told() {
    let scratch = Scratch::empty();
    scratch.write("good.yaml", EXTERNAL);
    std::os::unix::fs::symlink("nowhere.yaml", scratch.path("gone.yaml")).expect("a link");
    let ended = scratch.check(&["."]);
    assert_eq!(ended.code, Some(2), "{}{}", ended.out, ended.err);
    assert!(ended.err.contains("gone.yaml was not read and is not judged"), "{}", ended.err);
    assert!(ended.codes().contains(&"FL1318"), "the rest is judged: {}", ended.out);
    // Nothing else is wrong, and yet not all checks have passed.
    scratch.write("good.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: web}\n");
    let ended = scratch.check(&["--format", "human", "."]);
    assert!(ended.out.contains("Nothing found in what could be read"), "{}", ended.out);
    assert!(ended.out.contains("Not read: 1 file."), "{}", ended.out);
}

#[test]
#[cfg(target_os = "linux")]
fn a_device_that_never_ends_is_told() {
    let ended = run(&["check", "/dev/zero"], Stdio::null());
    assert_eq!(ended.code, Some(2), "{}{}", ended.out, ended.err);
    assert!(ended.err.contains("does not end"), "{}", ended.err);
}

#[test]
#[cfg(unix)]
fn a_pipe_is_not_fixed() {
    let scratch = Scratch::empty();
    let pipe = scratch.path("run.yaml");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    let text = "apiVersion: placement.kubernetes-fleet.io/v1beta1\nkind: ClusterStagedUpdateStrategy\n\
                metadata:\n  name: rings\nspec:\n  stages:\n    - name: dev\n      afterStageTasks:\n        \
                - type: TimedWait\n          waitTime: 1h\n        - type: TimedWait\n          waitTime: 1h\n\
                \x20     maxConcurency: 1\n";
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::write(pipe, text)
    });
    let mut command = Command::new(env!("CARGO_BIN_EXE_fleetlens"));
    command.current_dir(scratch.path("")).args(["check", "--fix=all", "run.yaml"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let began = Instant::now();
    while child.try_wait().expect("a child").is_none() && began.elapsed() < Duration::from_secs(60)
    {
        std::thread::sleep(Duration::from_millis(20));
    }
    let hung = child.try_wait().expect("a child").is_none();
    let _ = child.kill();
    let done = child.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(!hung, "it reads the pipe again: {err}");
    assert!(
        err.contains("it is no regular file"),
        "{err}{}",
        String::from_utf8_lossy(&done.stdout)
    );
    let _ = writer.join();
}

/// Makes a program that leaves a trace when it is run.
#[cfg(unix)]
fn trap(scratch: &Scratch) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let script = format!("#!/bin/sh\ntouch '{}'\ncat\n", scratch.path("sprung").display());
    scratch.write(".git/trap.sh", &script);
    let path = scratch.path(".git/trap.sh");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("set");
    path.display().to_string()
}

#[test]
#[cfg(unix)]
fn nothing_of_the_repository_is_run() {
    let scratch = Scratch::repository();
    scratch.write("old.yaml", EXTERNAL);
    scratch.write("gone.yaml", &EXTERNAL.replace("shop", "gone"));
    scratch.commit();
    // Loose objects are read without git.
    scratch.git(&["gc", "-q"]);
    let trap = trap(&scratch);
    let settings = [
        "core.fsmonitor",
        "core.hooksPath",
        "core.pager",
        "diff.external",
        "core.sshCommand",
        "core.gitProxy",
        "core.askPass",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "diff.x.textconv",
        "diff.x.command",
        "core.alternateRefsCommand",
        "credential.helper",
    ];
    for setting in settings {
        scratch.git(&["config", setting, &trap]);
    }
    scratch.write(".gitattributes", "*.yaml filter=x diff=x\n");
    std::fs::remove_file(scratch.path("gone.yaml")).expect("removed");
    // A file that git does not know makes the check ask for what else has changed.
    scratch.write("old.yaml", &EXTERNAL.replace("PickAll", "PickFixed"));
    scratch.write("new.yaml", &EXTERNAL.replace("shop", "fresh"));
    let ended = scratch.check(&["old.yaml", "new.yaml"]);
    assert!(ended.code.is_some_and(|code| code < 2), "{}", ended.err);
    assert!(!scratch.path("sprung").exists(), "a program of the configuration was run");
}

#[test]
#[cfg(unix)]
fn a_git_of_the_folder_is_not_run() {
    let scratch = Scratch::repository();
    scratch.write("old.yaml", EXTERNAL);
    scratch.commit();
    scratch.git(&["gc", "-q"]);
    std::fs::copy(trap(&scratch), scratch.path("git")).expect("copied");
    let path = std::env::var("PATH").unwrap_or_default();
    for path in [format!(".:{path}"), format!(":{path}")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fleetlens"));
        command.current_dir(scratch.path("")).env("PATH", path).args(["check", "old.yaml"]);
        command.output().expect("it runs");
        assert!(!scratch.path("sprung").exists(), "the program of the folder was run");
    }
}

#[test]
#[cfg(unix)]
fn a_partial_clone_fetches_nothing() {
    let scratch = Scratch::repository();
    scratch.write("old.yaml", EXTERNAL);
    scratch.commit();
    let trap = trap(&scratch);
    for (name, value) in [
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.partialclonefilter", "blob:none"),
        ("remote.origin.url", &format!("ext::{trap}")),
        ("protocol.ext.allow", "always"),
    ] {
        scratch.git(&["config", name, value]);
    }
    // The blob is not there, as in a clone without blobs.
    let objects = walkdir::WalkDir::new(scratch.path(".git/objects")).into_iter().flatten();
    for object in objects.filter(|entry| entry.file_type().is_file()) {
        let data = std::fs::read(object.path()).expect("an object");
        let mut text = Vec::new();
        let mut inflate = flate2::read::ZlibDecoder::new(&*data);
        if std::io::Read::read_to_end(&mut inflate, &mut text).is_ok() && text.starts_with(b"blob")
        {
            std::fs::remove_file(object.path()).expect("removed");
        }
    }
    scratch.write("old.yaml", &EXTERNAL.replace("PickAll", "PickFixed"));
    scratch.write("new.yaml", &EXTERNAL.replace("shop", "fresh"));
    scratch.check(&["old.yaml", "new.yaml"]);
    assert!(!scratch.path("sprung").exists(), "it opened a connection");
}

/// Whoever presses Ctrl-C wants it to end: at once, as a shell tells it of any program, with the old report as it was.
#[test]
#[cfg(unix)]
fn an_interrupted_run_leaves_the_old_report() {
    const INTERRUPTED: i32 = 130;
    let scratch = Scratch::empty();
    scratch.write("report.json", "old");
    let output = format!("--format=json={}", scratch.path("report.json").display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_fleetlens"));
    // It waits for an input that does not end.
    command.args(["analyze", &output, "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().expect("it runs");
    let mut input = child.stdin.take().expect("a pipe");
    // More than a pipe holds: once all of it is written, the program is at work.
    let text = format!("{EXTERNAL}---\n").repeat(1000);
    std::io::Write::write_all(&mut input, text.as_bytes()).expect("it reads");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let began = Instant::now();
    while child.try_wait().expect("a child").is_none() && began.elapsed() < Duration::from_secs(60)
    {
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let done = child.wait_with_output().expect("it ends");
    assert_eq!(done.status.code(), Some(INTERRUPTED), "{:?}", done.status);
    let err = String::from_utf8_lossy(&done.stderr);
    assert!(err.contains("interrupted before the work was done"), "{err}");
    assert!(done.stdout.is_empty(), "half a report");
    assert_eq!(scratch.read("report.json"), "old");
    assert_eq!(leftovers(&scratch.path("")), Vec::<String>::new());
}

#[test]
#[cfg(target_os = "linux")]
fn a_memory_limit_is_told_and_leaves_the_old_report() {
    let scratch = Scratch::empty();
    scratch.write("report.json", "old");
    scratch.write("big.yaml", &format!("{EXTERNAL}---\n").repeat(40_000));
    let output = format!("--format=json={}", scratch.path("report.json").display());
    // Enough for the threads, so that it is the work that finds none.
    let limited = r#"ulimit -v 80000; exec "$0" "$@""#;
    let mut command = Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_fleetlens"), "analyze", &output]);
    command.arg(scratch.path("big.yaml")).env("RUST_BACKTRACE", "0").stdin(Stdio::null());
    let done = command.output().expect("it runs");
    let err = String::from_utf8_lossy(&done.stderr);
    assert!(!done.status.success(), "the limit is too wide for this test: {err}");
    assert!(err.contains("memory") || err.contains("allocat"), "{err}");
    assert!(done.stdout.is_empty(), "half a report");
    assert_eq!(scratch.read("report.json"), "old");
    assert_eq!(leftovers(&scratch.path("")), Vec::<String>::new());
}
