//! How the values of Secrets begin: tells at once that a text holds none of them.

use std::collections::HashSet;

use super::known::SHORTEST;

/// How much of a long value is looked at: what was applied last begins alike in most objects, but not for so long.
const LONG: usize = 32;

/// How many bits say whether some value begins with certain bytes.
const BITS: usize = 1 << u16::BITS;

/// How many bytes of a head are looked at first, and how far such looks are apart: one of them falls into the first [`SHORTEST`]
/// bytes of a head wherever it stands.
const WORD: usize = 4;
const STRIDE: usize = SHORTEST - WORD + 1;

/// The first bytes of values: [`LONG`] of them where there are as many, else [`SHORTEST`].
#[derive(Debug, Default)]
pub(super) struct KnownHeads {
    heads: HashSet<Box<[u8]>>,
    /// A bit for each number that [`bit`] makes of the first [`SHORTEST`] bytes of a value.
    seen: Vec<u64>,
    /// The same of each [`WORD`] bytes among them.
    words: Vec<u64>,
}

impl KnownHeads {
    /// Remembers how values begin, none of which is shorter than [`SHORTEST`].
    pub(super) fn of(values: &[String]) -> Self {
        if values.is_empty() {
            return Self::default();
        }
        let (mut seen, mut words) = (vec![0; BITS / 64], vec![0; BITS / 64]);
        let mut heads = HashSet::new();
        for value in values {
            let value = value.as_bytes();
            if let Some(head) = value.get(..LONG).or_else(|| value.get(..SHORTEST)) {
                heads.insert(head.into());
                head.first_chunk::<SHORTEST>().into_iter().for_each(|it| set(&mut seen, bit(it)));
                let looks = (0..STRIDE).filter_map(|at| head.get(at..)?.first_chunk::<WORD>());
                looks.for_each(|word| set(&mut words, bit(word)));
            }
        }
        Self { heads, seen, words }
    }

    /// Says whether a text holds the head of a value somewhere; without one it holds no value.
    pub(super) fn stand_in(&self, text: &str) -> bool {
        if self.heads.is_empty() {
            return false;
        }
        let text = text.as_bytes();
        let (mut at, mut rest) = (0_usize, text);
        while let Some(word) = rest.first_chunk::<WORD>() {
            if is_set(&self.words, bit(word))
                && (at.saturating_sub(STRIDE - 1)..=at).any(|from| self.begins(text, from))
            {
                return true;
            }
            at += STRIDE;
            rest = rest.get(STRIDE..).unwrap_or_default();
        }
        false
    }

    /// Says whether the head of a value stands at a place.
    fn begins(&self, text: &[u8], at: usize) -> bool {
        let first = text.get(at..).and_then(<[u8]>::first_chunk::<SHORTEST>);
        first.is_some_and(|first| is_set(&self.seen, bit(first))) && self.is_head(text, at)
    }

    fn is_head(&self, text: &[u8], at: usize) -> bool {
        [SHORTEST, LONG]
            .iter()
            .filter_map(|length| text.get(at..at + length))
            .any(|head| self.heads.contains(head))
    }
}

fn set(bits: &mut [u64], bit: usize) {
    bits[bit / 64] |= 1 << (bit % 64);
}

fn is_set(bits: &[u64], bit: usize) -> bool {
    bits[bit / 64] & (1 << (bit % 64)) != 0
}

/// Makes a number below [`BITS`] of a few bytes.
fn bit<const N: usize>(few: &[u8; N]) -> usize {
    let mut bytes = [0; 8];
    bytes[..N].copy_from_slice(few);
    // The upper bits of a product with an odd number depend on all bytes.
    let mixed = u64::from_le_bytes(bytes).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let [.., low, high] = mixed.to_le_bytes();
    usize::from(u16::from_le_bytes([low, high]))
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
        // At every distance from the looks that are taken.
        for before in 0..2 * STRIDE {
            for after in 0..STRIDE {
                let text = format!("{}hunter22{}", " ".repeat(before), " ".repeat(after));
                assert!(known.stand_in(&text), "{text:?}");
            }
        }
        assert!(heads(&["hunter"]).stand_in("a hunter"));
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
