//! The one integration binary: a module per topic.

#![expect(clippy::disallowed_methods, reason = "tests read their own testdata and environment")]

mod bless;
mod chains;
mod describe;
mod grammar;
mod input;
mod manifest_cases;
mod logs;
mod message_ids;
mod messages;
mod paste;
mod registry;
mod rule_cases;
mod stories;
mod tidy;
mod timeline;
mod tree;
mod verdicts;
mod yaml_json;
