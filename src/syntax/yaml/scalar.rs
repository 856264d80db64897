//! The type of an unquoted YAML scalar.
//!
//! Resolves as serde_yaml does (YAML 1.2 core schema and `0b`): `yes`, `on` and `007` are text.
//! A whole number beyond 64 bits becomes a float, as in JSON.

use crate::syntax::tree::Value;

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
        // The sign of a not-a-number would make it text.
        ".nan" | ".NaN" | ".NAN" if !negative => f64::NAN,
        _ => digits.parse().ok().filter(|float: &f64| float.is_finite())?,
    };
    Some(Value::Float(if negative { -magnitude } else { magnitude }))
}
