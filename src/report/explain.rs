//! Explanations: the page of a rule, and what the catalogue knows of a reason, a condition type, a field or a message.

mod field;
mod meaning;
mod message;
mod rule_page;
mod sample;

use super::human::Look;
use crate::rules;

pub use field::near_field;
pub use message::conditions;
pub use sample::find_sample;

/// Returns the page of what is asked about; absent if nothing knows it.
pub fn page(about: &str, look: Look) -> Option<String> {
    let rule = rules::find_rule(about).map(|rule| rule_page::render(rule, look));
    rule.or_else(|| field::page(about, look)).or_else(|| message::page(about, look))
}

/// Returns the name that is nearest to what was typed, as a question.
pub fn did_you_mean<'n>(wanted: &str, there: impl Iterator<Item = &'n str>) -> String {
    let wanted = wanted.to_lowercase();
    let scored = there.map(|name| {
        let inside = name.contains(&wanted) || wanted.contains(name);
        let near = strsim::jaro_winkler(&wanted, &name.to_lowercase());
        (if inside { near.max(0.9) } else { near }, name)
    });
    let best = scored.max_by(|left, right| left.0.total_cmp(&right.0));
    match best.filter(|(near, _)| *near >= 0.8) {
        Some((_, name)) => format!("; did you mean {name}?"),
        None => String::new(),
    }
}
