//! `fleetlens check` as a user runs it: in a repository, with a configuration, against git.

mod baseline;
mod changes;
mod context;
mod near;
mod options;
mod steering;
mod templates;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder of files, made for one test.
pub(crate) struct Scratch {
    folder: tempfile::TempDir,
}

/// How a command ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Scratch {
    /// Makes an empty folder.
    pub(crate) fn empty() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder can be made") }
    }

    /// Makes an empty repository.
    pub(crate) fn repository() -> Self {
        let scratch = Self::empty();
        scratch.git(&["init", "-q", "."]);
        scratch
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("made");
        std::fs::write(path, text).expect("a file can be written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file can be read")
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        let mut git = Command::new("git");
        git.current_dir(self.folder.path()).env("GIT_CONFIG_GLOBAL", "/dev/null");
        git.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]).args(arguments);
        let output = git.output().expect("git can be run");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Commits everything.
    pub(crate) fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "files"]);
    }

    /// Runs `fleetlens check --format concise`, or another format that the arguments name.
    pub(crate) fn check(&self, arguments: &[&str]) -> Ended {
        self.check_text(arguments, None)
    }

    /// The same with a text on standard input.
    pub(crate) fn check_text(&self, arguments: &[&str], text: Option<&str>) -> Ended {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fleetlens"));
        command.current_dir(self.folder.path()).arg("check");
        let formats = ["--format", "--statistics", "--show-files", "--help"];
        if !arguments.iter().any(|word| formats.contains(word)) {
            command.args(["--format", "concise"]);
        }
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.stdin(if text.is_some() { Stdio::piped() } else { Stdio::null() });
        let mut child = command.spawn().expect("the program can be run");
        if let (Some(text), Some(mut input)) = (text, child.stdin.take()) {
            std::io::Write::write_all(&mut input, text.as_bytes()).expect("it reads its input");
        }
        let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("reports are UTF-8");
        Ended { code: status.code(), out: text(stdout), err: text(stderr) }
    }
}

impl Ended {
    /// Returns the codes of a concise report, in its order.
    pub(crate) fn codes(&self) -> Vec<&str> {
        let code = |line: &'_ str| line.find("[FL").map(|at| at + 1..at + 7);
        self.out.lines().filter_map(|line| line.get(code(line)?)).collect()
    }
}

/// A placement that no run rolls out: one warning, FL1318.
pub(crate) const EXTERNAL: &str = "\
apiVersion: placement.kubernetes-fleet.io/v1beta1
kind: ClusterResourcePlacement
metadata:
  name: shop
spec:
  resourceSelectors:
    - {group: \"\", version: v1, kind: Namespace, name: shop}
  policy:
    placementType: PickAll
  strategy:
    type: External
";

/// A run of it.
pub(crate) const RUN: &str = "\
apiVersion: placement.kubernetes-fleet.io/v1beta1
kind: ClusterStagedUpdateRun
metadata:
  name: shop-1
spec:
  placementName: shop
  stagedRolloutStrategyName: rings
  state: Run
";

/// A strategy with one stage.
pub(crate) const STRATEGY: &str = "\
apiVersion: placement.kubernetes-fleet.io/v1beta1
kind: ClusterStagedUpdateStrategy
metadata:
  name: rings
spec:
  stages:
    - name: canary
      labelSelector: {matchLabels: {ring: canary}}
";
