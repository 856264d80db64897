//! [`Pattern`]: names and paths with wildcards.
//!
//! Owns what a wildcard means here; the matching is that of `globset`, which takes time in proportion to the
//! text whatever the pattern. Paths are given with `/`, relative to the configuration.

use globset::{GlobBuilder, GlobMatcher, escape};

/// A text with wildcards.
#[derive(Clone, Debug)]
pub struct Pattern {
    matcher: GlobMatcher,
}

impl Pattern {
    /// Reads a pattern for names: `*` stands for any text, everything else for itself.
    pub fn name(text: &str) -> Self {
        let parts: Vec<String> = text.split('*').map(escape).collect();
        let glob = GlobBuilder::new(&parts.join("*")).literal_separator(false).build();
        let glob = glob.expect("escaped text and stars are a pattern");
        Self { matcher: glob.compile_matcher() }
    }

    /// Reads a pattern for paths: `*` and `?` stay within a folder, `**` does not; or says what is wrong with it.
    pub fn path(text: &str) -> Result<Self, String> {
        let text = text.trim_start_matches("./").trim_end_matches('/');
        let glob = GlobBuilder::new(text).literal_separator(true).build();
        let glob = glob.map_err(|error| error.kind().to_string())?;
        Ok(Self { matcher: glob.compile_matcher() })
    }

    /// Says whether a name matches.
    pub fn matches(&self, text: &str) -> bool {
        self.matcher.is_match(text)
    }

    /// Says whether a path matches, or a folder that it lies in.
    pub fn covers(&self, path: &str) -> bool {
        let folders = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
        folders.chain([path]).any(|path| self.matches(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_takes_any_text_for_a_star() {
        assert!(Pattern::name("team-*").matches("team-a/b"));
        assert!(Pattern::name("*").matches(""));
        assert!(Pattern::name("").matches(""));
        assert!(!Pattern::name("team-*").matches("my-team-a"));
        assert!(!Pattern::name("web").matches("web-1"));
        assert!(Pattern::name("[a]?{b}!*").matches("[a]?{b}!c"));
        assert!(!Pattern::name("[a]").matches("a"));
    }

    #[test]
    fn a_path_pattern_covers_what_lies_below() {
        for (pattern, path, covered) in [
            ("charts", "charts/web/a.yaml", true),
            ("charts/", "charts/a.yaml", true),
            ("charts", "my-charts/a.yaml", false),
            ("charts", "charts-2/a.yaml", false),
            ("*.yaml", "a.yaml", true),
            ("*.yaml", "sub/a.yaml", false),
            ("**/*.yaml", "sub/deep/a.yaml", true),
            ("**/*.yaml", "a.yaml", true),
            ("./env/*/old-?.yml", "env/prod/old-1.yml", true),
            ("env/*/x", "env/a/b/x", false),
            ("env/**", "env/a/b/x", true),
            ("env/{dev,prod}/*.yaml", "env/prod/a.yaml", true),
            ("env/{dev,prod}/*.yaml", "env/qa/a.yaml", false),
        ] {
            assert_eq!(
                Pattern::path(pattern).is_ok_and(|it| it.covers(path)),
                covered,
                "{pattern} {path}"
            );
        }
    }

    #[test]
    fn a_hostile_pattern_takes_no_longer() {
        let text = "b/".repeat(2000);
        assert!(Pattern::path(&"*a".repeat(200)).is_ok_and(|it| !it.covers(&text)));
        assert!(!Pattern::name(&"*a".repeat(200)).matches(&text));
    }
}
