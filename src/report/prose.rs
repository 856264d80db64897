//! Words for people: how wide a text is, lines broken at blanks, numbers with their noun.

use std::fmt::Write as _;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Less than this says too little.
const SHORTEST_DIGEST: usize = 24;

/// Returns how many columns of a terminal a text takes.
pub(super) fn columns(text: &str) -> usize {
    text.width()
}

/// Returns the beginning of a text that fits into some columns.
pub(super) fn fitting(text: &str, room: usize) -> &str {
    let mut used = 0;
    let end = text.char_indices().find(|(_, c)| {
        used += c.width().unwrap_or_default();
        used > room
    });
    end.and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

/// Returns a text that fits into some columns, with a sign where its end is missing.
pub(super) fn clipped(text: &str, room: usize) -> String {
    if columns(text) <= room {
        return text.to_owned();
    }
    let whole = fitting(text, room.saturating_sub(1));
    // A cut word is worse than a short line, unless it is most of the line.
    let end = whole.rfind(' ').filter(|end| *end * 2 > whole.len()).unwrap_or(whole.len());
    format!("{}…", whole.get(..end).unwrap_or(whole).trim_end_matches([' ', ',', ':', ';', '(']))
}

/// Returns what of a text says something whole in some columns: its first sentences; of one sentence that is a chain of
/// causes its beginning and its end, since the last of them is the reason; else as much as fits.
pub(super) fn digest(text: &str, room: usize) -> String {
    if columns(text) <= room {
        return text.to_owned();
    }
    let ends = text.match_indices(". ").map(|(at, _)| at);
    let heads = ends.filter_map(|at| text.get(..at)).filter(|head| columns(head) < room);
    match heads.filter(|head| columns(head) >= SHORTEST_DIGEST).last() {
        Some(head) => format!("{head}."),
        None => without_middle(text, room).unwrap_or_else(|| clipped(text, room)),
    }
}

/// Leaves out what stands between the beginning of a chain and as much of its end as fits.
fn without_middle(text: &str, room: usize) -> Option<String> {
    const GAP: &str = ": … ";
    let sentence = text.find(". ").and_then(|end| text.get(..=end)).unwrap_or(text);
    let mut colons = sentence.match_indices(": ").map(|(at, _)| at);
    let first = colons.next()?;
    let head = sentence.get(..first)?;
    let left = room.checked_sub(columns(head) + columns(GAP))?;
    let ends = colons.filter_map(|at| sentence.get(at + 2..));
    let end = ends.into_iter().find(|end| columns(end) <= left)?;
    Some(format!("{head}{GAP}{end}"))
}

/// Fills a text up with blanks to some columns.
pub(super) fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Writes text with a first lead and an indent for further lines, broken at blanks.
pub(super) fn wrap(out: &mut String, lead: &str, indent: &str, text: &str, width: usize) {
    let room = width.saturating_sub(columns(lead).max(columns(indent))).max(20);
    let mut line = String::new();
    let mut prefix = lead;
    for word in text.split_whitespace() {
        if !line.is_empty() && columns(&line) + 1 + columns(word) > room {
            let _ = writeln!(out, "{prefix}{line}");
            prefix = indent;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(out, "{prefix}{line}");
}

/// Gives a capital to a text that begins with a word of plain English; any other may be a name, whose letters stay.
pub(super) fn opened(text: &str) -> String {
    const OPENERS: [&str; 69] = [
        "a",
        "affinity",
        "after",
        "all",
        "an",
        "another",
        "applying",
        "approve",
        "at",
        "before",
        "both",
        "changing",
        "cluster",
        "clusters",
        "controllers",
        "did",
        "durations",
        "each",
        "every",
        "eviction",
        "for",
        "here",
        "if",
        "in",
        "it",
        "its",
        "key",
        "keys",
        "label",
        "make",
        "moving",
        "name",
        "names",
        "no",
        "nobody",
        "none",
        "nothing",
        "objects",
        "of",
        "once",
        "one",
        "only",
        "overrides",
        "placement",
        "preferences",
        "put",
        "remove",
        "render",
        "run",
        "runs",
        "select",
        "server",
        "some",
        "stage",
        "the",
        "there",
        "these",
        "they",
        "this",
        "tolerations",
        "two",
        "updating",
        "use",
        "what",
        "when",
        "with",
        "without",
        "wrap",
        "write",
    ];
    let word = text.split(' ').next().unwrap_or_default();
    match text.chars().next() {
        Some(first) if OPENERS.contains(&word) => {
            format!("{}{}", first.to_ascii_uppercase(), text.get(1..).unwrap_or_default())
        }
        _ => text.to_owned(),
    }
}

/// Returns `1 error`, `2 errors`.
pub(super) fn count<N: std::fmt::Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    if number == N::from(1) { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_ends_where_a_sentence_does() {
        let text = "The first sentence is quite long. The second one is: too long to be shown.";
        assert_eq!(digest(text, 100), text);
        assert_eq!(digest(text, 60), "The first sentence is quite long.");
        let chain = "Deployment web on member3 cannot be applied: quota exceeded by far and more";
        assert_eq!(
            digest(chain, 64),
            "Deployment web on member3 cannot be applied: quota exceeded by…"
        );
    }

    #[test]
    fn a_digest_keeps_the_reason_at_the_end_of_a_chain() {
        let chain = "Work web cannot be applied: web is forbidden: policy a denied it: no label b.";
        assert_eq!(
            digest(chain, 64),
            "Work web cannot be applied: … policy a denied it: no label b."
        );
        assert_eq!(digest(chain, 50), "Work web cannot be applied: … no label b.");
        assert_eq!(digest(chain, 36), "Work web cannot be applied: web is…");
        let more = format!("{chain} Another sentence follows.");
        assert_eq!(digest(&more, 50), "Work web cannot be applied: … no label b.");
    }

    #[test]
    fn a_text_without_an_end_is_cut_between_words() {
        assert_eq!(digest("no end in sight of this text", 12), "no end in…");
    }

    #[test]
    fn a_sentence_opens_with_a_capital_and_a_name_keeps_its_letters() {
        assert_eq!(opened("the key `a` is given twice"), "The key `a` is given twice");
        for name in
            ["spec.policy must be a map", "`x` is no label", "kubectl drops it", "rings waits"]
        {
            assert_eq!(opened(name), name);
        }
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(columns("集群-1…"), 7);
        assert_eq!(fitting("集群-1", 3), "集");
        assert_eq!(fitting("web", 3), "web");
        assert_eq!(padded("集群", 6), "集群  ");
        let mut out = String::new();
        wrap(&mut out, "", "  ", "集群集群集 集群集群集 web", 20);
        assert_eq!(out, "集群集群集\n  集群集群集 web\n");
    }
}
