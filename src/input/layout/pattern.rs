//! Path patterns of the layout table: segments with `*` and `{captures}`, and a final `**`.
//!
//! Invariant: matching is linear in the path; a wildcard takes as little as it can, the last one in a
//! segment the rest, and nothing is tried twice.

/// What a pattern caught: the name in the braces and the text.
pub(super) type Captures<'p> = Vec<(&'static str, &'p str)>;

/// Matches a pattern against all of a path, given in parts.
pub(super) fn match_path<'p>(pattern: &'static str, parts: &[&'p str]) -> Option<Captures<'p>> {
    let mut captures = Vec::new();
    let mut parts = parts.iter();
    for segment in pattern.split('/') {
        let part = parts.next()?;
        if segment == "**" {
            return Some(captures);
        }
        match_segment(segment, part, &mut captures)?;
    }
    parts.next().is_none().then_some(captures)
}

fn match_segment<'p>(
    mut pattern: &'static str,
    mut text: &'p str,
    captures: &mut Captures<'p>,
) -> Option<()> {
    loop {
        let Some(at) = find_wildcard(pattern) else {
            return (pattern == text).then_some(());
        };
        let (literal, wildcard) = pattern.split_at(at);
        text = text.strip_prefix(literal)?;
        let (name, after) = match wildcard.strip_prefix('{') {
            Some(named) => named.split_once('}').map(|(name, after)| (Some(name), after))?,
            None => (None, wildcard.get(1..)?),
        };
        let next = find_wildcard(after).map_or(after, |at| after.split_at(at).0);
        let end = if next.len() == after.len() {
            text.strip_suffix(next)?.len()
        } else {
            text.find(next)?
        };
        let (caught, rest) = text.split_at(end);
        match name {
            Some(_) if caught.is_empty() => return None,
            Some(name) => captures.push((name, caught)),
            None => {}
        }
        (pattern, text) = (after, rest);
    }
}

fn find_wildcard(pattern: &str) -> Option<usize> {
    memchr::memchr2(b'*', b'{', pattern.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caught(pattern: &'static str, path: &str) -> Option<String> {
        let parts: Vec<&str> = path.split('/').collect();
        let captures = match_path(pattern, &parts)?;
        Some(captures.iter().map(|(name, text)| format!("{name}={text} ")).collect())
    }

    #[test]
    fn segments_and_captures() {
        assert_eq!(caught("a/{x}/b", "a/one/b").as_deref(), Some("x=one "));
        assert_eq!(caught("a/**", "a/b/c").as_deref(), Some(""));
        assert_eq!(caught("a/**", "a"), None);
        assert_eq!(caught("{x}-previous.log", "c-d-previous.log").as_deref(), Some("x=c-d "));
        assert_eq!(caught("{n}_{p}_{u}", "ns_pod_uid").as_deref(), Some("n=ns p=pod u=uid "));
        assert_eq!(caught("*hub-agent*.log", "fleet-hub-agent.1.log").as_deref(), Some(""));
        assert_eq!(caught("{x}.log", ".log"), None);
        assert_eq!(caught("a*a", "a"), None);
    }
}
