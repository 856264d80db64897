//! The smallest pieces of JSON: blanks, strings, numbers, words.
//!
//! Each parser takes the rest of the text and gives back what is left; the remaining input of an
//! error tells where the trouble is. Numbers are typed as serde_json types them.

use std::borrow::Cow;

use nom::branch::alt;
use nom::bytes::complete::{tag, take};
use nom::character::complete::{anychar, char, digit1, one_of};
use nom::combinator::{map_opt, map_res, opt, recognize, value};
use nom::sequence::{pair, preceded};
use nom::{IResult, Parser};

use crate::syntax::blanks::count_blanks;
use crate::syntax::tree::Value;

/// Counts the blanks that a text begins with.
pub(super) fn blanks(text: &str) -> usize {
    let mut rest = text.as_bytes();
    while let [b' ' | b'\n' | b'\r' | b'\t', behind @ ..] = rest {
        // Most of them are indentation.
        rest = behind.get(count_blanks(behind)..).unwrap_or_default();
    }
    text.len() - rest.len()
}

/// Reads a string behind its opening quote, the closing one included.
pub(super) fn string(input: &str) -> IResult<&str, Cow<'_, str>> {
    if let Some(end) = memchr::memchr2(b'"', b'\\', input.as_bytes())
        && let Some((plain, rest)) = input.split_at_checked(end)
        && let Some(rest) = rest.strip_prefix('"')
        && plain.bytes().fold(true, |fine, byte| fine & (byte >= b' ' || byte == b'\t'))
    {
        return Ok((rest, Cow::Borrowed(plain)));
    }
    let mut text = String::new();
    let (rest, ()) = pieces(input, |piece, _| text.push_str(piece))?;
    Ok((rest, Cow::Owned(text)))
}

/// Steps over a string behind its opening quote, the closing one included; returns it if it means itself.
pub(super) fn skip_string(input: &str) -> IResult<&str, Option<&str>> {
    let mut escaped = false;
    let (rest, ()) = pieces(input, |_, is_escape| escaped |= is_escape)?;
    let inner = input.len().checked_sub(rest.len() + 1).and_then(|length| input.get(..length));
    Ok((rest, inner.filter(|_| !escaped)))
}

/// Gives the runs and the escaped characters of a string, up to its closing quote, to somebody.
fn pieces(input: &str, mut give: impl FnMut(&str, bool)) -> IResult<&str, ()> {
    let mut rest = input;
    loop {
        let end = memchr::memchr2(b'"', b'\\', rest.as_bytes()).unwrap_or(rest.len());
        let (run, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        // A bare tab is let through, a line break is not: a string that runs over the end of a line has
        // usually lost its closing quote.
        let stray = run.bytes().position(|byte| byte < b' ' && byte != b'\t');
        if let Some(behind) = stray.and_then(|at| rest.get(at..)) {
            return char('"').map(|_| ()).parse_complete(behind);
        }
        give(run, false);
        match escape(behind) {
            Ok((behind, escaped)) => {
                give(escaped.encode_utf8(&mut [0; 4]), true);
                rest = behind;
            }
            Err(_) => return char('"').map(|_| ()).parse_complete(behind),
        }
    }
}

/// Reads an escape, its backslash included.
pub(in crate::syntax) fn escape(input: &str) -> IResult<&str, char> {
    let (rest, kind) = preceded(char('\\'), anychar).parse_complete(input)?;
    let plain = match kind {
        '"' | '\\' | '/' => kind,
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => return code_point(rest),
        _ => {
            return Err(nom::Err::Error(nom::error::Error::new(
                input,
                nom::error::ErrorKind::Escaped,
            )));
        }
    };
    Ok((rest, plain))
}

/// Reads four hex digits, or a pair of surrogates; a lone surrogate is no character.
fn code_point(input: &str) -> IResult<&str, char> {
    let (rest, high) = unit(input)?;
    if (0xd800..0xdc00).contains(&high)
        && let Ok((rest, low)) = preceded(tag("\\u"), unit).parse_complete(rest)
        && (0xdc00..0xe000).contains(&low)
    {
        let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
        return Ok((rest, char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)));
    }
    Ok((rest, char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER)))
}

fn unit(input: &str) -> IResult<&str, u32> {
    let hex = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    map_opt(take(4_usize), |digits: &str| {
        hex(digits).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    })
    .parse_complete(input)
}

/// Reads a number.
pub(super) fn number(input: &str) -> IResult<&str, Value> {
    let whole = alt((tag("0"), recognize(pair(one_of("123456789"), opt(digit1)))));
    let fraction = opt((char('.'), digit1));
    let exponent = opt((one_of("eE"), opt(one_of("+-")), digit1));
    let lexeme = recognize((opt(char('-')), whole, fraction, exponent));
    map_res(lexeme, |text: &str| {
        // serde_json keeps the sign of a zero by making it a float.
        match text.parse::<i64>() {
            Ok(number) if text != "-0" => Ok(Value::Int(number)),
            _ => match text.parse::<u64>() {
                Ok(number) => Ok(Value::BigInt(number)),
                Err(_) => text.parse::<f64>().map(Value::Float),
            },
        }
    })
    .parse_complete(input)
}

/// Reads `true`, `false` or `null`.
pub(super) fn word(input: &str) -> IResult<&str, Value> {
    alt((
        value(Value::Bool(true), tag("true")),
        value(Value::Bool(false), tag("false")),
        value(Value::Null, tag("null")),
    ))
    .parse_complete(input)
}
