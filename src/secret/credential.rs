//! Credentials that give themselves away by their form or by the name beside them.

mod hints;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

pub(super) use hints::Hints;
use regex::{Captures, Regex};

use super::{HIDDEN, apart, base64, hide};

/// Forms that are credentials whatever stands around them.
static FORMS: LazyLock<Regex> = LazyLock::new(|| {
    let forms = [
        // Private keys, as far as they are there; on one line their breaks are blanks or `\n`.
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)",
        r"\bLS0tLS1CRUdJTi[A-Za-z0-9+/=_-]*",
        r"\bb3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]*",
        // Signed and plain JSON in base64: tokens, registry logins.
        r"\beyJ[A-Za-z0-9_+/-]{10,}(?:\.[A-Za-z0-9_-]+){0,4}=*",
        r"\b(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{16,}",
        r"\b(?:glpat|gldt|glrt|glptt)-[A-Za-z0-9_-]{16,}",
        r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
        r"\bhooks\.slack\.com/services/[A-Za-z0-9/]+",
        r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
        r"\bAIza[A-Za-z0-9_-]{30,}",
        r"\bya29\.[A-Za-z0-9_-]{20,}",
        r"\bhv[sbr]\.[A-Za-z0-9_-]{20,}",
        r"\bnpm_[A-Za-z0-9]{30,}",
        r"\bpypi-[A-Za-z0-9_-]{30,}",
        r"\b(?:sk|rk|pk|whsec)_(?:live|test)_[A-Za-z0-9]{10,}",
        r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
        r"\b(?:dop|doo|dor)_v1_[a-f0-9]{32,}",
        r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{32,}",
        r"\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{20,}",
        r"\bdapi[a-f0-9]{32}\b",
        r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b",
        r"\b[A-Za-z0-9_~.]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}",
        r"\bAGE-SECRET-KEY-1[A-Z0-9]{20,}",
        r"\$(?:2[aby]|5|6)\$[./A-Za-z0-9$=,]{16,}",
    ];
    Regex::new(&forms.join("|")).expect("the forms are fixed")
});

/// Names with a value behind them; the value alone is hidden.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    // A value in quotes, which may be escaped themselves, or up to the next blank or separator.
    let value = r#"(?P<value>\\*"(?:[^"\\]|\\[^"]){1,}\\?"?|'[^']+'?|[^\s"'\\,;&}\])]+)"#;
    let strong = r"(?:pass(?:word|wd|phrase)|pwd|api[-_]?key|apikey|(?:access|account|private|secret|signing|encryption|shared[-_]?access|client|master|storage)[-_]?key(?:[-_]?data)?|shared[-_]?access[-_]?signature|client[-_]?secret|(?:set-)?cookie)";
    let weak = r"(?:secret|token|credentials?|auth|authorization|signature|sig)";
    let pattern = format!(
        r#"(?i)(?P<head>\b(?:authorization\s*[:=]\s*)?(?:bearer|basic|digest)\s+)(?P<scheme>[A-Za-z0-9+/_=.~-]{{8,}})|(?P<strong>{strong}\\*["']?\s*[:=]\s*){value}|(?P<weak>{weak}\\*["']?\s*[:=]\s*){weak_value}|(?P<url>\b[a-z][a-z0-9+.-]*://[^\s:/@"'?]*:)(?P<userinfo>[^\s/@"']+)@|(?P<invalid>\b(?:data|stringdata)(?:\[[^\]]*\]|\.[^\s:]+)?:?\s*(?:(?:Invalid|Duplicate|Unsupported)\s+value|Not\s+found):?\s*){invalid}|(?P<pathed>/(?:data|stringData)/\S+ (?:is|was|=) ){pathed}|(?P<flag>--[a-z0-9-]*(?:{strong}|{weak})\\*["']?(?:\s*,\s*|[ \t]+)){flag}|(?P<literal>--from-literal[= ]["']?[^\s="']+=){literal}|(?P<dsn>\b[A-Za-z0-9_.-]+:)(?P<dsn_value>[^\s:@/"']+)@(?:tcp|unix)\(|(?P<netrc>\blogin\s+\S+\s+password\s+)(?P<netrc_value>\S+)"#,
        flag = value.replace("<value>", "<flag_value>"),
        literal = value.replace("<value>", "<literal_value>"),
        weak_value = value.replace("<value>", "<token>"),
        // A map is quoted whole.
        invalid =
            value.replace("<value>", "<quoted>").replace("'[^']+'?|", r"'[^']+'?|\{[^}]*\}?|"),
        pathed = value.replace("<value>", "<told>"),
    );
    Regex::new(&pattern).expect("the pattern is fixed")
});

/// What the API server quotes of a Secret that it refuses.
static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?P<open>\\?")(?P<value>[A-Za-z0-9+/]{8,}={0,2})(?P<close>\\?")"#).expect("fixed")
});

/// What the API server shows of a text that it cannot read.
static SURROUNDINGS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\.\.\.\|(?P<value>[^\n]+?)\|\.\.\.").expect("fixed"));

/// What is given to a program on its command line without telling what it is.
static SHORT_FLAG: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\s(?:-p\s*|(?:-u|--user)[ =]["']?[^\s:"'/]+:)(?P<value>[^\s"'{\[/-][^\s"']*)"#)
        .expect("fixed")
});

/// Finds what looks like a credential in a text, in order and apart from each other.
pub fn credentials(text: &str) -> Vec<Range<usize>> {
    find_credentials(text, Hints::of(text))
}

/// Finds what the patterns find for which there are hints.
pub(super) fn find_credentials(text: &str, hints: Hints) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    if hints.form {
        found.extend(FORMS.find_iter(text).map(|form| form.range()));
    }
    let of_secret = hints.secret && (text.contains("Secret") || text.contains("secret"));
    if hints.name {
        let of_config = !of_secret && text.contains("ConfigMap");
        // The fields of a ConfigMap have the same names, and are nobody's secret.
        let ours = |captures: &Captures<'_>| {
            (of_secret || captures.name("pathed").is_none())
                && !(of_config && captures.name("invalid").is_some())
        };
        let all = NAMED.captures_iter(text).filter(ours);
        found.extend(all.filter_map(|captures| named(&captures)));
    }
    if of_secret && text.contains('"') {
        let quoted = QUOTED.captures_iter(text).filter_map(|captures| captures.name("value"));
        let coded = |value: &str| base64::decode(value).is_some() && !is_word(value);
        found.extend(quoted.filter(|value| coded(value.as_str())).map(|value| value.range()));
    }
    if of_secret && text.contains("...|") {
        let around = SURROUNDINGS.captures_iter(text);
        found.extend(around.filter_map(|it| it.name("value")).map(|value| value.range()));
    }
    if hints.program {
        let flags = SHORT_FLAG.captures_iter(text).filter_map(|it| it.name("value"));
        found.extend(flags.map(|value| value.range()));
    }
    apart(found)
}

/// Finds what stands behind names and flags, in order and apart from each other: what only looks like a credential is left.
pub fn named_values(text: &str) -> Vec<Range<usize>> {
    find_credentials(text, Hints { form: false, secret: false, ..Hints::of(text) })
}

/// Hides what looks like a credential in a text.
pub fn hide_credentials(text: &str) -> Cow<'_, str> {
    let found = credentials(text);
    if found.is_empty() { text.into() } else { hide(text, &found).into() }
}

/// Returns the value behind a name; `None` for what cannot be a credential (a truth value, a word of prose).
fn named(found: &Captures<'_>) -> Option<Range<usize>> {
    if let Some(scheme) = found.name("scheme") {
        let random = scheme.as_str().bytes().any(|c| !c.is_ascii_lowercase());
        return (random || scheme.len() >= 20).then(|| scheme.range());
    }
    if let Some(userinfo) = found.name("userinfo") {
        return Some(userinfo.range());
    }
    let names = [
        "value",
        "token",
        "quoted",
        "told",
        "flag_value",
        "literal_value",
        "netrc_value",
        "dsn_value",
    ];
    let value = names.iter().find_map(|name| found.name(name))?;
    let bare = value.as_str().trim_matches(['"', '\'', '\\']);
    let start = value.start() + value.as_str().find(bare)?;
    // In a list of arguments, what follows is one; in a sentence, it may be any word.
    let in_prose = found.name("flag").is_some_and(|flag| !flag.as_str().contains(','));
    let is_weak = found.name("weak").is_some() || in_prose;
    let prose = is_weak && bare.len() < 20 && !is_random(bare);
    (!prose && !is_constant(bare)).then(|| start..start + bare.len())
}

/// Says whether a text has more than the letters of a word.
fn is_random(text: &str) -> bool {
    text.bytes().any(|c| c.is_ascii_digit())
        || text.bytes().skip(1).any(|c| c.is_ascii_uppercase())
        || text.contains(['=', '+', '/', '!'])
}

fn is_word(text: &str) -> bool {
    !is_random(text) && text.bytes().all(|c| c.is_ascii_alphabetic())
}

/// Says whether a value is one of a few that tell nothing.
fn is_constant(value: &str) -> bool {
    const CONSTANTS: [&str; 9] =
        ["true", "false", "null", "nil", "none", "<none>", "<nil>", "~", HIDDEN];
    value.is_empty() || CONSTANTS.iter().any(|constant| value.eq_ignore_ascii_case(constant))
}

/// Says whether the name of a variable or key tells that its value is a credential.
pub fn is_sensitive_name(name: &str) -> bool {
    const WORDS: [&str; 13] = [
        "password",
        "passwd",
        "passphrase",
        "pwd",
        "secret",
        "token",
        "apikey",
        "api_key",
        "access_key",
        "private_key",
        "credential",
        "account_key",
        "connection_string",
    ];
    const ENDS: [&str; 9] = [
        "_pass",
        "_auth",
        "sas_key",
        "encryption_key",
        "signing_key",
        "master_key",
        "storage_key",
        "shared_key",
        "jwt_key",
    ];
    let name = name.to_ascii_lowercase().replace('-', "_");
    // The name of a Secret is no secret.
    !name.ends_with("name")
        && !name.ends_with("namespace")
        && (WORDS.iter().any(|word| name.contains(word))
            || ENDS.iter().any(|end| name.ends_with(end)))
}

#[cfg(test)]
mod tests;
