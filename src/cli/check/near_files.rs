//! Reads no more of a repository than a check needs.
//!
//! Most commits are in order, so what stands near the judged files is judged first; the whole repository is read only where
//! something is left that it could excuse.

use std::collections::BTreeSet;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use super::files::{Files, FoundFile, read_bytes, walk_of};
use super::git_index::tracked_files;
use crate::engine::Report;
use crate::manifest::{FileRole, Repository, find_near, folder_of, is_markdown};
use crate::rule::Rule;
use crate::rules::find_rule;
use crate::source::{Encoding, Origin, Sources};

impl Files {
    /// Returns these files, and those of a repository that may be applied together with what is judged.
    pub(super) fn with_near(&self, root: &Path) -> Self {
        let judged = self.sources.iter().zip(&self.roles);
        let judged = judged.filter(|(_, role)| **role == FileRole::Judged);
        let judged: Vec<String> =
            judged.map(|(source, _)| self.name_from(root, source.path())).collect();
        // What git tracks, and of the folders of what is judged also what it does not track yet.
        let mut walk = WalkedFolders::default();
        let mut is_wanted = |name: &str| self.has_wanted_ending(name) && walk.comes_by(name);
        let tracked = tracked_files(root, &mut is_wanted);
        let mut listed: Vec<&str> = tracked.iter().flat_map(|names| names.lines()).collect();
        let walked = match &tracked {
            Some(_) => {
                let folders: BTreeSet<&str> = judged.iter().map(|name| folder_of(name)).collect();
                let beside = |folder: &&str| self.untracked_beside(root, folder, &listed);
                folders.iter().flat_map(beside).collect()
            }
            None => self.walked_names(root, root, None),
        };
        for name in &walked {
            // Both are in order, so that hardly anything is moved.
            if let Err(at) = listed.binary_search(&name.as_str()) {
                listed.insert(at, name);
            }
        }
        let mut kustomizations = Sources::default();
        for name in &listed {
            if is_kustomization(name)
                && let Ok(bytes) = read_bytes(&root.join(name))
            {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                kustomizations.add(*name, Origin::default(), Encoding::Utf8, text);
            }
        }
        let near = find_near(&judged, &kustomizations, &listed);
        let near = listed.iter().zip(near).filter_map(|(name, near)| near.then_some(name));
        let mut files = self.fork();
        for name in near {
            let path = root.join(name);
            let place =
                if path.is_symlink() { path.canonicalize().ok() } else { Some(path.clone()) };
            if let Some(FoundFile { path, place, bytes: Ok(bytes) }) = self.take_found(&path, place)
            {
                files.take(&path, place, FileRole::Context, bytes);
            }
        }
        files
    }

    /// Lists the files of a folder that may be read by their names, if there are others than those that are listed: most
    /// often there are none, and nothing has to be known of what git ignores.
    fn untracked_beside(&self, root: &Path, folder: &str, listed: &[&str]) -> Vec<String> {
        let whole = root.join(folder);
        let is_listed = |name: &str| {
            let name = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            listed.binary_search(&name.as_str()).is_ok()
        };
        let is_known = |entry: std::io::Result<DirEntry>| {
            let name = entry.ok().and_then(|entry| entry.file_name().into_string().ok());
            let passed = |name: &str| name.starts_with('.') || !self.has_wanted_ending(name);
            name.is_some_and(|name| passed(&name) || is_listed(&name))
        };
        if std::fs::read_dir(&whole).is_ok_and(|mut entries| entries.all(is_known)) {
            return Vec::new();
        }
        self.walked_names(root, &whole, Some(1))
    }

    /// Says whether a file that is not hidden may be one to read by its name.
    fn has_wanted_ending(&self, name: &str) -> bool {
        [".yaml", ".yml", ".json"].iter().any(|ending| name.ends_with(ending))
            || (self.markdown && is_markdown(name))
    }

    /// Lists the files of a folder that may be read by their names, in order.
    fn walked_names(&self, root: &Path, folder: &Path, depth: Option<usize>) -> Vec<String> {
        // On one thread, and names only: most files are far, and nothing more is asked of them.
        let walk = walk_of(folder).max_depth(depth).build().filter_map(Result::ok);
        let wanted = walk.filter(|entry| self.has_wanted_name(entry.path()));
        let mut names: Vec<String> =
            wanted.map(|entry| self.name_from(root, entry.path())).collect();
        names.sort_unstable();
        names
    }

    /// Returns the name of a file from the root of its repository, or as it is told where it lies outside.
    fn name_from(&self, root: &Path, path: impl AsRef<Path>) -> String {
        let whole = self.here.join(path.as_ref());
        let inside = whole.strip_prefix(root).unwrap_or(path.as_ref());
        inside.display().to_string()
    }

    /// Returns the same files once more.
    fn fork(&self) -> Self {
        Self {
            sources: self.sources.copy(),
            roles: self.roles.clone(),
            places: self.places.clone(),
            unread: self.unread.clone(),
            known: self.known.clone(),
            here: self.here.clone(),
            excluded: self.excluded.clone(),
            markdown: self.markdown,
            stdin_filename: self.stdin_filename.clone(),
        }
    }
}

/// Does some work on this thread alone: to start the others, and to let them wait, costs more than a few files. This thread has
/// left the others for good.
pub(super) fn on_this_thread<T>(work: impl FnOnce() -> T) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    let done = work();
    drop(pool);
    done
}

/// Does some work on another thread, which has all others at hand.
pub(super) fn on_all_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let done = std::thread::scope(|scope| scope.spawn(work).join());
    done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Says whether nothing that stands elsewhere would change a judgement.
pub(super) fn is_settled(repository: &Repository, report: &Report) -> bool {
    let by_itself = |code: &str| {
        let family = find_rule(code).and_then(Rule::family);
        family.is_some_and(|family| family.needs_one_manifest)
    };
    report.suppressed.is_empty()
        && report.findings.iter().all(|found| by_itself(found.finding.code))
        && !repository.may_be_accused_from_afar()
}

/// Returns the repository whose rest may be left out: what is asked for needs the judged files alone.
pub(super) fn narrowed(root: Option<&PathBuf>, needs_all: bool) -> Option<&Path> {
    root.filter(|_| !needs_all).map(PathBuf::as_path)
}

/// Says of names, those of a folder side by side, whether a walk would come by them: it leaves out what is hidden, and what
/// programs put there.
#[derive(Default)]
struct WalkedFolders {
    folder: String,
    is_left_out: bool,
}

impl WalkedFolders {
    fn comes_by(&mut self, name: &str) -> bool {
        let left_out = |part: &str| part.starts_with('.') || part == "node_modules";
        let inside = name.strip_prefix(&*self.folder).and_then(|rest| rest.strip_prefix('/'));
        if let Some(file) = inside.filter(|file| !file.contains('/')) {
            return !self.is_left_out && !left_out(file);
        }
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        folder.clone_into(&mut self.folder);
        self.is_left_out = folder.split('/').any(left_out);
        !self.is_left_out && !left_out(file)
    }
}

/// Says whether a file has the name of a kustomization, whatever its ending is.
fn is_kustomization(name: &str) -> bool {
    const STEM: &str = "kustomization";
    let file = name.rsplit_once('/').map_or(name, |(_, file)| file);
    let head = file.get(..STEM.len()).is_some_and(|head| head.eq_ignore_ascii_case(STEM));
    head && Path::new(file).file_stem().is_some_and(|stem| stem.len() == STEM.len())
}
