//! Golden files: compared byte for byte, rewritten under `BLESS=1`; and the lists that cases of rules share.

use std::path::Path;

use fleetlens::internals::rule::{Rule, RuleScope};
use fleetlens::internals::rules;

/// Compares `actual` with the golden file, or writes it under `BLESS=1`; returns what is wrong.
pub(crate) fn golden(path: &Path, actual: &str) -> Result<(), String> {
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, actual).map_err(|error| error.to_string())?;
        return Ok(());
    }
    let same =
        expected.lines().zip(actual.lines()).take_while(|(left, right)| left == right).count();
    Err(format!(
        "{} differs at line {}:\n  expected: {:?}\n  actual:   {:?}\n  (BLESS=1 cargo test rewrites it)",
        path.display(),
        same + 1,
        expected.lines().nth(same).unwrap_or("<end>"),
        actual.lines().nth(same).unwrap_or("<end>"),
    ))
}

/// Returns the rules whose cases are run: all of a scope, or with `RULE=FL0501` that one.
pub(crate) fn chosen(scope: RuleScope) -> impl Iterator<Item = &'static Rule> {
    let only = std::env::var("RULE").ok();
    let is_meant = move |rule: &&Rule| only.as_deref().is_none_or(|code| rule.code == code);
    rules::ALL.iter().copied().filter(move |rule| rule.scope() == scope).filter(is_meant)
}

/// Says whether the cases of one rule are asked for, by `RULE=FL0501`.
pub(crate) fn is_of_one_rule() -> bool {
    std::env::var_os("RULE").is_some()
}

/// A good case, and the other codes of its family that it yields.
pub(crate) type Neighbours = Vec<(String, String)>;

/// Compares the neighbours that speak in good cases with their list, `case: codes (reason)`; returns what is wrong.
///
/// A reason is written by hand and kept by `BLESS=1`.
pub(crate) fn neighbours(path: &Path, found: &Neighbours) -> Vec<String> {
    const NO_REASON: &str = "(say why, or complete the case)";
    let old = std::fs::read_to_string(path).unwrap_or_default();
    let reason = |case: &str| {
        let line = old.lines().find_map(|line| line.strip_prefix(case)?.strip_prefix(": "));
        line.and_then(|line| Some(&line[line.find('(')?..])).unwrap_or(NO_REASON)
    };
    let line = |(case, codes): &(String, String)| format!("{case}: {codes} {}\n", reason(case));
    let text: String = found.iter().map(line).collect();
    let unexplained = text
        .lines()
        .filter(|line| line.ends_with(NO_REASON))
        .map(|line| format!("{}: a neighbour speaks in a good case: {line}", path.display()));
    unexplained.chain(golden(path, &text).err()).collect()
}

/// Fails with everything that is wrong, not only the first.
pub(crate) fn report(troubles: Vec<String>) {
    assert!(troubles.is_empty(), "{} troubles:\n{}", troubles.len(), troubles.join("\n"));
}

/// Returns the sorted names in a folder.
pub(crate) fn names_in(folder: impl AsRef<Path>) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .map(|entries| {
            entries
                .flatten()
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .collect()
        })
        .unwrap_or_default();
    names.sort();
    names
}
