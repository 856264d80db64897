//! Explanations: the page of a rule, and what the catalogue knows of a reason, a condition type, a field or a message.

mod field;
mod message;
mod rule_page;

use super::human::Look;
use crate::rules;

/// Returns the page of what is asked about; absent if nothing knows it.
pub fn page(about: &str, look: Look) -> Option<String> {
    let rule = rules::find_rule(about).map(|rule| rule_page::render(rule, look));
    rule.or_else(|| field::page(about)).or_else(|| message::page(about))
}
