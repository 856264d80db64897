//! One JSON object on one line: docker's envelope, JSON log lines, and the tail of a zap line.
//!
//! Finds the top-level keys and the byte ranges of their values without building a tree: a log
//! record wants a few keys of very many lines. Objects of the bundle are read by the JSON parser.
//! Invariant: time is linear in the text, nesting costs no stack.

use std::ops::Range;

use super::quote;

/// A key and its value, both as ranges of the scanned text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JsonPair {
    /// The key without its quotes.
    pub(crate) key: Range<usize>,
    /// The value as written, a string with its quotes.
    pub(crate) value: Range<usize>,
}

/// A flat look at an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JsonLine {
    /// The top-level pairs in order, duplicates included.
    pub(crate) pairs: Vec<JsonPair>,
    /// The offset after the closing brace; `None` when the text ends or breaks before it.
    pub(crate) end: Option<usize>,
}

impl JsonLine {
    /// Finds the value of the first pair with this key.
    pub(crate) fn get<'t>(&self, text: &'t str, key: &str) -> Option<&'t str> {
        let pair = self.pairs.iter().find(|pair| text.get(pair.key.clone()) == Some(key))?;
        text.get(pair.value.clone())
    }
}

/// Scans the object that opens at `at`, as far as it goes.
pub(crate) fn object(text: &str, at: usize) -> Option<JsonLine> {
    let bytes = text.as_bytes();
    if bytes.get(at) != Some(&b'{') {
        return None;
    }
    let mut object = JsonLine::default();
    let mut at = blanks(bytes, at + 1);
    if bytes.get(at) == Some(&b'}') {
        object.end = Some(at + 1);
        return Some(object);
    }
    loop {
        let Some(key) = quote::quoted(bytes, at) else { return Some(object) };
        at = blanks(bytes, key.end + 1);
        if bytes.get(at) != Some(&b':') {
            return Some(object);
        }
        at = blanks(bytes, at + 1);
        let Some(end) = value_end(bytes, at) else { return Some(object) };
        object.pairs.push(JsonPair { key, value: at..end });
        at = blanks(bytes, end);
        match bytes.get(at) {
            Some(b',') => at = blanks(bytes, at + 1),
            Some(b'}') => {
                object.end = Some(at + 1);
                return Some(object);
            }
            _ => return Some(object),
        }
    }
}

/// Returns where the value that starts at `at` ends, if it does.
pub(crate) fn value_end(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'"' => quote::quoted(bytes, at).map(|inside| inside.end + 1),
        b'{' | b'[' => nested_end(bytes, at),
        _ => {
            let tail = bytes.get(at..)?;
            let word = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
            let len = tail.iter().take_while(|byte| word(byte)).count();
            is_word(tail.get(..len)?).then_some(at + len)
        }
    }
}

/// Says whether a bare word is `true`, `false`, `null` or a number.
fn is_word(word: &[u8]) -> bool {
    match word {
        b"true" | b"false" | b"null" => true,
        [b'-', digit, ..] | [digit, ..] if digit.is_ascii_digit() => {
            word.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte))
        }
        _ => false,
    }
}

/// Returns where brackets balance, strings aside.
fn nested_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = at;
    loop {
        match bytes.get(at)? {
            b'"' => at = quote::quoted(bytes, at)?.end,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

fn blanks(bytes: &[u8], at: usize) -> usize {
    let tail = bytes.get(at..).unwrap_or_default();
    at + tail.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn top_level_pairs_are_found_and_nested_ones_are_not() {
        let text =
            r#"{"a": {"msg": "}"}, "worker count": 1,"big":1e+21,"l":["}",{}] , "n":null}tail"#;
        let found = object(text, 0).unwrap();
        assert_eq!(found.end, Some(text.len() - 4));
        assert_eq!(found.get(text, "a"), Some(r#"{"msg": "}"}"#));
        assert_eq!(found.get(text, "worker count"), Some("1"));
        assert_eq!(found.get(text, "big"), Some("1e+21"));
        assert_eq!(found.get(text, "l"), Some(r#"["}",{}]"#));
        assert_eq!(found.get(text, "msg"), None);
    }

    #[test]
    fn a_cut_object_keeps_what_stood_before_the_cut() {
        let text = r#"{"a": 1, "b": "x"#;
        let found = object(text, 0).unwrap();
        assert_eq!((found.end, found.get(text, "a")), (None, Some("1")));
        assert_eq!(found.pairs.len(), 1);
        assert_eq!(object("{}", 0).unwrap().end, Some(2));
        assert_eq!(object("x", 0), None);
        for broken in ["{", "{\"", "{\"a\"", "{\"a\":", "{\"a\":[", "{\"a\":1", "{\"a\":x}"] {
            assert_eq!(object(broken, 0).unwrap().end, None, "{broken}");
        }
    }
}
