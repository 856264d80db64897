//! Rules ask for messages by the names of templates: each name must be in the catalogue.

use fleetlens::grammar::message::{find_template, log_templates};
use walkdir::WalkDir;

use crate::bless::report;

#[test]
fn every_message_that_a_rule_asks_for_is_in_the_catalogue() {
    let name =
        regex::Regex::new(r#""((?:k8s|pod|manifest|binding|workload|work|old|go)\.[\w.\-]+)""#)
            .expect("a sound pattern");
    let mut troubles = Vec::new();
    for entry in WalkDir::new("src/rules").sort_by_file_name().into_iter().flatten() {
        let Ok(text) = std::fs::read_to_string(entry.path()) else { continue };
        for found in name.captures_iter(&text) {
            if find_template(&found[1]).is_none() {
                troubles.push(format!("{}: no message {}", entry.path().display(), &found[1]));
            }
        }
    }
    report(troubles);
}

/// The name of a log line stands for the variants whose names go on after it as well.
#[test]
fn every_log_line_that_is_asked_for_is_in_the_catalogue() {
    let name = regex::Regex::new(r#""(log-[a-z0-9-]+)""#).expect("a sound pattern");
    let mut troubles = Vec::new();
    for folder in ["src/rules", "src/graph", "src/engine"] {
        for entry in WalkDir::new(folder).sort_by_file_name().into_iter().flatten() {
            let Ok(text) = std::fs::read_to_string(entry.path()) else { continue };
            for found in name.captures_iter(&text) {
                if !log_templates().iter().any(|template| template.id.starts_with(&found[1])) {
                    let path = entry.path().display();
                    troubles.push(format!("{path}: no log line {}", &found[1]));
                }
            }
        }
    }
    report(troubles);
}
