//! Which files a check reads, and why.

use std::collections::HashSet;
use std::fs::Metadata;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::git;
use crate::config::Pattern;
use crate::error::Error;
use crate::input::decode_utf16;
use crate::manifest::members::lists_members;
use crate::manifest::{FileRole, holds_workload, is_markdown, mentions_fleet};
use crate::report::clean;
use crate::source::{Encoding, Origin, SourceId, Sources};

/// Files beyond this size are no manifests.
const LARGEST: u64 = 16 << 20;

/// The files of a check.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// Their text.
    pub(super) sources: Sources,
    /// Why each was read, in the order of `sources`.
    pub(super) roles: Vec<FileRole>,
    /// Where each is, if it is a file, in the order of `sources`.
    pub(super) places: Vec<Option<PathBuf>>,
    /// What was to be judged and could not be read, with the reason.
    pub(super) unread: Vec<(String, String)>,
    /// The paths of all files that were read, so that none is read twice.
    pub(super) known: HashSet<PathBuf>,
    /// The current directory: paths are told from there.
    pub(super) here: PathBuf,
    /// What is left out, by folder and patterns.
    pub(super) excluded: Option<(PathBuf, Vec<Pattern>)>,
    /// Whether the YAML blocks of Markdown files are judged, too.
    pub(super) markdown: bool,
    /// The file that standard input stands for.
    pub(super) stdin_filename: Option<String>,
}

impl Files {
    /// Starts without any file.
    pub(super) fn new(markdown: bool, stdin_filename: Option<&str>) -> Self {
        let here = std::env::current_dir().unwrap_or_default();
        let stdin_filename = stdin_filename.map(str::to_owned);
        Self { markdown, stdin_filename, here, ..Self::default() }
    }

    /// Lists the files that are judged, one per line.
    pub(super) fn judged_paths(&self) -> String {
        let judged = self.sources.iter().zip(&self.roles);
        let judged = judged.filter(|(_, role)| **role == FileRole::Judged);
        judged.map(|(source, _)| format!("{}\n", clean(source.path()))).collect()
    }

    /// Returns how many files are judged.
    pub(super) fn judged_count(&self) -> usize {
        self.roles.iter().filter(|role| **role == FileRole::Judged).count()
    }

    /// Adds what the user named: files as they are, of directories the manifests.
    pub(super) fn add_judged(&mut self, paths: &[String]) -> Result<(), Error> {
        for path in paths {
            if path == "-" {
                let mut bytes = Vec::new();
                let read = std::io::stdin().lock().read_to_end(&mut bytes);
                read.map_err(|source| Error::Read { path: "standard input".into(), source })?;
                let name = self.stdin_filename.clone().unwrap_or_else(|| "<stdin>".to_owned());
                // The file that it stands for is not read besides.
                self.known.extend(Path::new(&name).canonicalize());
                self.push(&name, FileRole::Judged, bytes);
            } else if Path::new(path).is_dir() {
                self.walk(Path::new(path), FileRole::Judged);
            } else if !self.is_excluded(Path::new(path).canonicalize().ok().as_deref()) {
                self.read(Path::new(path), FileRole::Judged)?;
            }
        }
        Ok(())
    }

    /// Adds files that hold what is stored so far.
    pub(super) fn add_old(&mut self, paths: &[PathBuf]) -> Result<(), Error> {
        paths.iter().try_for_each(|path| self.read(path, FileRole::Old))
    }

    /// Adds a dump of member clusters.
    pub(super) fn add_member_dump(&mut self, path: &Path) -> Result<(), Error> {
        self.read(path, FileRole::Members)
    }

    /// Returns the paths of member dumps from which no member was read.
    pub(super) fn empty_member_dumps(&self) -> Vec<&str> {
        let dumps =
            self.sources.iter().zip(&self.roles).filter(|(_, role)| **role == FileRole::Members);
        dumps.filter(|(file, _)| !lists_members(file)).map(|(file, _)| file.path()).collect()
    }

    /// Adds a file that steers the check.
    pub(super) fn add_config(
        &mut self,
        read: impl FnOnce(&mut Sources) -> Result<SourceId, Error>,
    ) -> Result<SourceId, Error> {
        let id = read(&mut self.sources)?;
        self.roles.push(FileRole::Config);
        self.places.push(None);
        Ok(id)
    }

    /// Leaves out paths in a folder that match one of some patterns.
    pub(super) fn exclude(&mut self, folder: Option<&Path>, patterns: &[Pattern]) {
        self.excluded = folder.map(Path::to_owned).zip(Some(patterns.to_vec()));
    }

    /// Says whether a file is left out; `place` is its path without links.
    fn is_excluded(&self, place: Option<&Path>) -> bool {
        let (Some((folder, patterns)), Some(place)) = (&self.excluded, place) else { return false };
        let inside = place.strip_prefix(folder).ok().filter(|_| !patterns.is_empty());
        let inside = inside.map(|path| path.to_string_lossy().replace('\\', "/"));
        inside.is_some_and(|path| patterns.iter().any(|pattern| pattern.covers(&path)))
    }

    /// Adds the manifests of a directory to look things up in.
    pub(super) fn add_context(&mut self, path: &Path) -> Result<(), Error> {
        if !path.is_dir() {
            return Err(Error::Usage(format!(
                "{} is no folder to look things up in",
                path.display()
            )));
        }
        self.walk(path, FileRole::Context);
        Ok(())
    }

    /// Says whether some judged file can hold anything that is judged.
    pub(super) fn has_fleet_objects(&self) -> bool {
        let judged =
            self.sources.iter().zip(&self.roles).filter(|(_, role)| **role == FileRole::Judged);
        let mut texts = judged.map(|(source, _)| source.text());
        texts.any(|text| mentions_fleet(text) || holds_workload(text))
    }

    /// Adds what git has of the judged files in a revision, and of files that objects may have been
    /// moved from; `false` if git cannot be asked.
    pub(super) fn add_revision(&mut self, root: &Path, revision: &str) -> bool {
        let judged =
            self.sources.iter().zip(&self.roles).filter(|(_, role)| **role == FileRole::Judged);
        // What stands in a document is an example: nobody applied it, so nothing is stored of it.
        let ours = judged
            .filter(|(source, _)| !is_markdown(source.path()) && mentions_fleet(source.text()));
        let whole = ours.filter_map(|(source, _)| Path::new(source.path()).canonicalize().ok());
        let inside = whole.filter_map(|path| path.strip_prefix(root).ok().map(Path::to_owned));
        let paths: Vec<PathBuf> = inside.collect();
        if paths.is_empty() {
            return true;
        }
        let Some(mut old) = git::show(root, revision, &paths) else { return false };
        if old.len() < paths.len() {
            let moved = git::changed_since(root, revision);
            let moved: Vec<_> = moved.into_iter().filter(|path| !old.contains_key(path)).collect();
            if !moved.is_empty() {
                old.append(&mut git::show(root, revision, &moved).unwrap_or_default());
            }
        }
        for (path, bytes) in old {
            self.push(&format!("{revision}:{}", path.display()), FileRole::Old, bytes);
        }
        true
    }

    /// Adds the manifests of a folder, in the order of their paths, whoever of the threads finds them.
    fn walk(&mut self, folder: &Path, role: FileRole) {
        let mut found = self.entries(folder, &|entry| match entry {
            Ok((entry, place)) => self.take_found(entry.path(), place),
            Err(error) => missed(folder, &error),
        });
        found.sort_by(|left, right| left.path.cmp(&right.path));
        for FoundFile { path, place, bytes } in found {
            match bytes {
                Ok(bytes) => self.take(&path, place, role, bytes),
                // One that is only looked up in is no loss that matters.
                Err(why) if role == FileRole::Judged => {
                    self.unread.push((path.display().to_string(), why));
                }
                Err(_) => {}
            }
        }
    }

    /// Walks through a folder, and collects what is made of its entries and their paths without links, in any order.
    fn entries<T: Send>(
        &self,
        folder: &Path,
        make: &(dyn Fn(Result<WalkEntry, ignore::Error>) -> Option<T> + Sync),
    ) -> Vec<T> {
        let found = Mutex::new(Vec::new());
        let base = folder.canonicalize().ok();
        walk_of(folder).threads(rayon::current_num_threads()).build_parallel().run(|| {
            Box::new(|entry| {
                let placed = entry.map(|entry| {
                    let is_link = entry.path_is_symlink();
                    let place = place_of(entry.path(), is_link, folder, base.as_deref());
                    (entry, place)
                });
                if let Some(one) = make(placed) {
                    found.lock().unwrap_or_else(PoisonError::into_inner).push(one);
                }
                ignore::WalkState::Continue
            })
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says whether a file that a walk came upon is to be read; `place` is its path without links.
    fn is_wanted(&self, path: &Path, place: Option<&Path>) -> bool {
        // One that was read already, under whatever name, is not read again.
        let is_known = place.is_some_and(|place| self.known.contains(place));
        self.has_wanted_name(path) && !is_known && !self.is_excluded(place)
    }

    /// Says whether a file may be one to read by its name.
    pub(super) fn has_wanted_name(&self, path: &Path) -> bool {
        is_manifest(path) || (self.markdown && is_markdown(&path.to_string_lossy()))
    }

    /// Reads what a walk came upon, if it is wanted; a file that cannot be read is no reason to stop.
    pub(super) fn take_found(&self, path: &Path, place: Option<PathBuf>) -> Option<FoundFile> {
        if !self.is_wanted(path, place.as_deref()) {
            return None;
        }
        let about = path.symlink_metadata();
        let size = about.as_ref().ok().filter(|about| about.is_file()).map(Metadata::len);
        let bytes = match size {
            Some(size) if size > LARGEST => Err(format!("it is larger than {LARGEST} bytes")),
            Some(size) => read_file(path, size).map_err(|error| error.to_string()),
            // A link is not followed; one that leads nowhere is told.
            None => Err(path.metadata().err()?.to_string()),
        };
        Some(FoundFile { path: path.to_owned(), place, bytes })
    }

    fn read(&mut self, path: &Path, role: FileRole) -> Result<(), Error> {
        let bytes =
            read_bytes(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        self.take(path, path.canonicalize().ok(), role, bytes);
        Ok(())
    }

    /// Adds a file that was read; `place` is its path without links.
    pub(super) fn take(
        &mut self,
        path: &Path,
        place: Option<PathBuf>,
        role: FileRole,
        bytes: Vec<u8>,
    ) {
        self.known.extend(place);
        let name = self.name_of(path);
        self.push(&name, role, bytes);
        if let Some(place) = self.places.last_mut() {
            *place = Some(path.to_owned());
        }
    }

    /// Returns the name under which a path is told.
    pub(super) fn name_of(&self, path: &Path) -> String {
        let name = path.strip_prefix(&self.here).unwrap_or(path);
        name.strip_prefix(".").unwrap_or(name).display().to_string()
    }

    fn push(&mut self, name: &str, role: FileRole, bytes: Vec<u8>) {
        let (encoding, text) = match String::from_utf8(bytes) {
            Ok(text) => (Encoding::Utf8, text),
            Err(error) => decode_utf16(error.as_bytes()).unwrap_or_else(|| {
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                (Encoding::Utf8Invalid, text)
            }),
        };
        self.sources.add(name, Origin::default(), encoding, text);
        self.roles.push(role);
        self.places.push(None);
    }
}

/// What a walk comes upon, with its path without links.
pub(super) type WalkEntry = (ignore::DirEntry, Option<PathBuf>);

/// A file that a walk came upon.
pub(super) struct FoundFile {
    pub(super) path: PathBuf,
    /// Its path without links.
    pub(super) place: Option<PathBuf>,
    /// Its text, or why it has none.
    pub(super) bytes: Result<Vec<u8>, String>,
}

/// Starts a walk through a folder.
pub(super) fn walk_of(folder: &Path) -> ignore::WalkBuilder {
    let mut walk = ignore::WalkBuilder::new(folder);
    // What git ignores is not part of a repository; other files of that sort are not ours to honour.
    walk.git_global(false).ignore(false);
    walk.filter_entry(|entry| entry.depth() == 0 || entry.file_name() != "node_modules");
    walk
}

/// Returns a path that a walk came upon without links. A walk goes through no link, so that only the folder in which it
/// begins and the entry itself can be one: asking the system for each file costs more than reading it.
fn place_of(path: &Path, is_link: bool, folder: &Path, base: Option<&Path>) -> Option<PathBuf> {
    if is_link {
        return path.canonicalize().ok();
    }
    let inside = path.strip_prefix(folder).ok()?;
    Some(base?.join(inside))
}

/// Tells of what a walk could not look at; a pattern that git would not understand is none of our business.
fn missed(folder: &Path, error: &ignore::Error) -> Option<FoundFile> {
    let why = error.io_error()?.to_string();
    let mut at = error;
    let mut path = folder;
    loop {
        match at {
            ignore::Error::WithPath { path: named, .. } => {
                path = named;
                break;
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
                at = err
            }
            _ => break,
        }
    }
    Some(FoundFile { path: path.to_owned(), place: None, bytes: Err(why) })
}

#[expect(clippy::disallowed_methods, reason = "the command line is where files are read")]
pub(super) fn read_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let about = path.metadata()?;
    if about.is_file() {
        return read_file(path, about.len());
    }
    // What another program writes into a pipe is a manifest like any other; a device may never end.
    let mut bytes = Vec::new();
    let read = std::fs::File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if u64::try_from(read).is_ok_and(|read| read > LARGEST) {
        return Err(std::io::Error::other("is no file, and does not end"));
    }
    Ok(bytes)
}

/// Reads a file whose size is known. A small one is there at the first time of asking, and has not to be asked for its end.
#[expect(clippy::disallowed_methods, reason = "the command line is where files are read")]
fn read_file(path: &Path, size: u64) -> std::io::Result<Vec<u8>> {
    let mut file = std::fs::File::open(path)?;
    let size = usize::try_from(size).unwrap_or_default();
    let mut bytes = vec![0; size + 1];
    let read = file.read(&mut bytes)?;
    bytes.truncate(read);
    if read != size {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn is_manifest(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("yaml" | "yml" | "json"))
}
