//! The notation of templates: `{role}`, `{role:name}`, `{role?}` for a hole that may be empty, a
//! plural role for several names, `{this|that}` for alternatives, doubled braces for braces.

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_while1};
use nom::character::complete::char;
use nom::combinator::{all_consuming, map, opt, value, verify};
use nom::multi::{many0, separated_list1};
use nom::sequence::{delimited, pair, preceded};
use nom::{IResult, Parser};

use crate::normalized::Normalized;
use crate::rust::{bytes, slice, variant};

/// Roles that may be written in the plural, for several names in one hole.
const PLURALS: [(&str, &str); 3] =
    [("clusters", "cluster"), ("works", "work"), ("containers", "container")];

/// A piece of a template as it is written.
#[derive(Clone)]
enum Token<'t> {
    Words(&'t str),
    Alternatives(Vec<&'t str>),
    Hole(Hole<'t>),
}

/// A gap to be filled.
#[derive(Clone)]
pub(crate) struct Hole<'t> {
    role: &'t str,
    name: &'t str,
    optional: bool,
}

/// A piece of one spelling of a template.
pub(crate) enum Piece<'t> {
    /// Words without blanks and in lower case, and whether a blank stood before and after them.
    Literal(Vec<u8>, (bool, bool)),
    /// A hole.
    Hole(Hole<'t>),
}

/// Reads a template; alternatives give several spellings.
pub(crate) fn parse(text: &str) -> Result<Vec<Vec<Piece<'_>>>, String> {
    let (_, tokens) =
        all_consuming(many0(token)).parse(text).map_err(|_| format!("stray brace in {text:?}"))?;
    let mut spellings: Vec<Spelling<'_>> = vec![vec![(String::new(), None)]];
    for token in tokens {
        match token {
            Token::Words(words) => spellings.iter_mut().for_each(|one| add(one, words)),
            Token::Alternatives(words) => {
                let before = std::mem::take(&mut spellings);
                for (spelling, words) in
                    before.iter().flat_map(|one| words.iter().map(move |words| (one, words)))
                {
                    let mut spelling = spelling.clone();
                    add(&mut spelling, words);
                    spellings.push(spelling);
                }
            }
            Token::Hole(hole) => {
                for one in &mut spellings {
                    if let Some((_, last)) = one.last_mut() {
                        *last = Some(hole.clone());
                    }
                    one.push((String::new(), None));
                }
            }
        }
    }
    spellings.into_iter().map(pieces).collect()
}

/// Words, each with the hole that follows them; the last have none.
type Spelling<'t> = Vec<(String, Option<Hole<'t>>)>;

/// Adds words to the open end of a spelling.
fn add(spelling: &mut Spelling<'_>, words: &str) {
    if let Some((literal, _)) = spelling.last_mut() {
        literal.push_str(words);
    }
}

/// Squeezes the literals of a spelling and leaves the empty ones out.
fn pieces(spelling: Spelling<'_>) -> Result<Vec<Piece<'_>>, String> {
    let mut pieces = Vec::new();
    for (literal, hole) in spelling {
        let normalized = Normalized::new(&literal);
        if normalized.len() > 0 {
            let blank =
                (literal.starts_with(char::is_whitespace), literal.ends_with(char::is_whitespace));
            pieces.push(Piece::Literal(normalized.bytes(0..normalized.len()).to_vec(), blank));
        }
        if let Some(hole) = hole {
            if matches!(pieces.last(), Some(Piece::Hole(_))) {
                return Err(format!("nothing but blanks before {{{}}}", hole.role));
            }
            pieces.push(Piece::Hole(hole));
        }
    }
    Ok(pieces)
}

fn token(text: &str) -> IResult<&str, Token<'_>> {
    let braces = alt((value("{", tag("{{")), value("}", tag("}}"))));
    let hole = delimited(char('{'), hole, char('}'));
    let several = verify(separated_list1(char('|'), words), |all: &Vec<&str>| all.len() > 1);
    let alternatives = delimited(char('{'), several, char('}'));
    alt((
        map(alt((braces, is_not("{}"))), Token::Words),
        map(hole, Token::Hole),
        map(alternatives, Token::Alternatives),
    ))
    .parse(text)
}

/// Reads one of several alternatives; it may be empty.
fn words(text: &str) -> IResult<&str, &str> {
    map(opt(is_not("{|}")), Option::unwrap_or_default).parse(text)
}

fn hole(text: &str) -> IResult<&str, Hole<'_>> {
    let word = || take_while1(|letter: char| letter.is_ascii_alphanumeric() || letter == '-');
    let named = pair(word(), opt(preceded(char(':'), word())));
    map(pair(named, opt(char('?'))), |((role, name), optional)| Hole {
        role,
        name: name.unwrap_or(role),
        optional: optional.is_some(),
    })
    .parse(text)
}

impl Hole<'_> {
    fn rust(&self) -> String {
        let Self { role, name, optional } = self;
        let plural = PLURALS.iter().find(|(plural, _)| plural == role);
        let one = variant("HoleRole", plural.map_or(role, |(_, one)| one));
        let class =
            if plural.is_some() { "HoleClass::List".to_owned() } else { format!("{one}.class()") };
        format!(
            "PatternPiece::Hole(Hole {{ role: {one}, name: {name:?}, class: {class}, optional: {optional} }})"
        )
    }
}

/// Writes a spelling as a pattern; `finders` counts the literals that are searched for.
pub(crate) fn rust(pieces: &[Piece<'_>], finders: &mut usize) -> String {
    let pieces = pieces.iter().map(|piece| match piece {
        Piece::Literal(words, (before, after)) => {
            let number = *finders;
            *finders += 1;
            format!(
                "PatternPiece::Literal(PatternLiteral::new({}, ({before}, {after}), {number}))",
                bytes(words)
            )
        }
        Piece::Hole(hole) => hole.rust(),
    });
    format!("MessagePattern {{ pieces: {} }}", slice(pieces))
}
