//! What a single line looks like: a cut, a fence, a title, a YAML key, a describe label.
//!
//! Pure tests over one line without its line break; they know no state. Whether a shape counts where
//! it stands is for [`super::scan`] to say.
//! Invariant: every test is linear in the line and none allocates.

/// Returns how many bytes of blanks a line starts with.
pub(crate) fn indent(line: &str) -> usize {
    line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Says whether the line stands for lines that its writer left out.
pub(crate) fn is_cut(line: &str) -> bool {
    let text = line.trim();
    // The test runs on every line: most are settled by their length.
    if text.len() < 2 || text.len() > 40 {
        return false;
    }
    let inner = text.trim_start_matches(['#', '/', '-', '<', '[', '(', '*', ' ']);
    let inner = inner.trim_end_matches(['>', ']', ')', '-', '*', ' ']);
    if inner.is_empty() {
        return false;
    }
    let dots = |text: &str| {
        let rest = text.trim_start_matches(['.', '…', ' ']);
        rest.is_empty() && (text.contains("...") || text.contains('…'))
    };
    let framed = inner.len() < text.len();
    dots(inner) || (framed && is_cut_word(inner.trim_matches(['.', '…', ' '])))
}

fn is_cut_word(word: &str) -> bool {
    ["snip", "snipped", "cut", "truncated", "omitted", "output omitted", "output truncated"]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
}

/// A line that opens or closes a block of Markdown code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    /// The character: a backtick or a tilde.
    pub(crate) mark: u8,
    /// How many of them.
    pub(crate) len: usize,
    /// Whether nothing follows, so that the line may close a block.
    pub(crate) bare: bool,
}

/// Reads a Markdown fence.
pub(crate) fn fence(line: &str) -> Option<Fence> {
    let text = line.trim();
    let mark = *text.as_bytes().first()?;
    if mark != b'`' && mark != b'~' {
        return None;
    }
    let len = text.bytes().take_while(|&byte| byte == mark).count();
    let info = text.get(len..).unwrap_or_default();
    // A backtick in the info string makes it inline code.
    (len >= 3 && !info.contains('`')).then_some(Fence { mark, len, bare: info.is_empty() })
}

/// Says whether the line is a heading such as `=== Hub pods ===` or `-------- output --------`.
pub(crate) fn is_title(line: &str) -> bool {
    let text = line.trim();
    let Some(&mark) = text.as_bytes().first() else { return false };
    if !matches!(mark, b'=' | b'-' | b'*' | b'~' | b'_' | b'+') {
        return false;
    }
    let inner = text.trim_matches(char::from(mark));
    let after = text.len() - text.trim_end_matches(char::from(mark)).len();
    let before = text.len() - text.trim_start_matches(char::from(mark)).len();
    let words = inner.trim();
    let certificate = words.starts_with("BEGIN ") || words.starts_with("END ");
    before >= 3 && after >= 3 && !words.is_empty() && !certificate
}

/// Returns the key of a YAML line such as `key: value` or `- key:`.
pub(crate) fn yaml_key(line: &str) -> Option<&str> {
    let mut text = line.trim_start();
    while let Some(rest) = text.strip_prefix("- ") {
        text = rest.trim_start();
    }
    let quote = text.bytes().next().filter(|byte| matches!(byte, b'"' | b'\''));
    if let Some(quote) = quote {
        let body = text.get(1..)?;
        let end = body.find(char::from(quote))?;
        let rest = body.get(end + 1..)?;
        return is_after_key(rest).then(|| body.get(..end)).flatten();
    }
    let first = text.bytes().next()?;
    if !first.is_ascii_alphanumeric() && !matches!(first, b'_' | b'.' | b'/') {
        return None;
    }
    let end = text
        .find(|at: char| !at.is_ascii_alphanumeric() && !matches!(at, '_' | '-' | '.' | '/'))
        .unwrap_or(text.len());
    is_after_key(text.get(end..)?).then(|| text.get(..end)).flatten()
}

fn is_after_key(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix(':') else { return false };
    rest.is_empty() || rest.starts_with([' ', '\t', '\r'])
}

/// Says whether a line at the left margin could be one of YAML: a key, an item, a comment, a border.
pub(crate) fn is_yaml_margin(line: &str) -> bool {
    let line = line.trim_end();
    line.starts_with('#')
        || line == "-"
        || line == "..."
        || line.starts_with("---")
        || line.starts_with('%')
        || (line.starts_with("- ") && !line.starts_with("- ["))
        || line.chars().all(|at| matches!(at, '}' | ']' | ','))
        || yaml_key(line).is_some()
}

/// The keys an object may have at its root, as far as they tell an object from prose.
const ROOT_KEYS: [&str; 6] = ["apiVersion", "kind", "metadata", "spec", "status", "items"];

/// Says whether a key belongs at the root of an object.
pub(crate) fn is_root_key(key: &str) -> bool {
    ROOT_KEYS.contains(&key)
}

/// A `Label:` of describe text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DescribeLabel<'l> {
    /// The label without its colon.
    pub(crate) text: &'l str,
    /// Whether a value follows behind two or more blanks.
    pub(crate) padded: bool,
}

/// Reads a describe line: a title-case label, then nothing or a value behind two or more blanks.
pub(crate) fn label(line: &str) -> Option<DescribeLabel<'_>> {
    let text = line.trim();
    if !text.bytes().next()?.is_ascii_uppercase() {
        return None;
    }
    let end = text.find(':')?;
    let label = text.get(..end)?;
    let plain = |at: char| at.is_ascii_alphanumeric() || matches!(at, ' ' | '-' | '/' | '.' | '_');
    if label.len() > 60 || !label.chars().all(plain) || label.contains("  ") {
        return None;
    }
    let value = text.get(end + 1..)?;
    if value.is_empty() {
        return Some(DescribeLabel { text: label, padded: false });
    }
    value.starts_with("  ").then_some(DescribeLabel { text: label, padded: true })
}

/// Says whether the line opens a described object: `Name:` and a value behind two or more blanks.
pub(crate) fn is_describe_name(line: &str) -> bool {
    line.trim_start().strip_prefix("Name:").is_some_and(|rest| {
        rest.starts_with("  ") && !rest.trim().is_empty() && !rest.trim().contains("  ")
    })
}

/// Says whether the line is the head of a `kubectl get` table.
pub(crate) fn is_table_header(line: &str) -> bool {
    let text = line.trim();
    let first = ["NAME", "NAMESPACE", "LAST SEEN", "EVENT"];
    if !first.iter().any(|name| text.starts_with(name)) {
        return false;
    }
    let mut names = text.split([' ', '\t']).filter(|name| !name.is_empty());
    let upper = |name: &str| {
        let name = name.strip_suffix("...").or_else(|| name.strip_suffix('…')).unwrap_or(name);
        name.bytes().any(|byte| byte.is_ascii_uppercase())
            && name.bytes().all(|byte| {
                byte.is_ascii_uppercase()
                    || byte.is_ascii_digit()
                    || matches!(byte, b'-' | b'_' | b'(' | b')' | b'/' | b'.' | b'%')
            })
    };
    let count = names.clone().count();
    count >= 2 && names.all(upper)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_are_told_from_text() {
        for cut in
            ["...", "  ...", "…", "[...]", "<snip>", "# ...", "[ ... ]", "-- snip --", "...."]
        {
            assert!(is_cut(cut), "{cut}");
        }
        for text in ["", "-", "--", "---", "cut", "a ...", "- ...a", "snip", ".", "# snippets", "#"]
        {
            assert!(!is_cut(text), "{text}");
        }
    }

    #[test]
    fn fences_carry_any_info_string() {
        assert_eq!(fence("```yaml"), Some(Fence { mark: b'`', len: 3, bare: false }));
        assert_eq!(fence("    ~~~~ "), Some(Fence { mark: b'~', len: 4, bare: true }));
        assert_eq!(fence("```a``` inline"), None);
        assert_eq!(fence("``"), None);
    }

    #[test]
    fn titles_have_words_between_their_rules() {
        assert!(is_title("=== Hub Cluster Events ==="));
        assert!(is_title("-------- output --------"));
        assert!(is_title("-----Original Message-----"));
        assert!(!is_title("-----BEGIN CERTIFICATE-----"));
        assert!(!is_title("====") && !is_title("---") && !is_title("--- a"));
    }

    #[test]
    fn yaml_keys_hold_no_blanks() {
        assert_eq!(yaml_key("- lastTransitionTime: \"2026\""), Some("lastTransitionTime"));
        assert_eq!(yaml_key("  \"a b\": 1"), Some("a b"));
        assert_eq!(yaml_key("Error from server (NotFound): x"), None);
        assert_eq!(yaml_key("http://x"), None);
        assert!(is_yaml_margin("---") && is_yaml_margin("# a") && is_yaml_margin("- a"));
        assert!(!is_yaml_margin("please advise") && !is_yaml_margin("$ kubectl"));
    }

    #[test]
    fn labels_need_two_blanks_before_their_value() {
        let label_of = |line| label(line).map(|label| (label.text, label.padded));
        assert_eq!(label_of("  Cluster Name:  member2"), Some(("Cluster Name", true)));
        assert_eq!(label_of(" Placement Statuses:"), Some(("Placement Statuses", false)));
        assert_eq!(label_of("Severity: B"), None);
        assert_eq!(label_of("status:"), None);
    }

    #[test]
    fn table_headers_are_capitals_only() {
        assert!(is_table_header("NAME          PLACEMENT   AGE"));
        assert!(is_table_header("LAST SEEN   TYPE     REASON   OBJECT   MESSAGE"));
        assert!(is_table_header("NAMESPACE  NAME"));
        assert!(is_table_header("NAME   PROGRESSI..."));
        assert!(!is_table_header("NAME") && !is_table_header("NAME of the run"));
    }
}
