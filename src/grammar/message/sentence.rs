//! [`find_sentences`]: what the controllers say, found in the middle of other words.
//!
//! Owns the borders of a sentence that somebody has copied into prose: it begins with words that
//! only a controller writes, and ends where a template is complete. Leaves taking it apart to
//! `recognise`. Invariant: the work is bounded by the number of sentences and their length.

use std::ops::Range;
use std::sync::OnceLock;

use memchr::memmem;

use super::catalogue::{ConditionSpec, MessageKind, PrefixLayer, Template, templates};
use super::normalized::Normalized;
use super::recognise::recognise;
use super::recognised::{MessageContext, Recognised};

/// Visible bytes that a sentence must begin with, and those that it must have in all: fewer could
/// be anybody's words.
const LEAST_HEAD: usize = 20;
const LEAST_WORDS: usize = 40;
/// More sentences than a ticket holds, and more words than one has.
const MOST_SENTENCES: usize = 32;
const MOST_WORDS: usize = 300;
/// Marks behind a sentence that are not its own: quotes, a full stop, emphasis.
const MARKS: [char; 14] = ['.', ',', ';', ':', '!', '?', '"', '\'', '`', '_', '*', ')', '|', '>'];

/// A message that stands in other text.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// Where it stands in the text.
    pub range: Range<usize>,
    /// The condition that it is the message of.
    pub condition: &'static ConditionSpec,
    /// Whether no other condition of a run could carry the same words.
    pub is_sure: bool,
    /// Whose condition that is.
    pub speaker: Speaker,
    /// What it is made of, by ranges of the sentence.
    pub recognised: Recognised,
}

/// The family of objects that say such a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// An update run.
    Run,
    /// A placement.
    Placement,
    /// An eviction.
    Eviction,
}

/// Words that a sentence begins with.
struct Opening {
    words: Vec<u8>,
    template: &'static Template,
}

/// Finds the messages of conditions in a text, in its order.
pub fn find_sentences(text: &str) -> Vec<Sentence> {
    let normalized = Normalized::new(text);
    let bytes = normalized.bytes(0..normalized.len());
    let mut starts: Vec<(usize, &Opening)> = openings()
        .iter()
        .flat_map(|opening| {
            memmem::find_iter(bytes, &opening.words).map(move |start| (start, opening))
        })
        .filter(|(start, _)| is_word_start(&normalized, *start))
        .collect();
    starts.sort_by_key(|(start, _)| *start);
    let mut found: Vec<Sentence> = Vec::new();
    for (start, opening) in starts {
        let origin = normalized.origin(start..normalized.len()).start;
        let inside = found.last().is_some_and(|last| origin < last.range.end);
        if !inside && found.len() < MOST_SENTENCES {
            found.extend(read(text, origin, opening.template));
        }
    }
    found
}

fn openings() -> &'static [Opening] {
    static OPENINGS: OnceLock<Vec<Opening>> = OnceLock::new();
    OPENINGS.get_or_init(|| {
        let mut openings: Vec<Opening> = templates().iter().filter_map(opening).collect();
        openings.sort_by(|one, other| one.words.cmp(&other.words));
        openings.dedup_by(|one, other| one.words == other.words);
        openings
    })
}

fn opening(template: &'static Template) -> Option<Opening> {
    let head = template.patterns.first()?.head()?;
    let words = match template.slot {
        // The colon behind a prefix may be a comma.
        Some(PrefixLayer::Abort) => head.split_last()?.1,
        None => head,
        _ => return None,
    };
    let own = template.slot.is_some() || bad_condition(template).is_some();
    let literal = Normalized::new(template.text).len();
    (own && words.len() >= LEAST_HEAD && (template.slot.is_some() || literal >= LEAST_WORDS))
        .then(|| Opening { words: words.to_vec(), template })
}

/// Returns the condition that is not as it should be when a template is its message.
fn bad_condition(template: &'static Template) -> Option<(&'static ConditionSpec, Speaker)> {
    let of_condition = matches!(template.kind, MessageKind::Condition | MessageKind::DocOnly);
    let mut bad = template
        .conditions
        .iter()
        .filter(|condition| condition.status != "True" && !condition.reason.ends_with("Succeeded"));
    let condition = bad.next().filter(|_| of_condition && !template.carrier)?;
    let speaker = if condition.placement {
        Speaker::Placement
    } else if condition.reason.starts_with("UpdateRun") {
        Speaker::Run
    } else if condition.reason.starts_with("ClusterResourcePlacementEviction") {
        Speaker::Eviction
    } else {
        return None;
    };
    Some((condition, speaker))
}

fn is_word_start(text: &Normalized, at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| text.bytes(before..at).first().copied());
    text.blank_before(at) || before.is_none_or(|byte| !byte.is_ascii_alphanumeric())
}

/// Reads the sentence that begins at a place.
///
/// The shortest complete one counts, unless the words behind it make it one of a longer template,
/// or go on with a list. An abort that nobody can take apart is one all the same.
fn read(text: &str, start: usize, opening: &'static Template) -> Option<Sentence> {
    let mut best: Option<(usize, Recognised)> = None;
    for end in ends(text, start) {
        let words = text.get(start..end)?;
        let recognised = recognise(words, &MessageContext::default());
        if !is_complete(&recognised, opening) || !is_balanced(words) {
            continue;
        }
        let longer = best.as_ref().is_none_or(|(known, before)| {
            let so_far = text.get(..*known).unwrap_or_default();
            let behind = text.get(*known..end).unwrap_or_default();
            let listing = so_far.ends_with(',') || behind.trim_start().starts_with(',');
            (listing && is_listed(behind)) || weight(&recognised) > weight(before)
        });
        if longer {
            best = Some((end, recognised));
        }
    }
    if best.is_none() && opening.slot.is_some() {
        let end = ends(text, start).last()?;
        best = Some((end, recognise(text.get(start..end)?, &MessageContext::default())));
    }
    let (end, recognised) = best?;
    let (condition, speaker, is_sure) = match opening.slot {
        Some(_) => {
            let (condition, is_sure) = abort_condition(&recognised)?;
            (condition, Speaker::Run, is_sure)
        }
        None => {
            let (condition, speaker) = recognised.templates().find_map(bad_condition)?;
            (condition, speaker, true)
        }
    };
    Some(Sentence { range: start..end, condition, is_sure, speaker, recognised })
}

/// Says whether a word behind a comma goes on with a list of clusters; `member2, which` does not.
fn is_listed(word: &str) -> bool {
    word.contains(|at: char| at.is_ascii_digit() || at == '-')
}

/// Returns where a sentence may end: behind each word, with and without the marks that follow it.
fn ends(text: &str, start: usize) -> impl Iterator<Item = usize> {
    let rest = text.get(start..).unwrap_or_default();
    let words = rest.split_whitespace().take(MOST_WORDS);
    words.flat_map(move |word| {
        let end = word.as_ptr() as usize - text.as_ptr() as usize + word.len();
        let is_mark = |char: char| MARKS.contains(&char) || !char.is_ascii();
        let marks = word.chars().rev().take_while(|char| is_mark(*char)).take(4);
        let mut stripped = vec![end];
        for mark in marks {
            stripped.push(stripped.last().map_or(end, |end| end - mark.len_utf8()));
        }
        stripped.into_iter().rev()
    })
}

/// Says whether every word of a sentence belongs to a known template.
fn is_complete(recognised: &Recognised, opening: &'static Template) -> bool {
    let known = !recognised.cut && !recognised.is_unknown() && !recognised.parts.is_empty();
    let own = match opening.slot {
        Some(_) => recognised.has_prefix(PrefixLayer::Abort),
        None => recognised.templates().any(|template| bad_condition(template).is_some()),
    };
    known && own
}

/// Says whether no bracket was left open: a value in brackets goes on behind a blank.
fn is_balanced(text: &str) -> bool {
    [['{', '}'], ['[', ']']]
        .iter()
        .all(|[open, close]| text.matches(*open).count() == text.matches(*close).count())
}

/// Returns how many words of templates a text has.
fn weight(recognised: &Recognised) -> usize {
    recognised.templates().map(|template| template.text.len()).sum()
}

/// Returns the condition that an abort is written to, and whether it is the only one with such words.
///
/// Most causes of the initialization are checked again later, and the text does not tell the two apart.
fn abort_condition(recognised: &Recognised) -> Option<(&'static ConditionSpec, bool)> {
    let of_run = |condition: &&'static ConditionSpec| {
        condition.reason.starts_with("UpdateRun") && condition.status == "False"
    };
    let mut own = recognised.templates().filter_map(|template| {
        let mut conditions = template.conditions.iter().filter(of_run);
        Some((conditions.next()?, conditions.next().is_none()))
    });
    let validating = recognised.has_prefix(PrefixLayer::Validate);
    let fallback = || {
        let wanted = if validating { "Initialized" } else { "Succeeded" };
        let all = templates().iter().flat_map(|template| template.conditions);
        let found = all.filter(of_run).find(|condition| condition.r#type == wanted)?;
        Some((found, !validating))
    };
    own.next().or_else(fallback)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, &'static str, Vec<&str>)> {
        let sentences = find_sentences(text);
        let read = sentences.iter().map(|sentence| {
            let words = text.get(sentence.range.clone()).unwrap_or_default();
            let names = sentence.recognised.parts.iter().flat_map(|part| &part.refs);
            let names = names
                .filter_map(|name| words.get(name.range.clone()))
                .map(|name| {
                    let start = name.as_ptr() as usize - text.as_ptr() as usize;
                    text.get(start..start + name.len()).unwrap_or_default()
                })
                .collect();
            let start = sentence.range.start;
            (
                text.get(start..sentence.range.end).unwrap_or_default(),
                sentence.condition.r#type,
                names,
            )
        });
        read.collect()
    }

    #[test]
    fn a_sentence_ends_where_its_template_does() {
        let cases = [
            (
                "it says \u{201e}Cannot continue the updateRun: the cluster count initialized in the updateRun is outdated, latest: 1, recorded: 2\u{201c}. Why?",
                "Succeeded",
                vec!["1", "2"],
            ),
            (
                "cannot continue the updateRun: failed to validate the updateRun:\nfailed to process the request due to a client error: some\nclusters are not placed in any stage, total 2, showing up to 10:\nmember2, member3 and that is odd",
                "Initialized",
                vec!["2", "member2", "member3"],
            ),
            (
                "Progressing: False, The updateRun is stuck waiting for cluster member2 in stage staging to finish updating, please check crp status for potential errors :(",
                "Progressing",
                vec!["member2", "staging"],
            ),
            (
                "cannot continue the updateRun: failed to initialize the updateRun: no latest policy snapshot found for placement /gift-cards.",
                "Initialized",
                vec!["gift-cards"],
            ),
            (
                "(The rollout is being blocked by the rollout strategy in 3 cluster(s))",
                "RolloutStarted",
                vec!["3"],
            ),
        ];
        for (text, condition, names) in cases {
            let found = found(text);
            let [(_, ty, has)] = found.as_slice() else { panic!("{text}: {found:?}") };
            assert_eq!((*ty, has), (condition, &names), "{text}");
        }
    }

    #[test]
    fn an_abort_that_nobody_knows_is_still_one() {
        let text = "cannot continue the updateRun: the moon is in the wrong house";
        assert_eq!(found(text), [(text, "Succeeded", vec![])]);
    }

    #[test]
    fn prose_about_runs_is_no_sentence() {
        let prose = [
            "The updateRun is stuck, please help",
            "we cannot continue the rollout",
            "The update run has been stopped by Ann",
            "All stages are completed successfully",
            "",
        ];
        for text in prose {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn editors_are_undone() {
        let text = "can\u{2019}t continue the updateRun: parent placement doesn\u{2019}t have an external rollout strategy, current strategy: RollingUpdate";
        let found = found(text);
        assert_eq!(found.first().map(|(_, _, names)| names.clone()), Some(vec!["RollingUpdate"]));
    }
}
