//! Base64 as Secrets are written: the standard alphabet, with its padding.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes bytes.
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0u32, |word, &byte| word << 8 | u32::from(byte))
            << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let index = (word >> (18 - 6 * digit)) & 63;
            let shown = digit <= chunk.len();
            let letter = ALPHABET.get(index as usize).copied().filter(|_| shown);
            out.push(char::from(letter.unwrap_or(b'=')));
        }
    }
    out
}

/// Decodes text; `None` if it is no base64.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let body = text.trim_end_matches('=');
    if text.is_empty() || !text.len().is_multiple_of(4) || text.len() - body.len() > 2 {
        return None;
    }
    let (mut out, mut word, mut bits) = (Vec::with_capacity(text.len() / 4 * 3), 0u32, 0);
    for byte in body.bytes() {
        let digit = ALPHABET.iter().position(|&letter| letter == byte)?;
        word = word << 6 | u32::try_from(digit).ok()?;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push(u8::try_from(word >> bits & 255).ok()?);
        }
    }
    Some(out)
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
