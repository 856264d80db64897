//! What git has of a file: the old side of a change.
//!
//! Owns asking the `git` command. A file that git does not know, a missing `git`, a folder that is no
//! repository: all mean that there is no old side, and the check does less.

use std::path::Path;
use std::process::{Command, Stdio};

/// Returns the text of a file in a revision.
pub(super) fn show(revision: &str, path: &Path) -> Option<Vec<u8>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let name = path.file_name()?.to_str()?;
    let output = Command::new("git")
        .arg("-C")
        .arg(folder.unwrap_or(Path::new(".")))
        .args(["--no-optional-locks", "show", "--no-textconv"])
        .arg(format!("{revision}:./{name}"))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output.status.success().then_some(output.stdout)
}

/// Returns the root of the repository that a path lies in.
pub(super) fn root_of(path: &Path) -> Option<std::path::PathBuf> {
    let path = path.canonicalize().ok()?;
    path.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_owned)
}
