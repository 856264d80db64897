//! Words as a shell reads them back.

use std::borrow::Cow;

/// Joins words to a line, each as `quote` writes it.
pub(super) fn line(argv: &[String], quote: impl Fn(&str) -> Cow<'_, str>) -> String {
    argv.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

/// Writes a word for a POSIX shell.
///
/// `=` and `,` inside a word mean nothing to a shell unless braces stand around them or the word comes first, so that they
/// are left alone; everything else is left to the crate.
pub(super) fn posix_word(word: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:/@+=,".contains(&byte);
    if !word.is_empty() && !word.starts_with('=') && word.bytes().all(plain) {
        return Cow::Borrowed(word);
    }
    if is_tame(word) {
        return Cow::Owned(format!("\"{word}\""));
    }
    shlex::try_quote(word).unwrap_or(Cow::Borrowed("''"))
}

/// Says whether a word means the same between double quotes in bash, PowerShell and cmd.
fn is_tame(word: &str) -> bool {
    let wild = |c: char| {
        c.is_control() || !c.is_ascii() || matches!(c, '"' | '$' | '`' | '\\' | '!' | '%' | '^')
    };
    !word.is_empty() && !word.contains(wild)
}

/// Writes a word for PowerShell (from 7.3 on, which hands words to programs as they are).
///
/// - A comma makes a list, of which each item becomes a word of its own; `@`, `#`, `%`, `$`, brackets and
///   the like have meanings that depend on the place. So only letters, digits, `_`, `-`, `/` and `=` stand alone,
///   and `.` and `:` where the word is no flag: at those PowerShell splits a word that begins with `-`.
/// - Between single quotes nothing has a meaning but the quote itself, which is doubled. The four typographic
///   single quotes end such a text too, and are doubled like it.
pub(super) fn powershell_word(word: &str) -> Cow<'_, str> {
    let flag = word.starts_with('-');
    let plain = |c: char| {
        c.is_ascii_alphanumeric() || "_-/=".contains(c) || (!flag && matches!(c, '.' | ':'))
    };
    if !word.is_empty() && word.chars().all(plain) {
        return Cow::Borrowed(word);
    }
    if is_tame(word) {
        return Cow::Owned(format!("\"{word}\""));
    }
    let mut quoted = String::from("'");
    for c in word.chars() {
        if matches!(c, '\'' | '‘' | '’' | '‚' | '‛') {
            quoted.push(c);
        }
        quoted.push(c);
    }
    quoted.push('\'');
    Cow::Owned(quoted)
}

#[cfg(test)]
mod tests {
    use super::{posix_word, powershell_word};

    #[test]
    fn a_posix_shell_reads_back_each_word() {
        for word in ["", "a b", "$(reboot)", "x'y", "it's \"so\"", "a\nb", "=ls", "{a,b}", "~", "*"]
        {
            let quoted = posix_word(word);
            assert_eq!(shlex::split(&quoted), Some(vec![word.to_owned()]), "{quoted}");
            assert_ne!(quoted, word);
        }
        for word in ["--type=merge", "pods,leases", "-l", "a=b,c=d", "system:admin", "--tail=-1"] {
            assert_eq!(posix_word(word), word);
        }
        assert_eq!(posix_word("spec: {state: Stop}"), "\"spec: {state: Stop}\"");
        assert_eq!(posix_word(r#"{"a":1}"#), r#"'{"a":1}'"#);
    }

    #[test]
    fn powershell_is_given_quotes_where_a_word_would_fall_apart() {
        for (word, quoted) in [
            ("", "''"),
            ("get", "get"),
            ("web-app.v2", "web-app.v2"),
            ("system:admin", "system:admin"),
            ("--type=merge", "--type=merge"),
            ("-p:x.y", "\"-p:x.y\""),
            ("pods,leases", "\"pods,leases\""),
            ("--%", "'--%'"),
            ("@x", "\"@x\""),
            ("$env:HOME", "'$env:HOME'"),
            ("it's", "\"it's\""),
            ("it’s", "'it’’s'"),
            (r#"{"a":1}"#, r#"'{"a":1}'"#),
            ("a\nb", "'a\nb'"),
        ] {
            assert_eq!(powershell_word(word), quoted);
        }
    }
}
