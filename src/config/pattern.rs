//! [`Pattern`]: names and paths with wildcards.
//!
//! Owns the matching, as a walk over all positions at once, so that no pattern takes longer than its
//! length times that of the text. Paths are given with `/`, relative to the configuration.

/// One step of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// This character.
    Char(char),
    /// Any character but `/`.
    One,
    /// Any number of characters but `/`.
    Many,
    /// Any number of characters.
    Deep,
}

/// A text with wildcards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    steps: Vec<Step>,
}

impl Pattern {
    /// Reads a pattern for names: `*` stands for any text.
    pub fn name(text: &str) -> Self {
        let step = |c| if c == '*' { Step::Deep } else { Step::Char(c) };
        Self { steps: text.chars().map(step).collect() }
    }

    /// Reads a pattern for paths: `*` and `?` stay within a folder, `**` does not.
    pub fn path(text: &str) -> Self {
        let text = text.trim_start_matches("./").trim_end_matches('/');
        let mut steps = Vec::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let (step, length) = match c {
                // `**/` may stand for no folder at all.
                '*' if rest.starts_with("**/") => (Step::Deep, 3),
                '*' if rest.starts_with("**") => (Step::Deep, 2),
                '*' => (Step::Many, 1),
                '?' => (Step::One, 1),
                c => (Step::Char(c), c.len_utf8()),
            };
            steps.push(step);
            rest = rest.get(length..).unwrap_or_default();
        }
        Self { steps }
    }

    /// Says whether a name matches.
    pub fn matches(&self, text: &str) -> bool {
        self.ends(text).last().copied().unwrap_or(false)
    }

    /// Says whether a path matches, or a folder that it lies in.
    pub fn covers(&self, path: &str) -> bool {
        let ends = self.ends(path);
        let border = |at: usize| path.get(at..).is_none_or(|r| r.is_empty() || r.starts_with('/'));
        let starts = path.char_indices().map(|(at, _)| at).chain([path.len()]);
        starts.zip(ends).any(|(at, end)| end && border(at))
    }

    /// Tells for each position of the text whether the whole pattern may end there.
    fn ends(&self, text: &str) -> Vec<bool> {
        let length = self.steps.len();
        let mut at = vec![false; length + 1];
        if let Some(start) = at.first_mut() {
            *start = true;
        }
        self.pass_over(&mut at);
        let mut ends = vec![at.get(length).copied().unwrap_or(false)];
        for c in text.chars() {
            let mut next = vec![false; length + 1];
            for (index, step) in
                self.steps.iter().enumerate().filter(|(i, _)| at.get(*i) == Some(&true))
            {
                let to = match step {
                    Step::Char(wanted) => (*wanted == c).then_some(index + 1),
                    Step::One => (c != '/').then_some(index + 1),
                    Step::Many => (c != '/').then_some(index),
                    Step::Deep => Some(index),
                };
                if let Some(slot) = to.and_then(|to| next.get_mut(to)) {
                    *slot = true;
                }
            }
            self.pass_over(&mut next);
            ends.push(next.get(length).copied().unwrap_or(false));
            at = next;
        }
        ends
    }

    /// Steps over wildcards, which may stand for nothing.
    fn pass_over(&self, at: &mut [bool]) {
        for (index, step) in self.steps.iter().enumerate() {
            if matches!(step, Step::Many | Step::Deep)
                && at.get(index) == Some(&true)
                && let Some(slot) = at.get_mut(index + 1)
            {
                *slot = true;
            }
        }
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
        ] {
            assert_eq!(Pattern::path(pattern).covers(path), covered, "{pattern} {path}");
        }
    }

    #[test]
    fn a_hostile_pattern_takes_no_longer() {
        let pattern = Pattern::path(&"**a".repeat(200));
        assert!(!pattern.covers(&"a/".repeat(2000).replace('a', "b")));
    }
}
