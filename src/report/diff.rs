//! What would change in a file, as a unified diff that `patch` and `git apply` take.
//!
//! The text is not cleaned, since a diff is to be applied; who shows it on a terminal cleans it with [`shown`].

use similar::TextDiff;

use super::snippet::clean;

/// How many unchanged lines stand around a change.
const CONTEXT: usize = 3;

/// Renders the difference between two texts of a file; empty if there is none.
pub fn unified(path: &str, old: &str, new: &str) -> String {
    // What stands behind `a/` has to be a plain path within the folder that it is applied in.
    let parts = path.split('/').filter(|part| !part.is_empty() && *part != ".");
    let path = clean(&parts.collect::<Vec<_>>().join("/"));
    let diff = TextDiff::from_lines(old, new);
    let mut unified = diff.unified_diff();
    unified.context_radius(CONTEXT).header(&format!("a/{path}"), &format!("b/{path}"));
    unified.to_string()
}

/// Makes a diff fit for a terminal.
pub fn shown(diff: &str) -> String {
    diff.lines().map(|line| format!("{}\n", clean(line.trim_end_matches('\r')))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_changes_are_hunks_of_their_own() {
        let old: String = (0..20).map(|n| format!("{n}\n")).collect();
        let new = old.replace("\n2\n", "\ntwo\n").replace("17\n", "") + "end";
        assert_eq!(
            unified("a.yaml", &old, &new),
            "--- a/a.yaml\n+++ b/a.yaml\n@@ -1,6 +1,6 @@\n 0\n 1\n-2\n+two\n 3\n 4\n 5\n\
             @@ -15,6 +15,6 @@\n 14\n 15\n 16\n-17\n 18\n 19\n+end\n\\ No newline at end of file\n"
        );
        assert_eq!(unified("a.yaml", &old, &old), "");
        assert_eq!(unified("./a", "", "x\n"), "--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+x\n");
    }

    #[test]
    fn a_terminal_gets_no_escapes() {
        assert_eq!(shown("+a\u{1b}[31m\r\n"), "+a␛[31m\n");
    }
}
