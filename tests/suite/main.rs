//! The one integration binary: a module per topic.

#![expect(clippy::disallowed_methods, reason = "tests read their own testdata and environment")]

mod any_bytes;
mod bless;
mod chains;
mod checking;
mod commands;
mod config;
mod cuts;
mod describe;
mod failures;
mod fixes;
mod grammar;
mod hostile_output;
mod input;
mod judged;
mod library;
mod links;
mod logs;
mod machine_formats;
mod manifest_cases;
mod manners;
mod messages;
mod more_evidence;
mod packaging;
mod paste;
mod plan;
mod proportion;
mod redaction;
mod registry;
mod rule_cases;
mod samples;
mod schema;
mod secrets;
mod stories;
mod supply;
mod ticket_formats;
mod ticket_pastes;
mod tidy;
mod timeline;
mod tree;
mod verdict;
mod verdicts;
mod yaml_json;
