//! Base64 as Secrets are written: the standard alphabet, with its padding.

/// Encodes bytes.
pub fn encode(bytes: &[u8]) -> String {
    data_encoding::BASE64.encode(bytes)
}

/// Decodes text; `None` if it is not base64.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let body = text.trim_end_matches('=');
    if text.is_empty() || !text.len().is_multiple_of(4) || text.len() - body.len() > 2 {
        return None;
    }
    let (mut out, mut word, mut bits) = (Vec::with_capacity(text.len() / 4 * 3), 0u32, 0);
    for byte in body.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        word = word << 6 | u32::from(digit);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push(u8::try_from(word >> bits & 255).ok()?);
        }
    }
    Some(out)
}

/// Says whether a text looks like the value of a Secret: base64 that is no plain word.
pub(super) fn looks_coded(text: &str) -> bool {
    const SHORTEST: usize = 8;
    let random = |c: u8| c.is_ascii_digit() || c.is_ascii_uppercase() || b"+/=".contains(&c);
    text.len() >= SHORTEST && text.bytes().skip(1).any(random) && decode(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_there_and_back() {
        for text in ["", "a", "ab", "abc", "hunter2!", "\u{e9}t\u{e9}"] {
            let there = encode(text.as_bytes());
            assert_eq!(decode(&there).unwrap_or_default(), text.as_bytes(), "{there}");
        }
        assert_eq!(encode(b"CANARY-one"), "Q0FOQVJZLW9uZQ==");
        assert_eq!(decode("not base64!!"), None);
    }
}
