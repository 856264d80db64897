//! Catches the panic of a rule: it becomes a finding, and the other rules run on.
//!
//! Owns catching a panic and turning it into a finding. The mark it leaves on the thread keeps the
//! panic hook of the command line quiet meanwhile.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::finding::Finding;
use crate::rule::Rule;
use crate::rules::input::broken_rule::BROKEN_RULE;
use crate::source::Sources;

thread_local! {
    static JUDGING: Cell<bool> = const { Cell::new(false) };
}

/// Says whether this thread is inside a rule, whose panic is caught and reported.
pub fn is_judging() -> bool {
    JUDGING.get()
}

/// Runs a rule, and returns the message of its panic if it panics.
pub(crate) fn guarded<T>(judge: impl FnOnce() -> T) -> Result<T, String> {
    JUDGING.set(true);
    let judged = catch_unwind(AssertUnwindSafe(judge));
    JUDGING.set(false);
    judged.map_err(|cause| {
        let text = cause.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| cause.downcast_ref::<String>().cloned());
        text.unwrap_or_else(|| "no message".to_owned())
    })
}

/// Makes the finding about a rule that panicked; `None` without an input that it could point at.
pub(crate) fn broken_rule(rule: &Rule, panic: &str, sources: &Sources) -> Option<Finding> {
    let source = sources.iter().next()?;
    let finding = BROKEN_RULE.at(source.span().start(), "something in this input").of_loss();
    Some(finding.message(format!(
        "Rule {} {} broke down on this input ({panic}). Its verdict is missing.",
        rule.code, rule.name,
    )))
}
