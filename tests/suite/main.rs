//! The one integration binary: a module per topic.

#![expect(clippy::disallowed_methods, reason = "tests read their own testdata")]

mod yaml_json;
