//! Which files a check reads, and why.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::git;
use crate::config::Pattern;
use crate::error::Error;
use crate::input::decode_utf16;
use crate::manifest::fleet::tells_of_members;
use crate::manifest::{Role, holds_workload, mentions_fleet};
use crate::source::{Encoding, Origin, SourceId, Sources};

/// Files beyond this size are no manifests.
const LARGEST: u64 = 16 << 20;

/// The files of a check.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// Their text.
    pub(super) sources: Sources,
    /// Why each was read, in the order of `sources`.
    pub(super) roles: Vec<Role>,
    /// Where each is, if it is a file, in the order of `sources`.
    pub(super) places: Vec<Option<PathBuf>>,
    /// What was to be judged and could not be read, with the reason.
    pub(super) unread: Vec<(String, String)>,
    /// Where they are.
    known: BTreeSet<PathBuf>,
    /// What is left out, by folder and patterns.
    excluded: Option<(PathBuf, Vec<Pattern>)>,
}

impl Files {
    /// Adds what the user named: files as they are, of directories the manifests.
    pub(super) fn add_judged(&mut self, paths: &[String]) -> Result<(), Error> {
        for path in paths {
            if path == "-" {
                let mut bytes = Vec::new();
                let read = std::io::stdin().lock().read_to_end(&mut bytes);
                read.map_err(|source| Error::Read { path: "standard input".into(), source })?;
                self.push("<stdin>", Role::Judged, bytes);
            } else if Path::new(path).is_dir() {
                self.walk(Path::new(path), Role::Judged);
            } else if !self.is_excluded(Path::new(path)) {
                self.read(Path::new(path), Role::Judged)?;
            }
        }
        Ok(())
    }

    /// Adds files that hold what is stored so far.
    pub(super) fn add_old(&mut self, paths: &[PathBuf]) -> Result<(), Error> {
        paths.iter().try_for_each(|path| self.read(path, Role::Old))
    }

    /// Adds a dump of member clusters.
    pub(super) fn add_member_dump(&mut self, path: &Path) -> Result<(), Error> {
        self.read(path, Role::Members)
    }

    /// Returns the paths of member dumps from which no member was read.
    pub(super) fn empty_member_dumps(&self) -> Vec<&str> {
        let dumps =
            self.sources.iter().zip(&self.roles).filter(|(_, role)| **role == Role::Members);
        dumps.filter(|(file, _)| !tells_of_members(file)).map(|(file, _)| file.path()).collect()
    }

    /// Adds a file that steers the check.
    pub(super) fn add_aside(
        &mut self,
        read: impl FnOnce(&mut Sources) -> Result<SourceId, Error>,
    ) -> Result<SourceId, Error> {
        let id = read(&mut self.sources)?;
        self.roles.push(Role::Aside);
        self.places.push(None);
        Ok(id)
    }

    /// Leaves out paths in a folder that match one of some patterns.
    pub(super) fn exclude(&mut self, folder: Option<&Path>, patterns: &[Pattern]) {
        self.excluded = folder.map(Path::to_owned).zip(Some(patterns.to_vec()));
    }

    fn is_excluded(&self, path: &Path) -> bool {
        let Some((folder, patterns)) = &self.excluded else { return false };
        if patterns.is_empty() {
            return false;
        }
        let Ok(path) = path.canonicalize() else { return false };
        let inside = path.strip_prefix(folder).ok();
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
        self.walk(path, Role::Context);
        Ok(())
    }

    /// Says whether some judged file can hold anything that is judged.
    pub(super) fn matter(&self) -> bool {
        let judged =
            self.sources.iter().zip(&self.roles).filter(|(_, role)| **role == Role::Judged);
        let mut texts = judged.map(|(source, _)| source.text());
        texts.any(|text| mentions_fleet(text) || holds_workload(text))
    }

    /// Adds what git has of the judged files in a revision, and of files that objects may have been
    /// moved from; `false` if git cannot be asked.
    pub(super) fn add_revision(&mut self, root: &Path, revision: &str) -> bool {
        let judged =
            self.sources.iter().zip(&self.roles).filter(|(_, role)| **role == Role::Judged);
        let ours = judged.filter(|(source, _)| mentions_fleet(source.text()));
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
            self.push(&format!("{revision}:{}", path.display()), Role::Old, bytes);
        }
        true
    }

    fn walk(&mut self, path: &Path, role: Role) {
        let hidden = |entry: &walkdir::DirEntry| {
            let name = entry.file_name().to_string_lossy();
            entry.depth() > 0 && (name.starts_with('.') || name == "node_modules")
        };
        let walk = walkdir::WalkDir::new(path).sort_by_file_name().into_iter();
        for entry in walk.filter_entry(|entry| !hidden(entry)) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().unwrap_or(path).display().to_string();
                    let why = error.io_error().map(ToString::to_string).unwrap_or_default();
                    self.miss(role, path, why);
                    continue;
                }
            };
            let path = entry.path();
            if self.knows(path) || !is_manifest(path) || self.is_excluded(path) {
                continue;
            }
            let about = entry.metadata();
            let small = about.as_ref().is_ok_and(|data| data.is_file() && data.len() <= LARGEST);
            if small {
                // A file that cannot be read in a directory nobody named is no reason to stop.
                if let Err(Error::Read { source, .. }) = self.read(path, role) {
                    self.miss(role, path.display().to_string(), source.to_string());
                }
            } else if about.as_ref().is_ok_and(std::fs::Metadata::is_file) {
                let why = format!("it is larger than {LARGEST} bytes");
                self.miss(role, path.display().to_string(), why);
            } else if let Err(error) = path.metadata() {
                self.miss(role, path.display().to_string(), error.to_string());
            }
        }
    }

    /// Notes a file that was to be judged; one that is only looked up in is no loss that matters.
    fn miss(&mut self, role: Role, path: String, why: String) {
        if role == Role::Judged {
            self.unread.push((path, why));
        }
    }

    #[expect(clippy::disallowed_methods, reason = "the command line is where files are read")]
    fn read(&mut self, path: &Path, role: Role) -> Result<(), Error> {
        let bytes =
            std::fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        self.known.extend(path.canonicalize());
        let here = std::env::current_dir().unwrap_or_default();
        let name = path.strip_prefix(&here).unwrap_or(path);
        let name = name.strip_prefix(".").unwrap_or(name);
        self.push(&name.display().to_string(), role, bytes);
        if let Some(place) = self.places.last_mut() {
            *place = Some(path.to_owned());
        }
        Ok(())
    }

    /// Says whether a file was read already, under whatever name.
    fn knows(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|path| self.known.contains(&path))
    }

    fn push(&mut self, name: &str, role: Role, bytes: Vec<u8>) {
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

fn is_manifest(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("yaml" | "yml" | "json"))
}
