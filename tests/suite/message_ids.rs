//! Rules ask for messages by the names of templates: each name must be in the catalogue.

use fleetlens::grammar::message::find_template;
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
