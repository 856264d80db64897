//! Digests of what was given, so that the reader of a report can tell whether it is the same.
//!
//! A file's digest is that of `sha256sum`. A folder's is that of its listing, `DIGEST  PATH` per file, sorted by path:
//! what `sha256sum` prints for the files of the folder. Links are not followed, as everywhere in this layer.

use std::cell::RefCell;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

use sha2::{Digest as _, Sha256};
use walkdir::WalkDir;

use super::Input;

/// How much behind the end of an archive is read, to digest it.
const MOST_LEFT: u64 = 64 << 20;

/// The digest of one file or folder that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputDigest {
    /// Its last name, without the folders above it: those are the engineer's own.
    pub name: String,
    /// Lower-case hexadecimal.
    pub sha256: String,
}

/// A reader that digests what flows through it: standard input cannot be read again.
pub(super) struct Digesting<R> {
    inner: R,
    hasher: Rc<RefCell<Sha256>>,
}

impl<R: Read> Digesting<R> {
    /// Digests a reader, behind what was digested before.
    pub(super) fn new(inner: R, hasher: &Rc<RefCell<Sha256>>) -> Self {
        Self { inner, hasher: Rc::clone(hasher) }
    }

    /// Reads what is left, as an archive may end before its file does; nothing is told of what does not end.
    pub(super) fn finish(mut self, name: &str) -> Option<InputDigest> {
        let left = io::copy(&mut self.by_ref().take(MOST_LEFT), &mut io::sink()).ok()?;
        let sha256 = hexadecimal(self.hasher.take());
        (left < MOST_LEFT).then(|| InputDigest { name: name.to_owned(), sha256 })
    }
}

impl<R: Read> Read for Digesting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hasher.borrow_mut().update(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}

/// Returns the digests of what was given; what cannot be read has none, and standard input is digested while it is
/// read.
pub fn digests(inputs: &[Input]) -> Vec<InputDigest> {
    let digest = |input: &Input| match input {
        Input::Stdin => None,
        Input::Path(path) => digest(path),
        Input::Bytes { name, bytes } => {
            let sha256 = hexadecimal(Sha256::new().chain_update(bytes));
            Some(InputDigest { name: name.clone(), sha256 })
        }
    };
    inputs.iter().filter_map(digest).collect()
}

fn digest(path: &Path) -> Option<InputDigest> {
    let full = path.canonicalize().ok()?;
    let name = full.file_name()?.to_string_lossy().into_owned();
    let sha256 = if full.is_dir() { of_folder(&full)? } else { of_file(&full)? };
    Some(InputDigest { name, sha256 })
}

fn of_folder(folder: &Path) -> Option<String> {
    let mut listing = String::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.ok()?;
        if entry.file_type().is_file() {
            let inside =
                entry.path().strip_prefix(folder).ok()?.to_string_lossy().replace('\\', "/");
            listing.push_str(&format!("{}  {inside}\n", of_file(entry.path())?));
        }
    }
    Some(hexadecimal(Sha256::new().chain_update(&listing)))
}

#[expect(clippy::disallowed_methods, reason = "this layer reads files")]
fn of_file(path: &Path) -> Option<String> {
    let mut file = std::fs::File::open(path).ok()?;
    let mut hasher = Sha256::new();
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block).ok()? {
            0 => return Some(hexadecimal(hasher)),
            count => hasher.update(block.get(..count)?),
        }
    }
}

fn hexadecimal(hasher: Sha256) -> String {
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{Input, digests};

    #[test]
    fn a_file_has_the_digest_that_everybody_knows() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.txt");
        #[expect(clippy::disallowed_methods, reason = "a test writes its own file")]
        std::fs::write(&file, "abc").expect("a file");
        let found = digests(&[Input::from(&file)]);
        assert_eq!(found[0].name, "a.txt");
        assert_eq!(
            found[0].sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let listed = digests(&[Input::from(folder.path())]);
        assert_ne!(listed[0].sha256, found[0].sha256);
        assert!(digests(&[Input::Stdin]).is_empty());
        assert_eq!(digests(&[Input::bytes("a.txt", "abc")]), found);
        let hasher = Default::default();
        let mut stream = super::Digesting::new(&b"abc"[..], &hasher);
        std::io::Read::read_exact(&mut stream, &mut [0]).expect("a byte");
        let flowed = stream.finish("-").expect("a digest");
        assert_eq!(flowed.sha256, found[0].sha256);
    }
}
