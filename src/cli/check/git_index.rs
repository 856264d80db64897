//! The names of the files that git tracks, read from its index.
//!
//! To list the folders of a large repository takes longer than to check a file of it; the index has all names in one
//! file. It is read as git documents it (`gitformat-index`), versions 2 to 4. Whatever is not as expected gives `None`, and
//! the caller lists the folders: a split or sparse index, object names that are not SHA-1, an index that is cut.

use std::fs::{File, Metadata};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::files::read_bytes;

/// How much is read at once: the index of a large repository is never in memory as a whole.
const BLOCK: usize = 32 << 10;

/// Times, numbers, mode, owner, size and object name of an entry, in bytes; its flags follow.
const FIXED: usize = 40 + 20;

/// Entries of versions 2 and 3 are filled up to a multiple of this.
const ALIGNMENT: usize = 8;

/// The SHA-1 of all that stands before it.
const CHECKSUM: usize = 20;

/// The bit of the flags that says that there are more flags.
const IS_EXTENDED: u16 = 0x4000;

/// The bits of the flags that tell the length of the name; all of them are set for a longer one.
const NAME_LENGTH: u16 = 0x0FFF;

/// Returns the names of those tracked files that are wanted, from the root of the repository, in the order of their bytes,
/// a line each.
///
/// In one text, since there may be many, and few of them are looked at again. A name with a line break is left out.
#[expect(clippy::disallowed_methods, reason = "the command line is where files are read")]
pub(super) fn tracked_files(
    root: &Path,
    is_wanted: &mut dyn FnMut(&str) -> bool,
) -> Option<String> {
    let path = git_folder(root)?.join("index");
    let about = path.metadata().ok().filter(Metadata::is_file)?;
    let reader = BufReader::with_capacity(BLOCK, File::open(path).ok()?);
    parse(Index { reader, left: usize::try_from(about.len()).ok()? }, is_wanted)
}

/// Finds the folder of git: a working tree beside the first one names it in a file.
fn git_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = String::from_utf8(read_bytes(&git).ok()?).ok()?;
    Some(root.join(text.strip_prefix("gitdir: ")?.trim_end()))
}

fn parse(
    mut index: Index<impl BufRead>,
    is_wanted: &mut dyn FnMut(&str) -> bool,
) -> Option<String> {
    if index.take()? != *b"DIRC" {
        return None;
    }
    let version = index.number()?;
    let count = index.number()?;
    if !matches!(version, 2..=4) {
        return None;
    }
    let mut names = String::new();
    let mut name = Vec::new();
    for _ in 0..count {
        let start = index.left;
        let [.., high, low] = index.take::<{ FIXED + 2 }>()?;
        let flags = u16::from_be_bytes([high, low]);
        if flags & IS_EXTENDED != 0 {
            index.take::<2>()?;
        }
        // Version 4 tells only what differs from the name before.
        let kept = if version == 4 { name.len().checked_sub(index.varint()?)? } else { 0 };
        name.truncate(kept);
        index.read_name(&mut name)?;
        if flags & NAME_LENGTH != NAME_LENGTH && usize::from(flags & NAME_LENGTH) != name.len() {
            return None;
        }
        if version != 4 {
            // The name ends with one zero at least.
            let read = start - index.left - 1;
            index.skip(ALIGNMENT - read % ALIGNMENT - 1)?;
        }
        if let Ok(text) = std::str::from_utf8(&name)
            && is_wanted(text)
            && !text.contains('\n')
        {
            names.push_str(text);
            names.push('\n');
        }
    }
    while index.left > CHECKSUM {
        let signature: [u8; 4] = index.take()?;
        // What begins with a capital letter may be passed over; the others change what the entries mean.
        if !signature.first()?.is_ascii_uppercase() {
            return None;
        }
        let size = usize::try_from(index.number()?).ok()?;
        index.skip(size)?;
    }
    Some(names)
}

/// An index that is read from its beginning to its end.
struct Index<R> {
    reader: R,
    /// How many bytes are still to come.
    left: usize,
}

impl<R: BufRead> Index<R> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.left = self.left.checked_sub(N)?;
        let mut taken = [0; N];
        self.reader.read_exact(&mut taken).ok()?;
        Some(taken)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.left = self.left.checked_sub(count)?;
        let mut open = count;
        while open > 0 {
            let there = self.reader.fill_buf().ok().filter(|there| !there.is_empty())?.len();
            let passed = there.min(open);
            self.reader.consume(passed);
            open -= passed;
        }
        Some(())
    }

    /// Adds the bytes before the next zero, and passes over that.
    fn read_name(&mut self, name: &mut Vec<u8>) -> Option<()> {
        let read = self.reader.read_until(0, name).ok()?;
        self.left = self.left.checked_sub(read)?;
        (name.pop()? == 0).then_some(())
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take()?))
    }

    /// Reads a number in seven bits a byte, as packs of objects write offsets.
    fn varint(&mut self) -> Option<usize> {
        let mut value = 0_usize;
        loop {
            let [byte] = self.take()?;
            value = value.checked_mul(128)?.checked_add(usize::from(byte & 0x7F))?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
            value = value.checked_add(1)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn git(root: &Path, words: &[&str]) -> Vec<u8> {
        let done = Command::new("git").arg("-C").arg(root).args(words).output().expect("git");
        assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
        done.stdout
    }

    fn repository(options: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        git(root.path(), &[&["init", "-q"], options].concat());
        let long = "n".repeat(200);
        for name in ["a.yaml", "b/kustomization.yaml", "b/kustomize.yaml", "b/ü.yaml", &long] {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            File::create(path).expect("a file");
        }
        git(root.path(), &["add", "-A"]);
        root
    }

    fn every_tracked(root: &Path) -> Option<String> {
        tracked_files(root, &mut |_| true)
    }

    fn listed_by_git(root: &Path) -> Option<String> {
        let names = String::from_utf8(git(root, &["ls-files", "-z"])).expect("UTF-8");
        Some(names.replace('\0', "\n"))
    }

    #[test]
    fn names_are_those_that_git_lists() {
        let root = repository(&[]);
        for version in ["2", "4"] {
            git(root.path(), &["update-index", "--index-version", version]);
            assert_eq!(every_tracked(root.path()), listed_by_git(root.path()), "version {version}");
        }
        // A file that is only announced has further flags, which version 3 brings.
        git(root.path(), &["update-index", "--index-version", "2"]);
        File::create(root.path().join("c.yaml")).expect("a file");
        git(root.path(), &["add", "-N", "c.yaml"]);
        assert_eq!(every_tracked(root.path()), listed_by_git(root.path()));
    }

    #[test]
    fn what_is_not_as_expected_is_left_to_the_folders() {
        let sha256 = repository(&["--object-format=sha256"]);
        assert_eq!(every_tracked(sha256.path()), None);
        let root = repository(&[]);
        git(root.path(), &["update-index", "--split-index"]);
        assert_eq!(every_tracked(root.path()), None);
        git(root.path(), &["update-index", "--no-split-index"]);
        let whole = read_bytes(&root.path().join(".git/index")).expect("an index");
        let parse = |index: &[u8]| parse(Index { reader: index, left: index.len() }, &mut |_| true);
        assert!(parse(&whole).is_some());
        for end in 0..whole.len() - CHECKSUM {
            // Cut where an extension begins, nothing shows that one is missing.
            let cut = parse(whole.get(..end).expect("a part"));
            assert!(cut.is_none_or(|names| names.lines().count() == 5));
        }
    }
}
