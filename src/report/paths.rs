//! [`Paths`]: files as a report names them, without the folders of the machine on which it was made.
//!
//! People read paths from the root of the bundle; programs look files up below what was given. Paths of manifests stay
//! as the caller knows them, since he is to find them again.

use super::prose::columns;
use super::snippet;
use crate::engine::{Report, Subject};
use crate::input::spelled;
use crate::source::Sources;

/// What stands before the part of a path that a report shows.
#[derive(Clone)]
pub(super) struct Paths {
    /// What was given, as sources spell it, and what is written in its place; the longest first.
    inputs: Vec<(String, String)>,
    /// The folders that all files of the bundle have in common, which no path repeats.
    root: String,
    /// Whether no path is shortened.
    whole: bool,
}

impl Paths {
    /// Returns the paths of a report for people: from the root of the bundle.
    pub(super) fn of(report: &Report, sources: &Sources) -> Self {
        let named = Self::named(report);
        match report.subject {
            Subject::Bundle => named.starting_at_root(sources),
            // What lies below the folder in which the tool runs is no secret of the machine.
            Subject::Manifests => {
                let inputs = report.coverage.inputs.iter().filter(|path| path.starts_with('/'));
                Self::of_inputs(&inputs.cloned().collect::<Vec<_>>())
            }
        }
    }

    /// Returns the paths of a report for programs: below the one folder or archive that was given, or by the names of
    /// what was given.
    pub(super) fn below_input(report: &Report) -> Self {
        let mut paths = Self::named(report);
        if let (Subject::Bundle, [(_, name)]) = (report.subject, paths.inputs.as_mut_slice()) {
            name.clear();
        }
        paths
    }

    /// Returns the paths that begin with the names of what was given.
    pub(super) fn named(report: &Report) -> Self {
        match report.subject {
            Subject::Manifests => Self::as_given(),
            Subject::Bundle => Self::of_inputs(&report.coverage.inputs),
        }
    }

    /// Leaves paths as the user gave them, so that an editor or a terminal can open them.
    pub(super) fn as_given() -> Self {
        Self { inputs: Vec::new(), root: String::new(), whole: true }
    }

    fn of_inputs(given: &[String]) -> Self {
        let parts = |path: &String| -> Vec<String> {
            let path = spelled(path);
            let parts = path.split('/').filter(|part| !part.is_empty());
            parts.map(str::to_owned).collect()
        };
        let all: Vec<Vec<String>> = given.iter().map(parts).collect();
        let tail = |parts: &[String], count: usize| {
            parts.get(parts.len().saturating_sub(count)..).unwrap_or_default().join("/")
        };
        let longest = all.iter().map(Vec::len).max().unwrap_or_default();
        let inputs = given.iter().zip(&all).map(|(given, own)| {
            // As many folders as it takes to tell two inputs of the same name apart.
            let told_apart = |count: &usize| {
                all.iter().filter(|other| tail(other, *count) == tail(own, *count)).count() < 2
            };
            let count = (1..=longest).find(told_apart).unwrap_or(1);
            (spelled(given), tail(own, count))
        });
        let mut inputs: Vec<(String, String)> = inputs.collect();
        inputs.sort_by_key(|(given, _)| std::cmp::Reverse(given.len()));
        Self { inputs, root: String::new(), whole: false }
    }

    fn starting_at_root(mut self, sources: &Sources) -> Self {
        let mut folders: Option<Vec<String>> = None;
        for source in sources.iter() {
            let path = self.rename(source.path());
            let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
            parts.pop();
            folders = Some(match folders {
                None => parts,
                Some(known) => {
                    let same = known.iter().zip(&parts).take_while(|(one, two)| one == two);
                    let same = same.count();
                    known.into_iter().take(same).collect()
                }
            });
        }
        let folders = folders.unwrap_or_default();
        self.root = if folders.is_empty() { String::new() } else { folders.join("/") + "/" };
        self
    }

    /// Writes the name of an input in the place of the way to it.
    fn rename(&self, path: &str) -> String {
        let below = |given: &str| match path.strip_prefix(given)? {
            "" => Some(""),
            rest => rest.strip_prefix('/').or_else(|| given.is_empty().then_some(rest)),
        };
        let found = self.inputs.iter().find_map(|(given, name)| Some((below(given)?, name)));
        let last = || path.rsplit('/').next().unwrap_or(path);
        match found {
            // One file alone, or a folder without a name.
            Some(("", name)) if name.is_empty() => last().to_owned(),
            Some(("", name)) => name.clone(),
            Some((rest, name)) if name.is_empty() => rest.to_owned(),
            Some((rest, name)) => format!("{name}/{rest}"),
            None => path.strip_prefix("./").unwrap_or(path).to_owned(),
        }
    }

    /// Returns a path as the report names it.
    pub(super) fn show(&self, path: &str) -> String {
        let path = self.rename(path);
        snippet::clean(path.strip_prefix(&self.root).unwrap_or(&path))
    }

    /// Returns the names of what was given.
    pub(super) fn names(&self, given: &[String]) -> Vec<String> {
        given
            .iter()
            .map(|path| if path == "-" { path.clone() } else { self.show(&spelled(path)) })
            .collect()
    }

    /// Returns a path that fits into some columns: folders in its middle make room.
    pub(super) fn fit(&self, path: &str, room: usize) -> String {
        let path = self.show(path);
        if self.whole || columns(&path) <= room {
            return path;
        }
        let parts: Vec<&str> = path.split('/').collect();
        let Some((first, rest)) = parts.split_first() else { return path };
        for skipped in 1..rest.len() {
            let tail = rest.get(skipped..).unwrap_or_default().join("/");
            let short = format!("{first}/…/{tail}");
            if columns(&short) <= room {
                return short;
            }
        }
        let last = parts.last().copied().unwrap_or_default();
        if rest.is_empty() { path.clone() } else { format!("…/{last}") }
    }
}

#[cfg(test)]
mod tests {
    use super::Paths;
    use crate::source::{Encoding, Origin, Sources};

    fn paths(given: &[&str], files: &[&str]) -> Paths {
        let mut sources = Sources::default();
        for path in files {
            sources.add(*path, Origin::default(), Encoding::Utf8, "");
        }
        let given: Vec<String> = given.iter().map(|path| (*path).to_owned()).collect();
        Paths::of_inputs(&given).starting_at_root(&sources)
    }

    #[test]
    fn a_path_begins_at_the_root_of_the_bundle_and_fits() {
        let long = "in/x.tgz/must-gather/hub/a/b/runs.yaml";
        let paths = paths(&["in"], &[long, "in/x.tgz/must-gather/member1/w.yaml"]);
        assert_eq!(paths.show("in/x.tgz/must-gather/member1/w.yaml"), "member1/w.yaml");
        assert_eq!(paths.fit(long, 40), "hub/a/b/runs.yaml");
        assert_eq!(paths.fit(long, 16), "hub/…/runs.yaml");
        assert_eq!(paths.fit(long, 9), "…/runs.yaml");
        assert_eq!(Paths::as_given().fit(long, 9), long);
    }

    #[test]
    fn no_folder_of_the_machine_is_named() {
        let two =
            paths(&["/home/me//a/x.yaml", "/srv/y.log"], &["/home/me/a/x.yaml", "/srv/y.log"]);
        assert_eq!(two.show("/home/me/a/x.yaml"), "x.yaml");
        assert_eq!(two.show("/srv/y.log"), "y.log");
        assert_eq!(two.names(&["/home/me//a/x.yaml".to_owned()]), ["x.yaml"]);
        let twins = paths(&["/home/a/x", "/home/b/x"], &["/home/a/x/1.yaml", "/home/b/x/1.yaml"]);
        assert_eq!(twins.show("/home/b/x/1.yaml"), "b/x/1.yaml");
        let here = paths(&["."], &["hub/a.yaml", "member1/b.yaml"]);
        assert_eq!(here.show("hub/a.yaml"), "hub/a.yaml");
        let one = paths(&["/home/me/t.txt"], &["/home/me/t.txt"]);
        assert_eq!(one.show("/home/me/t.txt"), "t.txt");
    }
}
