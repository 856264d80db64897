//! The rules, one file each, in areas.
//!
//! The lists below are written by the registry test under `BLESS=1` from the files in `src/rules/`;
//! adding a rule means adding a file and a folder under `testdata/rules/`.

pub mod chain;
pub mod delivery;
pub mod gates;
pub mod member;
pub mod wording;

use crate::rule::Rule;

/// Every rule, by code.
#[rustfmt::skip]
pub static ALL: &[&Rule] = &[
    &gates::stale_approval::STALE_APPROVAL,
    &delivery::quota_exceeded::QUOTA_EXCEEDED,
    &delivery::admission_denied::ADMISSION_DENIED,
    &delivery::webhook_unreachable::WEBHOOK_UNREACHABLE,
    &delivery::pod_security_violated::POD_SECURITY_VIOLATED,
    &delivery::namespace_missing::NAMESPACE_MISSING,
    &delivery::namespace_terminating::NAMESPACE_TERMINATING,
    &delivery::kind_not_served::KIND_NOT_SERVED,
    &delivery::immutable_field::IMMUTABLE_FIELD,
    &delivery::field_owned_elsewhere::FIELD_OWNED_ELSEWHERE,
    &delivery::agent_lacks_right::AGENT_LACKS_RIGHT,
];

/// Finds a rule by its code or its name.
pub fn find_rule(text: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.code.eq_ignore_ascii_case(text) || rule.name == text)
}
