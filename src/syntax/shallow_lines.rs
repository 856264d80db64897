//! Where the lines of a text begin that are indented by less than two blanks: few of a dump are.
//!
//! Every large text is searched for them, so whole blocks without one are passed over at once.

/// How many bytes are looked at in one step, which the compiler makes one of few instructions.
const BLOCK: usize = 64;

/// Returns the starts of all lines that are not empty and do not begin with two blanks, in order.
pub(super) fn shallow_lines(text: &str) -> impl Iterator<Item = usize> + use<'_> {
    let bytes = text.as_bytes();
    let first = (!bytes.is_empty() && is_shallow(bytes, 0)).then_some(0);
    let mut blocks = (0..bytes.len()).step_by(BLOCK).filter(|&at| may_hold_one(bytes, at));
    let mut inside = 0..0;
    let further = std::iter::from_fn(move || {
        loop {
            let rest = bytes.get(inside.clone()).unwrap_or_default();
            if let Some(found) = memchr::memchr(b'\n', rest) {
                let start = inside.start + found + 1;
                inside.start = start;
                if is_shallow(bytes, start) {
                    return Some(start);
                }
            } else {
                let block = blocks.next()?;
                inside = block..bytes.len().min(block + BLOCK);
            }
        }
    });
    first.into_iter().chain(further)
}

/// Says whether the line that begins here is neither empty nor indented by two blanks.
fn is_shallow(bytes: &[u8], start: usize) -> bool {
    !matches!(bytes.get(start..), Some([b' ', b' ', ..] | [b'\n', ..] | []) | None)
}

/// Says whether such a line may begin behind a byte of the block that begins here.
fn may_hold_one(bytes: &[u8], at: usize) -> bool {
    let block = |from: usize| bytes.get(from..from + BLOCK);
    let (Some(here), Some(next), Some(second)) = (block(at), block(at + 1), block(at + 2)) else {
        return true;
    };
    let found = here.iter().zip(next).zip(second).fold(0, |found, ((byte, next), second)| {
        let deep = u8::from(*next == b' ') & u8::from(*second == b' ');
        found | (u8::from(*byte == b'\n') & (deep ^ 1))
    });
    found != 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn finds_what_a_look_at_every_line_finds(
            lines in prop::collection::vec("( {0,3}|\t)[a-z\u{e4}]{0,40}\r?", 0..30),
            ends in any::<bool>(),
        ) {
            let text = lines.join("\n") + if ends { "\n" } else { "" };
            let mut at = 0;
            let mut expected = Vec::new();
            for line in text.split_inclusive('\n') {
                if !line.starts_with("  ") && !line.starts_with('\n') {
                    expected.push(at);
                }
                at += line.len();
            }
            prop_assert_eq!(shallow_lines(&text).collect::<Vec<_>>(), expected);
        }
    }
}
