//! Golden files: compared byte for byte, rewritten under `BLESS=1`.

use std::path::Path;

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
