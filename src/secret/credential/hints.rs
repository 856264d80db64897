//! Tells in one pass that a text holds no credential, which is true of almost every one.
//!
//! The patterns that find credentials take longer to be made ready than a small check takes altogether, so that they
//! are asked only where a word stands that one of them needs.

/// A word that a pattern needs.
struct Hint {
    /// In small letters, unless its case matters; of three bytes at least.
    word: &'static str,
    needs: Needs,
}

/// What has to stand with the word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// The word as it is written: a form that is a credential whatever stands around it.
    Form,
    /// Behind the rest of the name, an equals sign or a colon, or before it what begins a flag.
    Value,
    /// The word alone, behind which a value may stand.
    Word,
    /// The word as it is written: a program that is given a password by a flag of one letter.
    Program,
    /// A blank.
    Blank,
    /// The name of a field of a Secret or ConfigMap.
    Field,
    /// A name of a user, since it is where a URL begins.
    User,
    /// Nothing: it tells what the text speaks of.
    Nothing,
}

/// What is asked of the patterns about a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hints {
    /// Whether a form of a credential may stand there.
    pub(super) form: bool,
    /// Whether a name may stand there with a value behind it.
    pub(super) name: bool,
    /// Whether the text speaks of a Secret.
    pub(super) secret: bool,
    /// Whether a program is called that is given a password by a flag.
    pub(super) program: bool,
}

const fn form(word: &'static str) -> Hint {
    Hint { word, needs: Needs::Form }
}

const fn value(word: &'static str) -> Hint {
    Hint { word, needs: Needs::Value }
}

const fn program(word: &'static str) -> Hint {
    Hint { word, needs: Needs::Program }
}

const HINTS: [Hint; 88] = [
    form("-----BEGIN"),
    form("LS0tLS1CRUdJTi"),
    form("b3BlbnNzaC1rZXktdjE"),
    form("eyJ"),
    form("ghp_"),
    form("gho_"),
    form("ghu_"),
    form("ghs_"),
    form("ghr_"),
    form("github_pat_"),
    form("glpat-"),
    form("gldt-"),
    form("glrt-"),
    form("glptt-"),
    form("xox"),
    form("hooks.slack.com/"),
    form("AKIA"),
    form("ASIA"),
    form("AIza"),
    form("ya29."),
    form("hvs."),
    form("hvb."),
    form("hvr."),
    form("npm_"),
    form("pypi-"),
    form("_live_"),
    form("_test_"),
    form("SG."),
    form("_v1_"),
    form(".atlasv1."),
    form("sk-"),
    form("dapi"),
    form("shpat_"),
    form("shpca_"),
    form("shppa_"),
    form("shpss_"),
    form("8Q~"),
    form("7Q~"),
    form("AGE-SECRET-KEY-1"),
    form("$2a$"),
    form("$2b$"),
    form("$2y$"),
    form("$5$"),
    form("$6$"),
    value("passw"),
    value("passphrase"),
    value("pwd"),
    value("apikey"),
    value("api-key"),
    value("api_key"),
    value("accesskey"),
    value("access-key"),
    value("access_key"),
    value("accountkey"),
    value("account-key"),
    value("account_key"),
    value("private"),
    value("secret"),
    Hint { word: "secret", needs: Needs::Nothing },
    value("encryption"),
    value("clientkey"),
    value("client-key"),
    value("client_key"),
    value("masterkey"),
    value("master-key"),
    value("master_key"),
    value("storage"),
    value("cookie"),
    value("token"),
    value("credential"),
    value("auth"),
    value("sig"),
    Hint { word: "bearer", needs: Needs::Blank },
    Hint { word: "basic", needs: Needs::Blank },
    Hint { word: "digest", needs: Needs::Blank },
    Hint { word: "login", needs: Needs::Blank },
    Hint { word: "invalid", needs: Needs::Field },
    Hint { word: "duplicate", needs: Needs::Field },
    Hint { word: "unsupported", needs: Needs::Field },
    Hint { word: "found", needs: Needs::Field },
    Hint { word: "--from-literal", needs: Needs::Word },
    Hint { word: "@tcp(", needs: Needs::Word },
    Hint { word: "@unix(", needs: Needs::Word },
    program("curl "),
    program("login "),
    program("mysql"),
    program("sshpass "),
    Hint { word: "://", needs: Needs::User },
];

/// A bit for each number that [`bit`] makes of the first three bytes of a hint.
static FIRST_BYTES: [u64; 1 << (BITS - 6)] = first_bytes();

/// Five bits of each of three bytes: they are the same of a large letter and of the small one.
const BITS: u32 = 15;

const fn bit(first: u8, second: u8, third: u8) -> usize {
    ((first & 31) as usize) << 10 | ((second & 31) as usize) << 5 | (third & 31) as usize
}

const fn first_bytes() -> [u64; 1 << (BITS - 6)] {
    let mut bits = [0; 1 << (BITS - 6)];
    let mut at = 0;
    while at < HINTS.len() {
        let word = HINTS[at].word.as_bytes();
        let bit = bit(word[0], word[1], word[2]);
        bits[bit / 64] |= 1 << (bit % 64);
        at += 1;
    }
    bits
}

impl Hints {
    /// Looks for what credentials begin with.
    pub(super) fn of(text: &str) -> Self {
        let mut found = Self::default();
        for (at, window) in text.as_bytes().windows(3).enumerate() {
            let &[first, second, third] = window else { continue };
            let bit = bit(first, second, third);
            if FIRST_BYTES[bit / 64] & 1 << (bit % 64) != 0 {
                found.look_at(text.as_bytes(), at);
            }
        }
        // What is told of a field of a Secret is quoted behind its path.
        found.name |= found.secret && names_path(text.as_bytes());
        found
    }

    fn look_at(&mut self, text: &[u8], at: usize) {
        let rest = text.get(at..).unwrap_or_default();
        for Hint { word, needs } in &HINTS {
            let there = rest.get(..word.len()).unwrap_or_default();
            let stands = match needs {
                Needs::Form | Needs::Program => there == word.as_bytes(),
                _ => there.eq_ignore_ascii_case(word.as_bytes()),
            };
            if !stands {
                continue;
            }
            let behind = rest.get(word.len()..).unwrap_or_default();
            match needs {
                Needs::Form => self.form = true,
                Needs::Nothing => self.secret = true,
                Needs::Value => self.name |= has_value(behind) || has_flag(text),
                Needs::Word => self.name = true,
                Needs::Program => self.program = true,
                Needs::Blank => self.name |= behind.first().is_some_and(is_blank),
                Needs::Field => self.name |= names_field(text),
                Needs::User => self.name |= memchr::memchr(b'@', behind).is_some(),
            }
        }
    }
}

/// Says whether an equals sign or a colon may follow the rest of a name, be it quoted.
fn has_value(behind: &[u8]) -> bool {
    let is_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte) || !byte.is_ascii();
    let rest = skip(skip(behind, is_name), |byte| *byte == b'\\');
    let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    skip(rest, is_blank).first().is_some_and(|byte| b"=:".contains(byte))
}

fn skip(text: &[u8], skipped: impl Fn(&u8) -> bool) -> &[u8] {
    let end = text.iter().position(|byte| !skipped(byte)).unwrap_or(text.len());
    text.get(end..).unwrap_or_default()
}

/// Says whether a byte is a blank, or may be part of one that is not of ASCII.
fn is_blank(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || *byte == b'\x0b' || !byte.is_ascii()
}

/// Says whether a flag may stand in a text.
fn has_flag(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"--").is_some()
}

/// Says whether a text names the data of an object, as the API server does: `data[a]`, `data.a` or `data`.
fn names_field(text: &[u8]) -> bool {
    const DATA: &[u8] = b"data";
    memchr::memchr2_iter(b'd', b'D', text).any(|at| {
        text.get(at..at + DATA.len()).is_some_and(|there| there.eq_ignore_ascii_case(DATA))
    })
}

/// Says whether a text names such a field by its path.
fn names_path(text: &[u8]) -> bool {
    memchr::memchr_iter(b'/', text)
        .any(|at| ends_with(text, at, b"/data") || ends_with(text, at, b"/stringdata"))
}

/// Says whether a word, in whatever case, ends at a place.
fn ends_with(text: &[u8], at: usize, word: &[u8]) -> bool {
    at.checked_sub(word.len())
        .and_then(|from| text.get(from..at))
        .is_some_and(|there| there.eq_ignore_ascii_case(word))
}
