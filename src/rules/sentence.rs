//! Parts of sentences that rules share: lists of names, values that differ, and texts cut short.

use std::collections::BTreeSet;

use crate::model::placement::FieldDifference;
use crate::model::read::Text;

/// How many names are spelt out in a sentence.
const NAMED: usize = 4;
/// How many fields are spelt out in a sentence.
const FIELDS: usize = 3;

/// Joins names as in a sentence, each once, in order.
pub fn join_names<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let mut seen = BTreeSet::new();
    let mut unique: Vec<String> = Vec::new();
    for name in names {
        if seen.insert(name.as_ref().to_owned()) {
            unique.push(name.as_ref().to_owned());
        }
    }
    let rest = unique.len().saturating_sub(NAMED + 1);
    if rest > 0 {
        unique.truncate(NAMED);
        return format!("{} and {} more", unique.join(", "), rest + 1);
    }
    match unique.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Returns a name behind a blank, for a sentence; nothing where the name is not known.
pub fn after_blank(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" {name}") }
}

/// Returns the name of a member for a sentence.
pub fn member_name(cluster: &str) -> &str {
    if cluster.is_empty() { "the member" } else { cluster }
}

/// Returns what differs, for a sentence: `/spec/replicas is 5 on the member and 2 on the hub`.
pub fn show_details(details: &[FieldDifference]) -> String {
    if details.is_empty() {
        return "the fields that differ are not listed".to_owned();
    }
    let value = |text: &Option<Text>| text.as_deref().map_or_else(|| "absent".to_owned(), clip);
    let shown = details.iter().take(FIELDS).map(|detail| {
        // A report that was cut names the path alone.
        if detail.member.is_none() && detail.hub.is_none() {
            return format!("a difference at {}", &*detail.path);
        }
        let (member, hub) = (value(&detail.member), value(&detail.hub));
        format!("{} is {member} on the member and {hub} on the hub", &*detail.path)
    });
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if details.len() > FIELDS {
        text.push_str(&format!(" and {} more fields differ", details.len() - FIELDS));
    }
    text
}

/// Makes a sentence of a phrase: a capital letter, one full stop.
pub fn as_sentence(phrase: &str) -> String {
    let mut letters = phrase.trim().chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    full_stop(&first.chain(letters).collect::<String>())
}

/// Ends a text that was quoted as a sentence: one full stop, and no bracket closed that was not opened.
pub fn full_stop(text: &str) -> String {
    let mut text = text.trim();
    loop {
        let shorter = text.trim_end_matches(['.', ';', ',', ':', ' ']);
        let unopened = shorter.matches(')').count() > shorter.matches('(').count();
        let shorter = shorter.strip_suffix(')').filter(|_| unopened).unwrap_or(shorter);
        if shorter.len() == text.len() {
            return if text.ends_with('…') { text.to_owned() } else { format!("{text}.") };
        }
        text = shorter;
    }
}

/// Shortens a text for a sentence.
pub fn clip(text: &str) -> String {
    clip_to(text, 160)
}

/// Shortens a text to its first line and a number of characters.
pub fn clip_to(text: &str, longest: usize) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.len() == text.len() && text.chars().count() <= longest {
        return text.to_owned();
    }
    let short: String = line.chars().take(longest).collect();
    format!("{short}…")
}

#[cfg(test)]
mod tests {
    use super::full_stop;

    #[test]
    fn a_quoted_text_ends_with_one_full_stop() {
        for (text, sentence) in [
            ("quota is used up", "quota is used up."),
            ("quota is used up. ", "quota is used up."),
            ("field is immutable)", "field is immutable."),
            ("no address (ingress)", "no address (ingress)."),
            ("not found:", "not found."),
            ("cut short…", "cut short…"),
        ] {
            assert_eq!(full_stop(text), sentence);
        }
    }
}
