//! Log retention: which records are kept, counted or skipped, decided by the header of each.
//!
//! Owns the rule of what is kept: lines that the catalogue knows and that say more than "I live", and
//! unknown ones, which are few. Objects of the bundle are not known yet at this point: the graph finds out what
//! an unknown line mentions, and drops it if it says nothing.
//! Invariant: pure, since a record may be asked about twice. What is remembered between two records changes no answer.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::hash::Hasher as _;
use std::sync::LazyLock;

use fnv::FnvHasher;
use foldhash::fast::FixedState;
use smol_str::SmolStr;

use crate::grammar::message::{
    LogTemplate, MessageContext, MessageKind, key_roles, log_template, recognise,
};
use crate::syntax::log::{
    DecisionScope, GroupId, LogFormat, ObjectName, RecordDecision, RecordHead, RecordLevel,
    Retention,
};

/// The logger by which the controller library repeats the Kubernetes events that it sends.
const EVENTS: &str = "events";

/// How many statements are remembered; agents have some hundreds that they reach.
const MAX_STATEMENTS: usize = 4096;

/// A statement of a program that writes a line, which always says the same.
#[derive(Clone, Copy)]
struct Statement {
    template: Option<&'static LogTemplate>,
    /// The number of its lines where no object is asked for.
    group: GroupId,
    /// The number of unknown lines that say nothing of interest, by source file.
    by_file: GroupId,
}

thread_local! {
    /// The statements that this thread has met, by file, line and message as they are written.
    static STATEMENTS: RefCell<HashMap<SmolStr, Statement, FixedState>> = RefCell::default();
}

/// Decides what becomes of a record.
pub fn decide_retention(head: &RecordHead<'_>) -> RecordDecision {
    let statement = statement(head);
    let name = match head.form() {
        LogFormat::Klog => find_name_in_pairs(head.rest()),
        _ => None,
    };
    let is_attached = match head.form() {
        LogFormat::Klog => name.is_some(),
        _ => head.raw_pairs().any(|(key, value)| is_object(key) && is_named(value.as_bytes())),
    };
    let Some(template) = statement.template else {
        let complains = matches!(
            head.level(),
            Some(RecordLevel::Error | RecordLevel::Fatal | RecordLevel::Warning)
        );
        // The others can at most mention an object; in the log of a stranger they are all there is, so that only
        // a few of each source file are kept.
        let group = if complains || is_attached { statement.group } else { statement.by_file };
        let is_understood = head.logger() == EVENTS && is_event(&head.message());
        let scope = scope(head, name, None);
        return RecordDecision {
            interest: Retention::Keep(group),
            is_understood,
            is_attached,
            scope,
        };
    };
    let object = template.per.and_then(|key| head.object(key));
    let group = object.map_or(statement.group, |object| group_about(template.id, &object));
    let interest = if template.routine { Retention::Count(group) } else { Retention::Keep(group) };
    let is_attached = is_attached || template.names_object_in_text();
    RecordDecision {
        interest,
        is_understood: true,
        is_attached,
        scope: scope(head, name, template.per),
    }
}

/// Tells up to where a record decided, given where its pairs first name an object, and the key by whose object it is counted.
///
/// Level, caller, message and pairs decide, and nothing else of a line.
fn scope(head: &RecordHead<'_>, name: Option<usize>, per: Option<&str>) -> DecisionScope {
    let Some(name) = name else { return DecisionScope::Line };
    let rest = head.line().len() - head.rest().len();
    // A name begins behind its quote, and behind the slash of an object of cluster scope.
    let begin = match head.rest().as_bytes().get(name..) {
        Some([b'"', b'/', letter, ..]) if letter.is_ascii_alphanumeric() => name + 2,
        Some([b'"', letter, ..]) if letter.is_ascii_alphanumeric() => name + 1,
        _ => return DecisionScope::Line,
    };
    let counted = per.map(|key| head.end_of_quoted_value(key));
    match counted {
        Some(None) => DecisionScope::Line,
        Some(Some(end)) if end > rest + begin => DecisionScope::Beginning(end),
        _ => DecisionScope::NameAt(rest + begin),
    }
}

/// Finds what wrote a record, in the catalogue only where this is the first record of it.
fn statement(head: &RecordHead<'_>) -> Statement {
    let Some(words) = head.caller_and_message() else { return look_up(head) };
    STATEMENTS.with_borrow_mut(|known| {
        if let Some(statement) = known.get(words) {
            return *statement;
        }
        let statement = look_up(head);
        // Text with values in it is seldom the same twice, unless the catalogue knows it; then finding it is slow.
        if !head.is_structured() && statement.template.is_none() {
            return statement;
        }
        if known.len() >= MAX_STATEMENTS {
            known.clear();
        }
        known.insert(words.into(), statement);
        statement
    })
}

fn look_up(head: &RecordHead<'_>) -> Statement {
    let message = head.message();
    let template = log_template(head.file(), &message);
    let group = group_of(template.map_or(&message, |template| template.id));
    Statement { template, group, by_file: group_of(head.file()) }
}

fn is_event(message: &str) -> bool {
    let recognised = recognise(message, &MessageContext::default());
    recognised.templates().any(|template| template.kind == MessageKind::Event)
}

/// Numbers the lines of a template that are about one object.
pub fn group_about(id: &str, object: &ObjectName) -> GroupId {
    number_of(&[id, " ", &object.namespace, "/", &object.name])
}

/// Longer keys name no object; it bounds the way back from a value.
const MAX_KEY: usize = 64;

/// A structure that names an object does so within this many bytes.
const MAX_STRUCTURE: usize = 1024;

/// Finds the first value of klog's pairs that names an object, without reading them one by one: every line of a log
/// may be asked.
///
/// Inside of a value the quote after a key would be escaped, so that each `key="` is a pair.
fn find_name_in_pairs(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let names = |at: &usize| {
        let value = bytes.get(*at..).unwrap_or_default();
        let end = at - 1;
        let before = bytes.get(end.saturating_sub(MAX_KEY)..end).unwrap_or_default();
        let key = memchr::memrchr(b' ', before)
            .and_then(|blank| rest.get(end - before.len() + blank + 1..end));
        matches!(value.first(), Some(b'"' | b'{' | b'['))
            && key.is_some_and(is_object)
            && is_named(value)
    };
    memchr::memchr_iter(b'=', bytes).map(|equals| equals + 1).find(names)
}

/// The keys whose values name objects: every line is asked for one.
static OBJECT_KEYS: LazyLock<HashSet<&str, FixedState>> = LazyLock::new(|| {
    key_roles().filter(|(_, role)| role.is_object()).map(|(key, _)| key).collect()
});

fn is_object(key: &str) -> bool {
    OBJECT_KEYS.contains(key)
}

/// Says whether a value, or a text that begins with one, names an object.
///
/// A nil object is written as an empty name; an object may be a structure.
fn is_named(value: &[u8]) -> bool {
    const NOTHING: [&[u8]; 4] = [b"\"\"", b"\"/\"", b"null", b"[]"];
    if value.first() != Some(&b'{') {
        return !NOTHING.iter().any(|nothing| value.starts_with(nothing));
    }
    let value = value.get(..MAX_STRUCTURE).unwrap_or(value);
    let value = value.split(|byte| *byte == b'}').next().unwrap_or_default();
    memchr::memmem::find_iter(value, b"\"name\":").any(|at| {
        let name = value.get(at + b"\"name\":".len()..).unwrap_or_default();
        !name.trim_ascii_start().starts_with(b"\"\"")
    })
}

/// Numbers a text (FNV-1a, 64 bits), so that equal lines are counted together.
pub fn group_of(text: &str) -> GroupId {
    number_of(&[text])
}

fn number_of(parts: &[&str]) -> GroupId {
    let mut hasher = FnvHasher::default();
    parts.iter().for_each(|part| hasher.write(part.as_bytes()));
    GroupId(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nil_object_is_not_named() {
        for named in
            [r#" updateRun="web-7""#, r#" binding={"name":"web-1"}"#, r#" x="" updateRun="web-7""#]
        {
            assert!(find_name_in_pairs(named).is_some(), "{named}");
        }
        for nobody in
            [r#" updateRun="""#, r#" binding={"name":""}"#, r#" cause="web-7""#, " updateRun=web-7"]
        {
            assert!(find_name_in_pairs(nobody).is_none(), "{nobody}");
        }
    }
}
