//! What git has of files: the old side of a change.
//!
//! Owns asking the `git` command, as seldom as possible: a process costs more than a check of a small
//! file. A file that git does not know, a revision that is not there yet: both mean that there is no
//! old side, and the check does less.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns the root of the repository that a path lies in.
pub(super) fn root_of(path: &Path) -> Option<PathBuf> {
    let path = path.canonicalize().ok()?;
    path.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_owned)
}

/// Says whether a revision exists.
pub(super) fn has_revision(root: &Path, revision: &str) -> bool {
    let revision = format!("{revision}^{{commit}}");
    output(root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &revision]).is_some()
}

/// Returns manifests that differ from a revision, also those that are gone; relative to the root.
pub(super) fn changed_since(root: &Path, revision: &str) -> Vec<PathBuf> {
    let arguments = ["diff", "--name-only", "-z", "--no-renames", revision, "--"];
    let arguments: Vec<&str> = arguments.into_iter().chain(["*.yaml", "*.yml", "*.json"]).collect();
    let names = output(root, &arguments).unwrap_or_default();
    let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    names.filter_map(|name| std::str::from_utf8(name).ok()).map(PathBuf::from).collect()
}

/// Returns the texts of files in a revision, by their path from the root; `None` if git cannot be
/// asked.
pub(super) fn show(
    root: &Path,
    revision: &str,
    paths: &[PathBuf],
) -> Option<BTreeMap<PathBuf, Vec<u8>>> {
    let names = paths.iter().filter(|path| path.to_str().is_some_and(|name| !name.contains('\n')));
    let names: Vec<&PathBuf> = names.collect();
    let mut child = git(root).args(["cat-file", "--batch"]).stdin(Stdio::piped()).spawn().ok()?;
    let mut asking = child.stdin.take()?;
    let questions: String =
        names.iter().map(|path| format!("{revision}:{}\n", path.display())).collect();
    // Both ends are pipes of limited size: what is asked must not wait for what is answered.
    let asked = std::thread::spawn(move || asking.write_all(questions.as_bytes()));
    let answer = child.wait_with_output().ok()?;
    let _ = asked.join();
    let mut found = BTreeMap::new();
    let mut rest = answer.stdout.as_slice();
    for path in names {
        let end = memchr::memchr(b'\n', rest)?;
        let (head, body) = rest.split_at_checked(end + 1)?;
        let head = String::from_utf8_lossy(head);
        let mut words = head.trim_end().rsplit(' ');
        let (size, kind) = (words.next().and_then(|word| word.parse().ok()), words.next());
        rest = body;
        if let (Some(size), Some(kind)) = (size, kind) {
            let (text, after) = body.split_at_checked(size)?;
            if kind == "blob" {
                found.insert(path.clone(), text.to_vec());
            }
            rest = after.get(1..).unwrap_or_default();
        }
    }
    Some(found)
}

fn output(root: &Path, arguments: &[&str]) -> Option<Vec<u8>> {
    let output = git(root).args(arguments).stdin(Stdio::null()).output().ok()?;
    output.status.success().then_some(output.stdout)
}

fn git(root: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(root).arg("--no-optional-locks");
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command
}
