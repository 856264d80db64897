//! Words without which a text has no part that belongs to a Secret.

/// The words, of three bytes at least. None goes over a line, so that the lines are the same wherever it is found.
pub(super) const SIGNS: [&str; 19] = [
    "Secret",
    "PASS",
    "assword",
    "--token",
    "_AUTH",
    "CONNECTION_STRING",
    "SECRET",
    "TOKEN",
    "_KEY",
    "_PWD",
    "CREDENTIAL",
    // With what a configuration that was applied before is kept, in YAML and in JSON.
    "last-applied",
    "PRIVATE KEY",
    // What stands in the path of an environment variable.
    "/env/",
    "data:",
    "Data:",
    "data\"",
    "Data\"",
    "data'",
];
