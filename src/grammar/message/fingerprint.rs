//! [`Fingerprint`]: which sequences of three bytes a text holds, roughly.
//!
//! It says of nearly every template in a few steps that a text cannot be made of it. A yes may be wrong, a
//! no never is.

/// How many sequences are told apart; more only fall together.
const BITS: usize = 4096;
const WORDS: usize = BITS / 64;
/// Marks a sequence that every text is taken to hold.
const ANY: u16 = u16::MAX;

/// How many bytes of a literal count: no text is taken for a cut template that shows fewer of its words.
pub(super) const REACH: usize = 12;

/// The sequences of a text.
pub(super) struct Fingerprint {
    bits: [u64; WORDS],
}

/// Some sequences of a literal, from its first [`REACH`] bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grams([u16; 4]);

impl Grams {
    /// Takes the sequences of a literal.
    pub(super) const fn of(literal: &[u8]) -> Self {
        let mut grams = [ANY; 4];
        let end = if literal.len() < REACH { literal.len() } else { REACH };
        let mut index = 0;
        while index < grams.len() && end >= 3 {
            // Spread over the bytes that count, the last ones included.
            let at = (end - 3) * index / (grams.len() - 1);
            grams[index] = bit([literal[at], literal[at + 1], literal[at + 2]]);
            index += 1;
        }
        Self(grams)
    }
}

impl Fingerprint {
    /// Takes the sequences of a text.
    pub(super) fn of(text: &[u8]) -> Self {
        let mut bits = [0_u64; WORDS];
        for three in text.windows(3) {
            if let &[a, b, c] = three {
                let at = usize::from(bit([a, b, c]));
                if let Some(word) = bits.get_mut(at / 64) {
                    *word |= 1 << (at % 64);
                }
            }
        }
        Self { bits }
    }

    /// Tells whether the text may hold the literal.
    pub(super) fn may_hold(&self, grams: Grams) -> bool {
        grams.0.iter().all(|gram| {
            let at = usize::from(*gram);
            self.bits.get(at / 64).is_none_or(|word| word >> (at % 64) & 1 == 1)
        })
    }
}

/// Returns the place of a sequence.
const fn bit(three: [u8; 3]) -> u16 {
    let [a, b, c] = three;
    let number = (a as u32) << 16 | (b as u32) << 8 | c as u32;
    // Multiplying by an odd number spreads the letters; the upper bits depend on all three.
    (number.wrapping_mul(0x9E37_79B1) >> 20) as u16
}
