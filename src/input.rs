//! From paths to texts: folders, archives, encodings, limits, bundle layouts.
//!
//! The only layer that reads files. [`read_inputs`] goes through everything once, in the order of its
//! path, and gives each text file to a [`Sink`] as an [`InputFile`]; where each comes from ([`Origin`]) is
//! known at the end, when all paths are. What the text means is for the layers above.
//! Invariant: nothing in a bundle is an error. What cannot be read is an [`UnreadFile`], and the rest is
//! read; only a path that the user named and that is not there is an [`InputError`].

mod compressed;
mod digest;
mod disk;
mod encoding;
mod file_ranges;
mod file_text;
mod layout;
mod limits;
mod name;
mod read_budget;
mod sniff;
mod tarball;
mod unpack;
mod unread_file;
mod zipfile;

use std::convert::Infallible;
use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::str::FromStr;
use std::sync::Arc;

use crate::source::Origin;

pub use digest::{InputDigest, digests};
pub use disk::spelled;
pub use encoding::decode_utf16;
pub(crate) use encoding::{CodeUnits, Decoder, decode_utf8};
pub use file_ranges::{ReadAt, ReadEnd};
pub use file_text::{DecodedText, FileText};
pub use limits::Limits;
pub use unread_file::{UnreadFile, UnreadReason};

use digest::Digesting;
use file_text::Peeked;
use layout::Survey;
use read_budget::ReadBudget;
use unpack::{FilePaths, Unpacker};

/// The path under which standard input is shown.
pub const STDIN: &str = "<stdin>";

/// What is to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Standard input, written `-`.
    Stdin,
    /// A folder, an archive, a file or a pipe.
    Path(PathBuf),
    /// A file or an archive that is in memory.
    Bytes {
        /// The path under which it is shown, which may tell its cluster as that of a file does.
        name: String,
        /// Its content.
        bytes: Arc<[u8]>,
    },
}

impl Input {
    /// Makes an input of what is in memory.
    pub fn bytes(name: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::Bytes { name: name.into(), bytes: bytes.as_ref().into() }
    }

    /// Returns what it is called in reports.
    pub fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::Path(path) => path.to_string_lossy().into_owned(),
            Self::Bytes { name, .. } => name.clone(),
        }
    }
}

impl<T: AsRef<OsStr> + ?Sized> From<&T> for Input {
    fn from(path: &T) -> Self {
        let path = path.as_ref();
        if path == "-" { Self::Stdin } else { Self::Path(path.into()) }
    }
}

impl FromStr for Input {
    type Err = Infallible;

    fn from_str(path: &str) -> Result<Self, Infallible> {
        Ok(Self::from(path))
    }
}

/// Why nothing was read.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// A path that the user named cannot be opened.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The path as given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// One text file of the bundle.
pub struct InputFile<'a> {
    /// Its path; a member of an archive stands below the archive, as in `bundle.tgz/hub/runs.yaml`.
    ///
    /// Control characters are replaced by `?`, and a second entry of the same name is shown with `#2`.
    pub path: &'a str,
    /// Its text, not yet read.
    pub body: FileText<'a>,
}

/// Takes the members one by one, in the order of their paths.
///
/// Inside an archive the order is the archive's own. Not reading a body skips it.
pub trait Sink {
    /// Takes a member.
    fn take(&mut self, member: InputFile<'_>);
}

impl<F: FnMut(InputFile<'_>)> Sink for F {
    fn take(&mut self, member: InputFile<'_>) {
        self(member);
    }
}

/// What was met on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputCounts {
    /// Text files that went to the sink.
    pub files: u64,
    /// Files that are not text, skipped by their content.
    pub binary: u64,
    /// Tar and zip archives that were opened.
    pub archives: u64,
    /// Links inside the bundle; what they point to is read under its own name.
    pub links: u64,
    /// Files and folders that desktops and version control leave behind, skipped by their name.
    pub ignored: u64,
    /// Bytes of text files that were read, unpacked but not decoded.
    pub bytes: u64,
}

/// What a reading came to, besides what went to the sink.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOutcome {
    /// Counters: files, archives, links, and what was left out.
    pub tally: InputCounts,
    /// What was not read, or not to its end, in the order it was met.
    pub refusals: Vec<UnreadFile>,
    /// Where each member comes from, in the order in which the sink took them.
    ///
    /// A folder is known to be that of a member cluster by what stands beside it, which may be the
    /// last thing in a tar. Waiting for it here is cheaper than unpacking twice.
    pub origins: Vec<Origin>,
    /// The digest of standard input, if it was read.
    pub stdin: Option<InputDigest>,
}

/// Reads everything that the user named and gives each text file to the sink.
///
/// Paths are read sorted, whatever their order in `inputs`, and a file named twice is read once; then
/// what is in memory, as given; standard input comes last.
pub fn read_inputs(
    inputs: &[Input],
    limits: &Limits,
    sink: &mut dyn Sink,
) -> Result<ReadOutcome, InputError> {
    let mut outcome = ReadOutcome::default();
    let files = disk::gather(inputs, limits, &mut outcome)?;
    let mut survey = Survey::default();
    for file in &files {
        survey.add(&file.place.inside);
    }
    let held: Vec<(FilePaths, &[u8])> = inputs.iter().filter_map(held).collect();
    for (place, _) in &held {
        survey.add(&place.inside);
    }
    let budget = ReadBudget::new(*limits);
    let mut unpacker = Unpacker { budget: &budget, survey, sink, outcome, given: Vec::new() };
    for file in &files {
        unpacker.read_disk(&file.place, &file.path);
    }
    for (place, bytes) in &held {
        unpacker.read_bytes(place, bytes);
    }
    if inputs.contains(&Input::Stdin) {
        let place = FilePaths { path: STDIN.to_owned(), inside: STDIN.to_owned(), modified: None };
        let hasher = Rc::default();
        let stream = Peeked::new(Box::new(Digesting::new(io::stdin().lock(), &hasher)));
        unpacker.read_stream(&place, stream, 0);
        unpacker.outcome.stdin = Digesting::new(io::stdin().lock(), &hasher).finish(STDIN);
    }
    let Unpacker { survey, mut outcome, given, .. } = unpacker;
    let origin =
        |place: &FilePaths| Origin { modified: place.modified, ..survey.place(&place.inside) };
    outcome.origins = given.iter().map(origin).collect();
    outcome.tally.bytes = budget.read.get();
    Ok(outcome)
}

/// Returns where something in memory stands, and its bytes.
fn held(input: &Input) -> Option<(FilePaths, &[u8])> {
    let Input::Bytes { name, bytes } = input else { return None };
    let path = spelled(name);
    Some((FilePaths { inside: path.clone(), path, modified: None }, bytes))
}
