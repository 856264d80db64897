//! The word that was meant by a misspelt one.
//!
//! Two equally near words give no answer rather than the first: a wrong guess is worse than none.

use strsim::generic_damerau_levenshtein;

/// The longest word that is compared; the words of Kubernetes are shorter, and the time is bounded.
const LONGEST: usize = 64;

/// Counts the slips between two words: bytes that are inserted, lost, changed, or swapped with a neighbour.
pub fn edit_distance(left: &str, right: &str) -> usize {
    generic_damerau_levenshtein(left.as_bytes(), right.as_bytes())
}

/// Finds the one name that is meant by a misspelt one: none below four letters, up to two slips in longer ones.
///
/// Names that people make up are near each other without being meant for each other: `Nod`, `Pod`.
pub fn nearest_name<'w>(
    misspelt: &str,
    names: impl IntoIterator<Item = &'w str>,
) -> Option<&'w str> {
    nearest(misspelt, (misspelt.len() / 4).min(2), names)
}

/// Finds the one word of a fixed vocabulary that is meant by a misspelt one: one slip at least, up to three.
pub fn nearest_word<'w>(
    misspelt: &str,
    words: impl IntoIterator<Item = &'w str>,
) -> Option<&'w str> {
    nearest(misspelt, (misspelt.len() / 4).clamp(1, 3), words)
}

/// Finds the one word that is at most `limit` slips away; letter case does not count.
fn nearest<'w>(
    misspelt: &str,
    limit: usize,
    words: impl IntoIterator<Item = &'w str>,
) -> Option<&'w str> {
    let wanted = misspelt.to_ascii_lowercase();
    if wanted.len() > LONGEST {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    let mut tie = false;
    for word in words {
        if word.len().abs_diff(wanted.len()) > limit {
            continue;
        }
        let distance = edit_distance(&wanted, &word.to_ascii_lowercase());
        match best {
            _ if distance > limit => {}
            Some((least, _)) if distance > least => {}
            Some((least, _)) if distance == least => tie = true,
            _ => (best, tie) = (Some((distance, word)), false),
        }
    }
    best.filter(|_| !tie).map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_unique_or_none() {
        assert_eq!(nearest_word("stagse", ["stages", "status"]), Some("stages"));
        assert_eq!(nearest_word("Stages", ["stage", "stagess"]), None);
        assert_eq!(nearest_word("kin", ["kind"]), Some("kind"));
        assert_eq!(nearest_name("kin", ["kind"]), None);
        assert_eq!(nearest_name("member-01", ["member-1", "member-9"]), Some("member-1"));
        let long = "a".repeat(65);
        assert_eq!(nearest_word(&long, [&*long]), None);
    }
}
