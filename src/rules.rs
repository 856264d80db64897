//! The rules, one file each, in areas.
//!
//! The lists below are written by the registry test under `BLESS=1` from the files in `src/rules/`;
//! adding a rule means adding a file and a folder under `testdata/rules/`.

pub mod gates;
pub mod wording;

use crate::rule::Rule;

/// Every rule, by code.
#[rustfmt::skip]
pub static ALL: &[&Rule] = &[
    &gates::stale_approval::STALE_APPROVAL,
];

/// Finds a rule by its code or its name.
pub fn find_rule(text: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.code.eq_ignore_ascii_case(text) || rule.name == text)
}
