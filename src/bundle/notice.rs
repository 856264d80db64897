//! What becomes of a log record, decided by its head while the log streams by.
//!
//! Owns the rule of what is kept: lines that the catalogue knows and that say more than "I live", and
//! unknown ones, which are few. Objects of the bundle are not known yet at this point: the graph finds out what
//! an unknown line mentions, and drops it if it says nothing.
//! Invariant: pure, since a record may be asked about twice.

use memchr::memmem::Finder;

use crate::grammar::message::{LogTemplate, key_role, log_template};
use crate::syntax::log::{Form, Interest, Level, Notice, RecordHead, Template};

/// Decides what becomes of a record.
pub fn notice(head: &RecordHead<'_>) -> Notice {
    let message = head.message();
    let Some(template) = log_template(head.file(), &message) else {
        let is_attached = head.raw_pairs().any(|(key, value)| names_object(key, value));
        let complains = matches!(head.level(), Some(Level::Error | Level::Fatal | Level::Warning));
        // The others can at most mention an object; in the log of a stranger they are all there is, so that only
        // a few of each source file are kept.
        let group = if complains || is_attached { &message } else { head.file() };
        let group = group_of(group);
        return Notice { interest: Interest::Keep(group), is_understood: false, is_attached };
    };
    let group = group_of(&template.id);
    let interest = if template.routine { Interest::Count(group) } else { Interest::Keep(group) };
    Notice { interest, is_understood: true, is_attached: is_attached(template, head) }
}

/// Says whether a known line names an object, in a pair or inside its text.
///
/// Nearly every line does so under a key that the catalogue lists, which is found without reading the pairs: inside
/// of a value the quote after the key would be escaped.
fn is_attached(template: &'static LogTemplate, head: &RecordHead<'_>) -> bool {
    let rest = head.rest();
    let is_pair = |mark: &Finder<'_>| {
        let value = mark.find(rest.as_bytes()).and_then(|at| rest.get(at + mark.needle().len()..));
        value.is_some_and(|value| !value.starts_with('"') && !value.starts_with("/\""))
    };
    template.names_object_in_text()
        || (head.form() == Form::Klog && template.object_marks().iter().any(is_pair))
        || head.raw_pairs().any(|(key, value)| names_object(key, value))
}

/// Says whether a pair names an object; a nil object is written as an empty name, an object may be a structure.
fn names_object(key: &str, value: &str) -> bool {
    const NOTHING: [&str; 4] = ["\"\"", "\"/\"", "null", "[]"];
    let has_name = || {
        let mut names = value.split("\"name\":").skip(1);
        names.any(|rest| !rest.trim_start().starts_with("\"\""))
    };
    key_role(key).is_some_and(|role| role.is_object())
        && !NOTHING.contains(&value)
        && (!value.starts_with('{') || has_name())
}

/// Numbers a text (FNV-1a, 64 bits), so that equal lines are counted together.
pub fn group_of(text: &str) -> Template {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    Template(text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}
