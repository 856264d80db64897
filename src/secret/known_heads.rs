//! How the values of Secrets begin: tells at once that a text holds none of them.

use std::collections::HashSet;

use super::known::SHORTEST;

/// How much of a long value is looked at: what was applied last begins alike in most objects, but not for so long.
const LONG: usize = 32;

/// How many bits say whether some value begins with certain bytes.
const BITS: usize = 1 << u16::BITS;

/// The first bytes of values: [`LONG`] of them where there are as many, else [`SHORTEST`].
#[derive(Debug, Default)]
pub(super) struct KnownHeads {
    heads: HashSet<Box<[u8]>>,
    /// A bit for each number that [`Self::bit`] makes of the first [`SHORTEST`] bytes of a value.
    seen: Vec<u64>,
}

impl KnownHeads {
    /// Remembers how values begin, none of which is shorter than [`SHORTEST`].
    pub(super) fn of(values: &[String]) -> Self {
        if values.is_empty() {
            return Self::default();
        }
        let mut seen = vec![0; BITS / 64];
        let mut heads = HashSet::new();
        for value in values {
            let value = value.as_bytes();
            if let Some(head) = value.get(..LONG).or_else(|| value.get(..SHORTEST)) {
                heads.insert(head.into());
                let bit = Self::bit(head);
                seen[bit / 64] |= 1 << (bit % 64);
            }
        }
        Self { heads, seen }
    }

    /// Says whether a text holds the head of a value somewhere; without one it holds no value.
    pub(super) fn stand_in(&self, text: &str) -> bool {
        !self.heads.is_empty()
            && text.as_bytes().windows(SHORTEST).enumerate().any(|(at, window)| {
                let bit = Self::bit(window);
                self.seen[bit / 64] & (1 << (bit % 64)) != 0 && self.is_head(text.as_bytes(), at)
            })
    }

    fn is_head(&self, text: &[u8], at: usize) -> bool {
        [SHORTEST, LONG]
            .iter()
            .filter_map(|length| text.get(at..at + length))
            .any(|head| self.heads.contains(head))
    }

    /// Makes a number below [`BITS`] of the first [`SHORTEST`] bytes.
    fn bit(head: &[u8]) -> usize {
        let mut bytes = [0; 8];
        bytes[..SHORTEST].copy_from_slice(&head[..SHORTEST]);
        // The upper bits of a product with an odd number depend on all bytes.
        let mixed = u64::from_le_bytes(bytes).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let [.., low, high] = mixed.to_le_bytes();
        usize::from(u16::from_le_bytes([low, high]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heads(values: &[&str]) -> KnownHeads {
        KnownHeads::of(&Vec::from_iter(values.iter().map(|value| (*value).to_owned())))
    }

    #[test]
    fn a_text_with_a_value_holds_its_head() {
        let long = "0123456789".repeat(4);
        let known = heads(&["hunter22", &long]);
        for text in ["hunter22", "a hunter22", &format!("x {long}"), &format!("{long} y")] {
            assert!(known.stand_in(text), "{text}");
        }
    }

    #[test]
    fn a_text_without_one_does_not() {
        let long = "0123456789".repeat(4);
        let known = heads(&["hunter22", &long]);
        for text in ["", "hunte", "hunt 22", &long[..LONG - 1], &long[1..]] {
            assert!(!known.stand_in(text), "{text}");
        }
        assert!(!heads(&[]).stand_in("hunter22"));
    }
}
