//! The index of kinds and the embedded data files.
//!
//! Owns the reading of `grammar/kinds/index.txt`, which is split by blanks on first use. It does not
//! look into the other files, which are parsed by `resolve`, each when a kind of it is first asked
//! for. `grammar/build.rs` makes JSON of those, and takes comments and padding out of the index.

use std::sync::{LazyLock, OnceLock};

use super::data::FileData;
use super::{Author, Kind, KindSpec, Scope};

/// An embedded file of `grammar/kinds`.
#[derive(Debug)]
pub(super) struct DataFile {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    pub(super) parsed: OnceLock<FileData>,
}

macro_rules! data_files {
    ($($name:literal),* $(,)?) => {
        pub(super) static FILES: [DataFile; [$($name),*].len()] = [$(DataFile {
            name: $name,
            text: include_str!(concat!(env!("OUT_DIR"), "/", $name, ".json")),
            parsed: OnceLock::new(),
        }),*];
    };
}

data_files!(
    "apply",
    "approval",
    "apps",
    "binding",
    "core",
    "envelope",
    "event",
    "eviction",
    "member",
    "meta",
    "next",
    "outcome",
    "override",
    "placement",
    "plain",
    "pod",
    "policy",
    "run",
    "snapshot",
    "strategy",
    "work",
);

static INDEX: &str = include_str!(concat!(env!("OUT_DIR"), "/index.txt"));

static KINDS: LazyLock<Vec<KindSpec>> = LazyLock::new(|| {
    INDEX
        .lines()
        .map(|line| read_line(line).unwrap_or_else(|| panic!("embedded index: {line}")))
        .collect()
});

/// Returns all kinds in the order of the index.
pub(super) fn kinds() -> &'static [KindSpec] {
    &KINDS
}

/// Finds an embedded file by its name.
pub(super) fn find_file(name: &str) -> Option<&'static DataFile> {
    FILES.iter().find(|file| file.name == name)
}

fn read_line(line: &'static str) -> Option<KindSpec> {
    let mut words = line.split_ascii_whitespace().map(|word| if word == "-" { "" } else { word });
    let name = words.next()?;
    let family = Kind::named(words.next()?)?;
    let group = words.next()?;
    let versions = words.next()?;
    let scope = match words.next()? {
        "cluster" => Scope::Cluster,
        "namespaced" => Scope::Namespaced,
        _ => return None,
    };
    let plural = words.next()?;
    let short = words.next()?.split(',').map(|word| word.trim_start_matches('~'));
    let author = match words.next()? {
        "user" => Author::User,
        "agent" => Author::Agent,
        _ => return None,
    };
    let status_subresource = words.next()? == "status";
    let file = find_file(words.next()?)?;
    let storage = versions.split(',').find_map(|version| version.strip_suffix('*'))?;
    let versions: Vec<_> =
        versions.split(',').map(|version| version.trim_end_matches('*')).collect();
    Some(KindSpec {
        name,
        family,
        group,
        storage,
        scope,
        plural,
        singular: name.to_ascii_lowercase(),
        short: short.filter(|word| !word.is_empty()).collect(),
        author,
        status_subresource,
        file,
        union: OnceLock::new(),
        by_version: versions.iter().map(|_| OnceLock::new()).collect(),
        versions,
    })
}
