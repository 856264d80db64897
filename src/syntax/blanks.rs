//! The blanks that a line begins with: half the bytes of a dump are such blanks.

/// Counts them, eight at a time.
pub(super) fn count_blanks(line: &[u8]) -> usize {
    const BLANKS: u64 = u64::from_ne_bytes([b' '; 8]);
    let (words, rest) = line.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let other = u64::from_le_bytes(*word) ^ BLANKS;
        if other != 0 {
            return number * 8 + other.trailing_zeros() as usize / 8;
        }
    }
    line.len() - rest.len() + rest.iter().take_while(|&&byte| byte == b' ').count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn blanks_are_counted_as_one_by_one(line in " {0,40}[a \\t]{0,20}") {
            let one_by_one = line.bytes().take_while(|&byte| byte == b' ').count();
            prop_assert_eq!(count_blanks(line.as_bytes()), one_by_one);
        }
    }
}
