//! The type of an unquoted YAML scalar.
//!
//! [`resolve`] types as serde_yaml does (YAML 1.2 core schema and `0b`): `yes`, `on` and `007` are text.
//! [`resolve_as_server`] types as the API server and kubectl do when they read what a person wrote:
//! mostly YAML 1.1, so `yes` and `on` are truth values and `0755` is octal.
//! A whole number beyond 64 bits becomes a float, as in JSON.

use super::events::TagHint;
use crate::syntax::tree::Value;

/// Who decides what an unquoted scalar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// The core schema of YAML 1.2, enough for what programs print.
    Core,
    /// The API server's reader, for what people write.
    Server,
}

/// Types a plain scalar by its text, as the API server does.
pub(super) fn resolve_as_server(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" | "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => {
            return Value::Bool(true);
        }
        "false" | "False" | "FALSE" | "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => {
            return Value::Bool(false);
        }
        ".nan" | ".NaN" | ".NAN" => return Value::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => {
            return Value::Float(f64::INFINITY);
        }
        "-.inf" | "-.Inf" | "-.INF" => return Value::Float(f64::NEG_INFINITY),
        _ => {}
    }
    let number = match text.as_bytes().first() {
        Some(b'.') => text.parse().ok().filter(|float: &f64| float.is_finite()).map(shrink),
        Some(b'0'..=b'9' | b'+' | b'-') => server_number(text),
        _ => None,
    };
    number.unwrap_or_else(|| Value::String(text.into()))
}

/// Types a scalar that has a tag of YAML's own, as the API server does; `Err` says why it refuses the text.
pub(super) fn resolve_tagged(text: &str, hint: TagHint) -> Result<Value, String> {
    let TagHint::Typed(tag) = hint else { return Ok(Value::String(text.into())) };
    // Times stay as they are written.
    if tag == "timestamp" {
        let day = text.get(..10).is_some_and(|day| day.parse::<jiff::civil::Date>().is_ok());
        let time = day || text.split('-').filter(|part| !part.is_empty()).count() >= 3;
        let digits = text.starts_with(|first: char| first.is_ascii_digit());
        let refused = || format!("`{text}` is no time, as its tag `!!timestamp` says");
        return if time && digits { Ok(Value::String(text.into())) } else { Err(refused()) };
    }
    let value = resolve_as_server(text);
    let hexadecimal = text.trim_start_matches(['+', '-']).starts_with("0x");
    let fraction = text.contains('.') || !hexadecimal && text.contains(['e', 'E']);
    let fits = match (&value, tag) {
        (Value::Int(_) | Value::BigInt(_), "int") => !fraction,
        (Value::Int(_) | Value::BigInt(_) | Value::Float(_), "float")
        | (Value::Bool(_), "bool")
        | (Value::Null, "null") => true,
        _ => false,
    };
    if fits { Ok(value) } else { Err(format!("`{text}` cannot be read as its tag `!!{tag}` says")) }
}

fn server_number(text: &str) -> Option<Value> {
    let plain = text.replace('_', "");
    let (negative, digits) = match plain.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let lower = digits.to_ascii_lowercase();
    let (radix, figures) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, lower.get(2..)?),
        [b'0', b'o', ..] => (8, lower.get(2..)?),
        [b'0', b'b', ..] => (2, lower.get(2..)?),
        [b'0', _, ..] => (8, lower.get(1..)?),
        _ => (10, lower.as_str()),
    };
    whole(negative, figures, radix).or_else(|| server_float(&plain))
}

/// Reads `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`.
fn server_float(plain: &str) -> Option<Value> {
    let unsigned = plain.strip_prefix(['-', '+']).unwrap_or(plain);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            (mantissa, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent)))
        }
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let shaped = digits(before) && digits(after) && !(before.is_empty() && after.is_empty());
    if !shaped || !exponent.is_none_or(|exponent| digits(exponent) && !exponent.is_empty()) {
        return None;
    }
    plain.parse().ok().filter(|float: &f64| float.is_finite()).map(shrink)
}

/// Decodes `!!binary`; `None` if it is not base64. Bytes that are no text stay as they were written.
pub(super) fn decode_binary(text: &str) -> Option<Value> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(u32::from(byte - b'A')),
        b'a'..=b'z' => Some(u32::from(byte - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(byte - b'0') + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let written: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
    let padding = written.iter().rev().take_while(|byte| **byte == b'=').count();
    let (digits, _) = written.split_at_checked(written.len() - padding)?;
    if !written.len().is_multiple_of(4) || padding > 2 {
        return None;
    }
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for byte in digits {
        bits = (bits << 6 | digit(*byte)?) & 0xfff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.extend(u8::try_from(bits >> count & 0xff));
        }
    }
    let text = String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned());
    Some(Value::String(text.into()))
}

/// Turns a float without a fraction into a whole number, as its way through JSON does.
fn shrink(float: f64) -> Value {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if float.fract() == 0.0 && (-LIMIT..LIMIT).contains(&float) {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within the range")]
        return Value::Int(float as i64);
    }
    Value::Float(float)
}

/// Types a plain scalar by its text.
pub(super) fn resolve(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    // Most scalars are words: numbers begin with a digit, a sign or a dot.
    if !text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) {
        return Value::String(text.into());
    }
    number(text).unwrap_or_else(|| Value::String(text.into()))
}

fn number(text: &str) -> Option<Value> {
    // With a sign it would be text.
    if matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Some(Value::Float(f64::NAN));
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = digits.strip_prefix(prefix) {
            return whole(negative, digits, radix);
        }
    }
    // `007` is text in YAML 1.2.
    if digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    whole(negative, digits, 10).or_else(|| float(negative, digits))
}

fn whole(negative: bool, digits: &str, radix: u32) -> Option<Value> {
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let magnitude = u64::from_str_radix(digits, radix).ok()?;
    if !negative {
        return Some(i64::try_from(magnitude).map_or(Value::BigInt(magnitude), Value::Int));
    }
    0_i64.checked_sub_unsigned(magnitude).map(Value::Int)
}

fn float(negative: bool, digits: &str) -> Option<Value> {
    let magnitude = match digits {
        ".inf" | ".Inf" | ".INF" => f64::INFINITY,
        _ => digits.parse().ok().filter(|float: &f64| float.is_finite())?,
    };
    Some(Value::Float(if negative { -magnitude } else { magnitude }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_those_of_the_oracle() {
        let words = "~ null Null NULL nUll true True TRUE tRUE yes on n y 0 -0 +0 7 -7 +7 --7 +-7 007 -007 0x1F \
            -0x1f 0X1F 0x 0xg 0o17 -0o17 0o8 0b101 -0b1 0b2 0x+1 0o-1 1_000 1.0 -1.5 +1.5 .5 5. . + 1e3 1E-3 1e 1e999 .inf \
            -.inf +.inf .Inf .INF .iNF .nan .NaN -.nan +.nan inf nan NaN infinity -inf 9223372036854775807 \
            9223372036854775808 18446744073709551615 -9223372036854775808 0.0 -0.0 1.2.3 v1 2026-01-09 12:30 1e+07";
        for word in words.split_whitespace() {
            let expected = match serde_yaml::from_str(word).unwrap() {
                serde_yaml::Value::Null => Value::Null,
                serde_yaml::Value::Bool(truth) => Value::Bool(truth),
                serde_yaml::Value::String(text) => Value::String(text.into()),
                serde_yaml::Value::Number(number) => match (number.as_i64(), number.as_u64()) {
                    (Some(number), _) => Value::Int(number),
                    (None, Some(number)) => Value::BigInt(number),
                    (None, None) => Value::Float(number.as_f64().unwrap()),
                },
                other => panic!("{word} is {other:?}"),
            };
            assert_eq!(format!("{:?}", resolve(word)), format!("{expected:?}"), "{word}");
        }
    }

    #[test]
    fn binary_that_is_cut_or_padded_too_far_is_none() {
        let text = |value: &str| Some(Value::String(value.into()));
        assert_eq!(decode_binary("aGVsbG8="), text("hello"));
        assert_eq!(decode_binary("aGVsbG8"), None);
        assert_eq!(decode_binary("a==="), None);
    }

    #[test]
    fn a_number_beyond_64_bits_is_a_float() {
        assert_eq!(resolve("18446744073709551616"), Value::Float(18_446_744_073_709_551_616.0));
        assert_eq!(resolve("-9223372036854775809"), Value::Float(-9_223_372_036_854_775_809.0));
    }
}
