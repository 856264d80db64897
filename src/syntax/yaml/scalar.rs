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
    fn a_number_beyond_64_bits_is_a_float() {
        assert_eq!(resolve("18446744073709551616"), Value::Float(18_446_744_073_709_551_616.0));
        assert_eq!(resolve("-9223372036854775809"), Value::Float(-9_223_372_036_854_775_809.0));
    }
}
