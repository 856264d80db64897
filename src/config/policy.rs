//! [`Policy`]: which findings the user does not want to see, or sees otherwise.
//!
//! Owns levels of rules and entries that ignore a rule for certain objects. It says what is wanted;
//! taking findings out is left to the engine, and what is wrong with an entry to the check.

use jiff::civil::Date;

use super::Pattern;
use crate::finding::Severity;
use crate::model::key::ObjectKey;
use crate::rule::Rule;
use crate::rules::find_rule;
use crate::source::Span;

/// What becomes of the findings of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// They are not shown.
    Off,
    /// They have this severity.
    At(Severity),
}

/// An entry that ignores a rule for certain objects.
#[derive(Clone, Debug)]
pub struct Ignore {
    /// Code or name of the rule, as written.
    pub rule: String,
    /// The place of that code or name in the file.
    pub span: Span,
    /// Kinds it holds for; all if absent.
    pub kind: Option<Pattern>,
    /// Namespaces it holds for; all if absent.
    pub namespace: Option<Pattern>,
    /// Names it holds for; all if absent.
    pub name: Option<Pattern>,
    /// The reason that the user gave.
    pub reason: String,
    /// The last day on which it holds, and where that stands.
    pub expires: Option<(Date, Span)>,
}

impl Ignore {
    /// Finds its rule.
    pub(crate) fn find_rule(&self) -> Option<&'static Rule> {
        find_rule(&self.rule)
    }

    /// Says whether it holds for an object.
    pub fn covers(&self, key: &ObjectKey) -> bool {
        let fits = |pattern: &Option<Pattern>, text: &str| {
            pattern.as_ref().is_none_or(|pattern| pattern.matches(text))
        };
        fits(&self.kind, &key.kind)
            && fits(&self.namespace, &key.namespace)
            && fits(&self.name, &key.name)
    }
}

/// What the user wants to see.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// Levels of rules, by code.
    pub levels: Vec<(&'static str, Level)>,
    /// Entries that ignore a rule for certain objects.
    pub ignores: Vec<Ignore>,
    /// Today, where it is known; without it nothing expires.
    pub today: Option<Date>,
}

impl Policy {
    /// Returns the level of a rule, if the user gave one.
    pub fn level(&self, code: &str) -> Option<Level> {
        self.levels.iter().find(|(known, _)| *known == code).map(|(_, level)| *level)
    }

    /// Says whether an entry is past its last day.
    pub fn is_expired(&self, ignore: &Ignore) -> bool {
        matches!((ignore.expires, self.today), (Some((last, _)), Some(today)) if today > last)
    }

    /// Finds the entry that ignores a rule for an object.
    pub fn find_ignore(&self, code: &str, key: &ObjectKey) -> Option<usize> {
        self.ignores.iter().position(|ignore| {
            ignore.find_rule().is_some_and(|rule| rule.code == code)
                && !self.is_expired(ignore)
                && ignore.covers(key)
        })
    }
}
