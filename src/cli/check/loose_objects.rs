//! Reads a revision's files from git's loose objects, without a process: what was committed last is mostly not packed yet.
//!
//! Only the plain case is read here: a folder `.git`, and `HEAD` with a branch or an id. For everything else (packs, alternates,
//! worktrees, other names of revisions) the answer is `None`, and git itself is asked. The objects are not trusted: each is
//! inflated up to a limit, its name must be hexadecimal, and its head must tell its true size.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use flate2::read::ZlibDecoder;

/// Larger objects are left to git.
const LARGEST: u64 = 16 << 20;

/// A longer chain of names that stand for names is left to git.
const MOST_REFS: usize = 4;

/// More files than this are asked of git at once: each would read its folders' trees again.
const MOST_FILES: usize = 8;

/// Files of a repository that change what its objects mean, or where they are.
const CHANGERS: [&str; 4] = ["objects/info/alternates", "refs/replace", "packed-refs", "commondir"];

/// Variables that do the same.
const VARIABLES: [&str; 4] =
    ["GIT_DIR", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"];

/// How many bytes the id of an object in a tree takes.
const ID: usize = 20;

/// Returns the texts of files in `HEAD`, by their path from the root; `None` where git has to be asked.
pub(super) fn show_head(root: &Path, paths: &[PathBuf]) -> Option<BTreeMap<PathBuf, Vec<u8>>> {
    let git = root.join(".git");
    let is_plain = paths.len() <= MOST_FILES
        && git.symlink_metadata().ok()?.is_dir()
        && CHANGERS.iter().all(|name| git.join(name).symlink_metadata().is_err())
        && VARIABLES.iter().all(|name| std::env::var_os(name).is_none());
    if !is_plain {
        return None;
    }
    let objects = Objects { folder: git.join("objects") };
    let commit = objects.read(&head(&git)?, b"commit")?;
    let first = commit.split(|byte| *byte == b'\n').next()?;
    let tree = std::str::from_utf8(first.strip_prefix(b"tree ")?).ok()?.to_owned();
    let mut found = BTreeMap::new();
    for path in paths {
        if let Some(blob) = objects.find(&tree, path)? {
            found.insert(path.clone(), objects.read(&blob, b"blob")?);
        }
    }
    Some(found)
}

/// Returns the id of the commit that `HEAD` stands for.
#[expect(clippy::disallowed_methods, reason = "the command line is where files are read")]
fn head(git: &Path) -> Option<String> {
    let mut name = "HEAD".to_owned();
    for _ in 0..MOST_REFS {
        let text = std::fs::read_to_string(git.join(&name)).ok()?;
        let text = text.trim_end();
        match text.strip_prefix("ref: ") {
            Some(next) if next.starts_with("refs/heads/") && is_within(Path::new(next)) => {
                name = next.to_owned();
            }
            Some(_) => return None,
            None => return Some(text.to_owned()),
        }
    }
    None
}

fn is_within(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

struct Objects {
    folder: PathBuf,
}

impl Objects {
    /// Returns the body of a loose object of a type.
    #[expect(clippy::disallowed_methods, reason = "the command line is where files are read")]
    fn read(&self, id: &str, kind: &[u8]) -> Option<Vec<u8>> {
        if id.len() != 2 * ID || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let file = File::open(self.folder.join(id.get(..2)?).join(id.get(2..)?)).ok()?;
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        let mut object = Vec::new();
        ZlibDecoder::new(file).take(LARGEST + 1).read_to_end(&mut object).ok()?;
        let end = memchr::memchr(0, &object)?;
        let head = object.get(..end)?.strip_prefix(kind)?.strip_prefix(b" ")?;
        let size: usize = std::str::from_utf8(head).ok()?.parse().ok()?;
        object.drain(..=end);
        (object.len() == size).then_some(object)
    }

    /// Finds the blob of a path below a tree: `Some(None)` if the tree does not have it, `None` if that cannot be told.
    fn find(&self, tree: &str, path: &Path) -> Option<Option<String>> {
        let mut at = tree.to_owned();
        let mut parts = path.components().peekable();
        while let Some(part) = parts.next() {
            let Component::Normal(name) = part else { return None };
            let body = self.read(&at, b"tree")?;
            let Some((mode, id)) = entry(&body, name.to_str()?.as_bytes())? else {
                return Some(None);
            };
            let is_last = parts.peek().is_none();
            match mode.as_slice() {
                b"40000" if !is_last => at = id,
                // A link's blob is the path it leads to; git gives it, too.
                b"100644" | b"100755" | b"100664" | b"120000" if is_last => return Some(Some(id)),
                _ => return Some(None),
            }
        }
        None
    }
}

/// Finds an entry of a tree by its name: its mode and its id; `None` if the tree is broken.
fn entry(tree: &[u8], name: &[u8]) -> Option<Option<(Vec<u8>, String)>> {
    let mut rest = tree;
    while !rest.is_empty() {
        let blank = memchr::memchr(b' ', rest)?;
        let end = memchr::memchr(0, rest).filter(|end| *end > blank)?;
        let id = rest.get(end + 1..end + 1 + ID)?;
        if rest.get(blank + 1..end)? == name {
            let mode = rest.get(..blank)?.to_vec();
            return Some(Some((mode, data_encoding::HEXLOWER.encode(id))));
        }
        rest = rest.get(end + 1 + ID..)?;
    }
    Some(None)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn git(root: &Path, words: &[&str]) {
        let who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
        let done = Command::new("git").arg("-C").arg(root).args(who).args(words).output();
        let done = done.expect("git");
        assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
    fn files_of_head_until_they_are_packed() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        git(root, &["init", "-q", "."]);
        std::fs::create_dir_all(root.join("a/b")).expect("folders");
        std::fs::write(root.join("a/b/c.yaml"), "old").expect("written");
        std::fs::write(root.join("a/d.yaml"), "").expect("written");
        git(root, &["add", "."]);
        git(root, &["commit", "-q", "-m", "first"]);
        std::fs::write(root.join("a/b/c.yaml"), "staged").expect("written");
        git(root, &["add", "."]);
        let paths = ["a/b/c.yaml", "a/d.yaml", "a/b", "a/none.yaml", "none/c.yaml"];
        let paths = paths.map(PathBuf::from);
        let found = show_head(root, &paths).expect("loose objects");
        let found: Vec<_> = found.into_iter().map(|(path, text)| (path, text.len())).collect();
        assert_eq!(found, [(PathBuf::from("a/b/c.yaml"), 3), (PathBuf::from("a/d.yaml"), 0)]);
        assert_eq!(show_head(root, &[PathBuf::from("../x")]), None);
        git(root, &["gc", "-q"]);
        assert_eq!(show_head(root, &paths), None);
    }

    #[test]
    fn broken_objects_are_left_to_git() {
        for tree in [&b"100644"[..], b"100644 a", b"100644 a\0short", b"\0 "] {
            assert_eq!(entry(tree, b"a"), None, "{tree:?}");
        }
        assert_eq!(entry(b"", b"a"), Some(None));
    }
}
