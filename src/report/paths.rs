//! [`Paths`]: files as people read them, from the root of the bundle.

use super::prose::columns;
use super::snippet;
use crate::source::Sources;

/// The folders that all files of the bundle have in common, which no path repeats.
#[derive(Clone)]
pub(super) struct Paths {
    root: String,
}

impl Paths {
    /// Finds the root of a bundle.
    pub(super) fn of(sources: &Sources) -> Self {
        let mut folders: Option<Vec<&str>> = None;
        for source in sources.iter() {
            let mut parts: Vec<&str> = source.path().split('/').collect();
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
        let root = if folders.is_empty() { String::new() } else { folders.join("/") + "/" };
        Self { root }
    }

    /// Leaves paths as the user gave them.
    pub(super) fn as_given() -> Self {
        Self { root: String::new() }
    }

    /// Returns a path from the root of the bundle.
    pub(super) fn show(&self, path: &str) -> String {
        snippet::clean(path.strip_prefix(&self.root).unwrap_or(path))
    }

    /// Returns a path that fits into some columns: folders in its middle make room.
    pub(super) fn fit(&self, path: &str, room: usize) -> String {
        let path = self.show(path);
        if columns(&path) <= room {
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

    #[test]
    fn a_path_begins_at_the_root_of_the_bundle_and_fits() {
        let mut sources = Sources::default();
        for path in
            ["in/x.tgz/must-gather/hub/a/b/runs.yaml", "in/x.tgz/must-gather/member1/w.yaml"]
        {
            sources.add(path, Origin::default(), Encoding::Utf8, "");
        }
        let paths = Paths::of(&sources);
        assert_eq!(paths.show("in/x.tgz/must-gather/member1/w.yaml"), "member1/w.yaml");
        let long = "in/x.tgz/must-gather/hub/a/b/runs.yaml";
        assert_eq!(paths.fit(long, 40), "hub/a/b/runs.yaml");
        assert_eq!(paths.fit(long, 16), "hub/…/runs.yaml");
        assert_eq!(paths.fit(long, 9), "…/runs.yaml");
    }
}
