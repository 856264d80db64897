//! What git has of files: the old side of a change.
//!
//! Owns asking the `git` command, as seldom as possible: a process costs more than a check of a small
//! file. A file that git does not know, a revision that is not there yet: both mean that there is no
//! old side, and the check does less.
//!
//! The repository is not trusted: its configuration may name programs and servers. So git is asked only for
//! what stands in its index and its objects, never about the working tree (which would run filters and
//! monitors), and it may neither fetch what a partial clone lacks nor start a program of the configuration.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::loose_objects;

/// Settings that win over those of the repository.
const SETTINGS: [&str; 6] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "protocol.allow=never",
    "credential.helper=",
    "submodule.recurse=false",
];

/// The environment of git: no transport is allowed, nothing is fetched, nobody is asked.
const ENVIRONMENT: [(&str, &str); 5] = [
    ("GIT_NO_LAZY_FETCH", "1"),
    // The older word for it: of all protocols, only this one, which does not exist.
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_PAGER", "cat"),
];

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

/// Returns manifests of a revision that something may have been moved from; relative to the root.
///
/// Those that differ in the index, those that are gone, and those of another size: what lost an object
/// got shorter.
pub(super) fn changed_since(root: &Path, revision: &str) -> Vec<PathBuf> {
    let staged = ["diff-index", "--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff"];
    let staged = staged.into_iter().chain(["--no-textconv", "--ignore-submodules=all", revision]);
    let staged = output(root, &staged.collect::<Vec<_>>()).unwrap_or_default();
    let mut changed: BTreeSet<PathBuf> = names(&staged).map(PathBuf::from).collect();
    let tree = output(root, &["ls-tree", "-r", "-l", "-z", "--full-tree", revision]);
    for line in names(&tree.unwrap_or_default()) {
        // `100644 blob <id> <size>\t<path>`
        let Some((head, path)) = line.split_once('\t') else { continue };
        let size = head.split_whitespace().nth(3).and_then(|size| size.parse::<u64>().ok());
        let now = std::fs::symlink_metadata(root.join(path)).map(|data| data.len()).ok();
        if size.is_some() && size != now {
            changed.insert(PathBuf::from(path));
        }
    }
    changed.retain(|path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("yaml" | "yml" | "json"))
    });
    changed.into_iter().collect()
}

fn names(list: &[u8]) -> impl Iterator<Item = &str> {
    let names = list.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    names.filter_map(|name| std::str::from_utf8(name).ok())
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
    if revision == "HEAD"
        && let Some(found) = loose_objects::show_head(root, paths)
    {
        return Some(found);
    }
    let mut child = git(root)?.args(["cat-file", "--batch"]).stdin(Stdio::piped()).spawn().ok()?;
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
    let output = git(root)?.args(arguments).stdin(Stdio::null()).output().ok()?;
    output.status.success().then_some(output.stdout)
}

fn git(root: &Path) -> Option<Command> {
    let mut command = Command::new(program(root)?);
    command.arg("-C").arg(root).args(["--no-pager", "--no-optional-locks"]);
    command.args(SETTINGS.iter().flat_map(|setting| ["-c", setting]));
    command.envs(ENVIRONMENT);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    Some(command)
}

/// Finds the program. A search path may name the current folder, or a folder of the repository: what lies there is not trusted.
fn program(root: &Path) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let name = format!("git{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&folders)
        .filter(|folder| folder.is_absolute() && !folder.starts_with(root))
        .map(|folder| folder.join(&name))
        .find(|file| file.is_file())
}
