//! Names of files: which are safe, which are junk, and how they are shown.
//!
//! Invariant: a shown path holds no control character, and no two members of one archive share one.

use std::collections::BTreeMap;

use super::UnreadReason;

/// The longest name that any system makes.
pub(super) const LONGEST: usize = 4096;

/// Names that desktops, archivers and version control leave behind, and that nobody means to send.
const JUNK: &[&str] = &["__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", ".git", ".hg", ".svn"];

/// Says whether a file or folder of this name is passed over without a word.
pub(super) fn is_junk(name: &str) -> bool {
    JUNK.contains(&name) || name.starts_with("._")
}

/// Turns an entry's name into a path below the archive; `None` for junk and for the archive's root.
pub(super) fn read_name(raw: &str) -> Result<Option<String>, UnreadReason> {
    let drive = raw.get(1..).is_some_and(|rest| rest.starts_with(":/") || rest.starts_with(":\\"));
    if raw.len() > LONGEST || raw.starts_with('/') || drive {
        return Err(UnreadReason::UnsafeName);
    }
    let parts: Vec<&str> = raw.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if parts.contains(&"..") {
        return Err(UnreadReason::UnsafeName);
    }
    let junk = parts.is_empty() || parts.iter().any(|part| is_junk(part));
    Ok((!junk).then(|| shown(&parts.join("/"))))
}

/// Says whether a link from `name` to `target` stays inside the archive.
pub(super) fn stays_inside(name: &str, target: &str) -> bool {
    if target.starts_with('/') {
        return false;
    }
    let mut depth = name.split('/').count().saturating_sub(1);
    target.split('/').all(|part| match part {
        "" | "." => true,
        ".." => depth.checked_sub(1).map(|up| depth = up).is_some(),
        _ => {
            depth += 1;
            true
        }
    })
}

/// Replaces what would disturb a terminal or forge a line of a report.
pub(super) fn shown(name: &str) -> String {
    let disturbs = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    name.chars().take(LONGEST).map(|c| if disturbs(c) { '?' } else { c }).collect()
}

/// The names that an archive has used so far.
#[derive(Default)]
pub(super) struct UsedNames {
    used: BTreeMap<String, u32>,
}

impl UsedNames {
    /// Makes a name unique: a second `a.yaml` is shown as `a.yaml#2`.
    pub(super) fn unique(&mut self, name: String) -> String {
        let Some(&count) = self.used.get(&name) else {
            self.used.insert(name.clone(), 1);
            return name;
        };
        let fresh = (count + 1..).map(|number| (number, format!("{name}#{number}")));
        let (number, fresh) = fresh
            .into_iter()
            .find(|(_, fresh)| !self.used.contains_key(fresh))
            .expect("an archive has fewer entries than there are numbers");
        self.used.insert(name, number);
        self.used.insert(fresh.clone(), 1);
        fresh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_names_are_refused_and_junk_is_dropped() {
        for bad in ["/etc/passwd", "a/../../b", "..", "C:/boot.ini", &"a/".repeat(3000)] {
            assert_eq!(read_name(bad), Err(UnreadReason::UnsafeName), "{bad}");
        }
        for junk in ["", "./", "__MACOSX/a/._b", "a/.DS_Store", "._a", "repo/.git/config"] {
            assert_eq!(read_name(junk), Ok(None), "{junk}");
        }
        assert_eq!(read_name("./a//b\u{1b}[2J.yaml"), Ok(Some("a/b?[2J.yaml".into())));
    }

    #[test]
    fn links_are_followed_on_paper() {
        assert!(stays_inside("a/b/link", "../../c/d"));
        assert!(stays_inside("a/b/link", "x/../../../c"));
        assert!(!stays_inside("a/b/link", "../../../c"));
        assert!(!stays_inside("link", "/etc/passwd"));
    }

    #[test]
    fn names_are_made_unique_even_among_themselves() {
        let mut names = UsedNames::default();
        let given = ["a", "a#2", "a", "a", "a#2"];
        let made: Vec<String> = given.iter().map(|name| names.unique((*name).into())).collect();
        assert_eq!(made, ["a", "a#2", "a#3", "a#4", "a#2#2"]);
    }
}
