//! Tells in one pass that a text holds no credential, which is true of almost every one.
//!
//! The patterns that find credentials take longer to be made ready than a small check takes altogether, so that they
//! are asked only where a word stands that one of them needs.

use crate::secret::signs::SIGNS;

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
pub(in crate::secret) struct Hints {
    /// Whether a form of a credential may stand there.
    pub(super) form: bool,
    /// Whether a name may stand there with a value behind it.
    pub(super) name: bool,
    /// Whether the text speaks of a Secret.
    pub(super) secret: bool,
    /// Whether a program is called that is given a password by a flag.
    pub(super) program: bool,
    /// Whether a sign stands there without which a text has no zone.
    pub(in crate::secret) zone: bool,
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

/// How many words are looked for.
const COUNT: usize = HINTS.len() + SIGNS.len();

/// Returns one of the words: a hint, or behind these a sign.
const fn word(number: usize) -> &'static [u8] {
    if number < HINTS.len() {
        HINTS[number].word.as_bytes()
    } else {
        SIGNS[number - HINTS.len()].as_bytes()
    }
}

/// Five bits of each of three bytes: they are the same of a large letter and of the small one.
const BITS: u32 = 15;

/// Puts the bits of one more byte behind those of the last two.
const fn push(bits: usize, byte: u8) -> usize {
    (bits << 5 | (byte & 31) as usize) & ((1 << BITS) - 1)
}

/// Returns the bits of the first three bytes of a word.
const fn bits_of(word: &[u8]) -> usize {
    push(push(push(0, word[0]), word[1]), word[2])
}

/// A bit for each number that the first three bytes of a word make.
static FIRST_BYTES: [u64; 1 << (BITS - 6)] = {
    let mut seen = [0; 1 << (BITS - 6)];
    let mut number = 0;
    while number < COUNT {
        let bits = bits_of(word(number));
        seen[bits / 64] |= 1 << (bits % 64);
        number += 1;
    }
    seen
};

/// The end of a chain.
const NONE: u8 = u8::MAX;

/// The words by the bits that they begin with: the first of each slot, and behind each word the next one of its slot.
struct Chains {
    first: [u8; 1 << u8::BITS],
    next: [u8; COUNT],
}

const fn slot(bits: usize) -> usize {
    (bits ^ bits >> 7) & u8::MAX as usize
}

static CHAINS: Chains = {
    let mut chains = Chains { first: [NONE; 1 << u8::BITS], next: [NONE; COUNT] };
    let mut number = 0;
    while number < COUNT {
        let slot = slot(bits_of(word(number)));
        chains.next[number] = chains.first[slot];
        #[expect(clippy::cast_possible_truncation, reason = "there are fewer words than that")]
        let own = number as u8;
        chains.first[slot] = own;
        number += 1;
    }
    chains
};

/// A look at a text: what was met, and what the whole text is asked for once, however often it was met.
#[derive(Default)]
struct Look {
    hints: Hints,
    /// A name that may have a value as a flag.
    is_named: bool,
    /// Words that are said of a field.
    is_refused: bool,
    /// Where the first URL goes on.
    url: Option<usize>,
}

impl Hints {
    /// Looks for what credentials and zones begin with.
    pub(in crate::secret) fn of(text: &str) -> Self {
        let text = text.as_bytes();
        let mut look = Look::default();
        let mut bits = 0;
        for (at, &byte) in text.iter().enumerate() {
            bits = push(bits, byte);
            if FIRST_BYTES[bits / 64] & 1 << (bits % 64) != 0
                && let Some(at) = at.checked_sub(2)
            {
                look.look_at(text, at, bits);
            }
        }
        let Look { mut hints, is_named, is_refused, url } = look;
        let behind = url.and_then(|at| text.get(at..)).unwrap_or_default();
        hints.name = hints.name
            || is_named && has_flag(text)
            || is_refused && names_field(text)
            || memchr::memchr(b'@', behind).is_some()
            // What is told of a field of a Secret is quoted behind its path.
            || hints.secret && names_path(text);
        hints
    }
}

impl Look {
    fn look_at(&mut self, text: &[u8], at: usize, bits: usize) {
        let rest = text.get(at..).unwrap_or_default();
        let mut next = CHAINS.first[slot(bits)];
        while next != NONE {
            let number = usize::from(next);
            next = CHAINS.next[number];
            let word = word(number);
            let there = rest.get(..word.len()).unwrap_or_default();
            match HINTS.get(number) {
                None => self.hints.zone |= there == word,
                Some(hint) if there.eq_ignore_ascii_case(word) => {
                    let behind = rest.get(word.len()..).unwrap_or_default();
                    self.take(hint.needs, there == word, behind, at + word.len());
                }
                Some(_) => {}
            }
        }
    }

    /// Takes note of a word, which may be written in another case, and of what stands behind it.
    fn take(&mut self, needs: Needs, is_exact: bool, behind: &[u8], at: usize) {
        let hints = &mut self.hints;
        match needs {
            Needs::Form => hints.form |= is_exact,
            Needs::Program => hints.program |= is_exact,
            Needs::Nothing => hints.secret = true,
            Needs::Word => hints.name = true,
            Needs::Value => {
                self.is_named = true;
                hints.name = hints.name || has_value(behind);
            }
            Needs::Blank => hints.name |= behind.first().is_some_and(is_blank),
            Needs::Field => self.is_refused = true,
            Needs::User => {
                self.url.get_or_insert(at);
            }
        }
    }
}

/// How long the rest of a name is at most: `nature`, `-key-data`.
const LONGEST_REST: usize = 64;

/// Says whether an equals sign or a colon may follow the rest of a name, be it quoted.
fn has_value(behind: &[u8]) -> bool {
    let is_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte) || !byte.is_ascii();
    let name = behind.iter().take(LONGEST_REST).take_while(|byte| is_name(byte)).count();
    let rest = skip(behind.get(name..).unwrap_or_default(), |byte| *byte == b'\\');
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
