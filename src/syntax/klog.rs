//! klog text: the head of a line, its message, and the key/value pairs behind it.
//!
//! The head is read for every line of a log and is therefore taken apart by hand; the pairs are
//! read with nom, and only for records that matter. `grammar/klog.ebnf` states the grammar.
//! Lines, transports and everything that is not klog belong to [`super::log`].

use std::ops::Range;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_until};
use nom::combinator::{peek, rest, value as yields};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

use super::log::line_head::{HeadTime, LineHead, LogFormat, MessageQuoting, RecordLevel};
use super::log::time::{Civil, digits};
use super::log::{json, quote};

/// Level, date, time, and the blank after them.
pub(crate) const TIME_LEN: usize = 22;

/// The longest `file.go:line` that is looked for; it bounds the search for the closing bracket.
const MAX_CALLER: usize = 512;

/// Says whether a line starts like a klog head, by its first bytes alone.
pub(crate) fn starts_head(bytes: &[u8]) -> bool {
    parse_time(bytes).is_some()
}

/// Says whether a line is the start of a klog head that ends too early.
pub(crate) fn is_head_cut(bytes: &[u8]) -> bool {
    let shape = |at: usize, byte: u8| match at {
        0 => b"IWEF".contains(&byte),
        5 | 21 => byte == b' ',
        8 | 11 => byte == b':',
        14 => byte == b'.',
        _ => byte.is_ascii_digit(),
    };
    let head = bytes.get(..TIME_LEN).unwrap_or(bytes);
    // A letter alone is no sign of a head.
    head.len() > 1
        && head.iter().enumerate().all(|(at, byte)| shape(at, *byte))
        && memchr::memchr(b']', bytes).is_none()
}

/// Reads level, date, time, and the blank after them.
pub(crate) fn parse_time(bytes: &[u8]) -> Option<(RecordLevel, Civil)> {
    let head = bytes.first_chunk::<TIME_LEN>()?;
    let level = RecordLevel::from_klog(head[0])?;
    let marks = [head[5], head[8], head[11], head[14], head[21]];
    if marks != [b' ', b':', b':', b'.', b' '] {
        return None;
    }
    let date = [head[1], head[2], head[3], head[4], head[6], head[7], head[9], head[10]];
    let [month, day, hour, minute] = pairs(date)?;
    let time = [head[12], head[13], head[15], head[16], head[17], head[18], head[19], head[20]];
    let [second, tens, hundreds, ones] = pairs(time)?;
    let micros = u32::from(tens) * 10_000 + u32::from(hundreds) * 100 + u32::from(ones);
    let is_time = (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    is_time.then_some((level, Civil { month, day, hour, minute, second, micros }))
}

/// Reads four numbers of two digits at once: every line of a log has eight of them.
fn pairs(digits: [u8; 8]) -> Option<[u8; 4]> {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let bytes = u64::from_le_bytes(digits);
    // A digit is 0x30 to 0x39: its upper half is a three, also after six more.
    let upper = 0xF0 * EACH;
    if bytes & upper != 0x30 * EACH || bytes.wrapping_add(6 * EACH) & upper != 0x30 * EACH {
        return None;
    }
    let values = bytes & (0x0F * EACH);
    // Each even byte becomes ten times itself and the one behind it, at most 99.
    let [first, _, second, _, third, _, fourth, _] = (values * 10 + (values >> 8)).to_le_bytes();
    Some([first, second, third, fourth])
}

/// Returns where the caller begins: behind the number of the process, which stands behind the time.
pub(crate) fn find_caller(bytes: &[u8]) -> Option<usize> {
    let pid = TIME_LEN + bytes.get(TIME_LEN..)?.iter().take_while(|byte| **byte == b' ').count();
    let pid_len = digits(bytes.get(pid..)?);
    let caller = pid + pid_len + 1;
    (pid_len > 0 && bytes.get(caller - 1) == Some(&b' ')).then_some(caller)
}

/// Reads `I1115 22:44:08.010101       1 dir/file.go:173] ` and splits off the message.
pub(crate) fn parse_head(line: &str) -> Option<LineHead> {
    let bytes = line.as_bytes();
    let (level, civil) = parse_time(bytes)?;
    let file = find_caller(bytes)?;
    let caller = bytes.get(file..)?;
    let caller = caller.get(..MAX_CALLER).unwrap_or(caller);
    let close = memchr::memchr(b']', caller)?;
    let colon = memchr::memrchr(b':', caller.get(..close)?)?;
    let number = line.get(file + colon + 1..file + close)?.parse().ok()?;
    // The blank after the bracket is lost where somebody trimmed the line ends.
    let text = match caller.get(close + 1) {
        Some(b' ') => file + close + 2,
        None => file + close + 1,
        Some(_) => return None,
    };
    let (message, quoting, rest) = parse_text(line, text);
    Some(LineHead {
        form: LogFormat::Klog,
        level: Some(level),
        time: HeadTime::Civil(civil),
        file: file..file + colon,
        line: number,
        logger: 0..0,
        message,
        quoting,
        rest,
    })
}

/// Reads `"message" key=value …`, which is what `-skip_headers` leaves of a structured record.
///
/// Without a head nothing but the pairs tells a record from any other text, so one is required.
pub(crate) fn parse_bare(line: &str) -> Option<LineHead> {
    let (message, quoting, rest) = parse_text(line, 0);
    // A value between marks stands on the lines below.
    let has_pairs = || line.ends_with("=<") || !parse_pairs(line, rest).is_empty();
    (quoting == MessageQuoting::Quoted && has_pairs()).then_some(LineHead {
        form: LogFormat::Bare,
        level: None,
        time: HeadTime::None,
        file: 0..0,
        line: 0,
        logger: 0..0,
        message,
        quoting,
        rest,
    })
}

/// Tells a structured message (quoted, then nothing or pairs) from free text.
fn parse_text(line: &str, at: usize) -> (Range<usize>, MessageQuoting, usize) {
    let free = (at..line.len(), MessageQuoting::Free, line.len());
    let bytes = line.as_bytes();
    if bytes.get(at) != Some(&b'"') {
        return free;
    }
    let Some(message) = quote::quoted(bytes, at) else { return free };
    let rest = message.end + 1;
    let tail = bytes.get(rest..).unwrap_or_default();
    let structured = match tail.first() {
        None => true,
        Some(b' ') => memchr::memchr(b'=', tail).is_some(),
        Some(_) => false,
    };
    if structured { (message, MessageQuoting::Quoted, rest) } else { free }
}

/// How the value of a pair is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PairForm {
    /// As a Go string in quotes.
    Quoted,
    /// As indented lines between `<` and ` >`.
    Lines,
    /// As JSON, or bare.
    Raw,
    /// The text ends inside of it.
    Cut,
}

/// A pair; offsets count in the logical text of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawField {
    pub(crate) key: Range<usize>,
    /// The value as written, quotes and marks included.
    pub(crate) value: Range<usize>,
    pub(crate) written: PairForm,
}

/// Reads the pairs from `at` on, over as many lines as they take.
///
/// Keys are written raw and may hold blanks, brackets and even `=`: a key goes up to the first `=`
/// that is followed by a whole value. Each byte is looked at a bounded number of times, because the
/// search goes on behind a value that did not fit.
pub(crate) fn parse_pairs(text: &str, at: usize) -> Vec<RawField> {
    let mut found = Vec::new();
    let mut at = at;
    let mut line_end = end_of_line(text, at);
    while let Some(field) = parse_pair(text, at, line_end) {
        at = field.value.end;
        if at > line_end {
            line_end = end_of_line(text, at);
        }
        found.push(field);
    }
    found
}

fn end_of_line(text: &str, at: usize) -> usize {
    let tail = text.as_bytes().get(at..).unwrap_or_default();
    memchr::memchr(b'\n', tail).map_or(text.len(), |len| at + len)
}

fn parse_pair(text: &str, at: usize, line_end: usize) -> Option<RawField> {
    let line = text.get(..line_end)?;
    if line.as_bytes().get(at) != Some(&b' ') {
        return None;
    }
    let key = at + 1;
    let mut from = key;
    while let Some(equals) = memchr::memchr(b'=', line.as_bytes().get(from..)?) {
        let equals = from + equals;
        let start = equals + 1;
        // Only the form with marks goes on over the end of the line.
        let input = if line.get(start..) == Some("<") { text } else { line }.get(start..)?;
        let Ok((tail, written)) = parse_value(input) else {
            from = start;
            continue;
        };
        let end = start + input.len() - tail.len();
        if matches!(tail.as_bytes().first(), None | Some(b' ' | b'\n')) {
            return Some(RawField { key: key..equals, value: start..end, written });
        }
        from = end;
    }
    None
}

fn parse_value(input: &str) -> IResult<&str, PairForm> {
    let marked = delimited(tag("<"), take_until("\n >"), tag("\n >"));
    let cut = preceded(peek(alt((tag("\""), tag("<\n"), tag("{"), tag("[")))), rest);
    alt((
        yields(PairForm::Quoted, parse_string),
        yields(PairForm::Lines, preceded(peek(tag("<\n")), marked)),
        // klog before 2.9 printed a nil error like this.
        yields(PairForm::Raw, tag("<nil>")),
        yields(PairForm::Raw, parse_json),
        yields(PairForm::Cut, cut),
    ))
    .parse(input)
}

fn parse_string(input: &str) -> IResult<&str, &str> {
    take_to(input, quote::quoted(input.as_bytes(), 0).map(|inside| inside.end + 1))
}

fn parse_json(input: &str) -> IResult<&str, &str> {
    take_to(input, json::value_end(input.as_bytes(), 0))
}

fn take_to(input: &str, end: Option<usize>) -> IResult<&str, &str> {
    use nom::error::{Error, ErrorKind};
    match end.and_then(|end| Some((input.get(end..)?, input.get(..end)?))) {
        Some(split) => Ok(split),
        None => Err(nom::Err::Error(Error::new(input, ErrorKind::Fail))),
    }
}

#[cfg(test)]
mod tests;
