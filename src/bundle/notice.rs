//! What becomes of a log record, decided by its head while the log streams by.
//!
//! Owns the rule of what is kept: lines that the catalogue knows and that say more than "I live", and
//! unknown ones, which are few. Objects of the bundle are not known yet at this point: the graph finds out what
//! an unknown line mentions, and drops it if it says nothing.
//! Invariant: pure, since a record may be asked about twice.

use std::hash::Hasher as _;

use fnv::FnvHasher;

use crate::grammar::message::{Hint, LogTemplate, MessageKind, key_role, log_template, recognise};
use crate::syntax::log::{Form, Interest, Level, Notice, ObjectName, RecordHead, Template};

/// The logger by which the controller library repeats the Kubernetes events that it sends.
const EVENTS: &str = "events";

/// Decides what becomes of a record.
pub fn notice(head: &RecordHead<'_>) -> Notice {
    let message = head.message();
    let is_attached = match head.form() {
        Form::Klog => names_object_in_pairs(head.rest()),
        _ => head.raw_pairs().any(|(key, value)| is_object(key) && is_named(value.as_bytes())),
    };
    let Some(template) = log_template(head.file(), &message) else {
        let complains = matches!(head.level(), Some(Level::Error | Level::Fatal | Level::Warning));
        // The others can at most mention an object; in the log of a stranger they are all there is, so that only
        // a few of each source file are kept.
        let group = if complains || is_attached { &message } else { head.file() };
        let interest = Interest::Keep(group_of(group));
        let is_understood = head.logger() == EVENTS && is_event(&message);
        return Notice { interest, is_understood, is_attached };
    };
    let group = group_of_line(template, head);
    let interest = if template.routine { Interest::Count(group) } else { Interest::Keep(group) };
    let is_attached = is_attached || template.names_object_in_text();
    Notice { interest, is_understood: true, is_attached }
}

fn is_event(message: &str) -> bool {
    let recognised = recognise(message, &Hint::default());
    recognised.templates().any(|template| template.kind == MessageKind::Event)
}

/// Numbers a known line: by what it says, and where the catalogue asks for it by the object as well.
fn group_of_line(template: &LogTemplate, head: &RecordHead<'_>) -> Template {
    let object = template.per.and_then(|key| head.object(key));
    object.map_or_else(|| group_of(template.id), |object| group_about(template.id, &object))
}

/// Numbers the lines of a template that are about one object.
pub fn group_about(id: &str, object: &ObjectName) -> Template {
    group_of(&format!("{id} {}/{}", object.namespace, object.name))
}

/// Longer keys name no object; it bounds the way back from a value.
const MAX_KEY: usize = 64;

/// A structure that names an object does so within this many bytes.
const MAX_STRUCTURE: usize = 1024;

/// Says whether klog's pairs name an object, without reading them one by one: every line of a log is asked.
///
/// Inside of a value the quote after a key would be escaped, so that each `key="` is a pair.
fn names_object_in_pairs(rest: &str) -> bool {
    let bytes = rest.as_bytes();
    memchr::memchr_iter(b'=', bytes).any(|at| {
        let value = bytes.get(at + 1..).unwrap_or_default();
        let before = bytes.get(at.saturating_sub(MAX_KEY)..at).unwrap_or_default();
        let key = memchr::memrchr(b' ', before)
            .and_then(|blank| rest.get(at - before.len() + blank + 1..at));
        matches!(value.first(), Some(b'"' | b'{' | b'['))
            && key.is_some_and(is_object)
            && is_named(value)
    })
}

fn is_object(key: &str) -> bool {
    key_role(key).is_some_and(|role| role.is_object())
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
pub fn group_of(text: &str) -> Template {
    let mut hasher = FnvHasher::default();
    hasher.write(text.as_bytes());
    Template(hasher.finish())
}
