//! The one integration binary: a module per topic.

#![expect(clippy::disallowed_methods, reason = "tests read their own testdata and environment")]

mod bless;
mod manifest_cases;
mod messages;
mod registry;
mod rule_cases;
mod stories;
mod verdicts;
mod yaml_json;
