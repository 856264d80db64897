//! Captures with holes: a file, or an object out of a list, that was not sent.
//!
//! What is not there may cost a diagnosis. It never makes one: no error that the whole capture does not give.

use std::collections::BTreeSet;

use serde_yaml::Value;

use super::{STORIES, Story};
use crate::bless::report;

/// Of each list, every so many-th object is lost once, and every so many-th file as a whole.
const STEP: usize = 7;

/// The area of rules that speak for an object by what the agents logged of it, where it was not sent.
const BY_LOGS: &str = "FL09";

#[test]
fn a_hole_accuses_of_nothing_new() {
    let mut troubles = Vec::new();
    for story in &*STORIES {
        for (index, rest) in holes(story) {
            let mut new = story.new_accusations(index, rest.as_deref());
            new.retain(|code| !code.starts_with(BY_LOGS));
            if !new.is_empty() {
                let file = &story.files[index];
                let lost = rest.map_or("all of it".to_owned(), |rest| missing(&file.text, &rest));
                troubles.push(format!("{}/{} without {lost}: {new:?}", story.name, file.path));
            }
        }
    }
    report(troubles);
}

/// Returns each file of a story, by its place, with what is left of it: nothing, or a list that lacks one object.
fn holes(story: &Story) -> Vec<(usize, Option<String>)> {
    let mut holes = Vec::new();
    for (index, file) in story.files.iter().enumerate() {
        let is_list = file.path.ends_with(".yaml") || file.path.ends_with(".json");
        let list: Option<Value> = serde_yaml::from_str(&file.text).ok().filter(|_| is_list);
        let items = list.as_ref().and_then(|list| list.get("items")?.as_sequence());
        let count = items.map_or(0, Vec::len);
        for lost in (index % STEP..count).step_by(STEP).filter(|_| count > 1) {
            let mut list = list.clone().unwrap_or_default();
            if let Some(items) = list.get_mut("items").and_then(Value::as_sequence_mut) {
                items.remove(lost);
            }
            holes.push((index, serde_yaml::to_string(&list).ok()));
        }
        if index % STEP == 0 {
            holes.push((index, None));
        }
    }
    holes
}

/// Names the object that a list lacks.
fn missing(whole: &str, rest: &str) -> String {
    let names = |text: &str| -> BTreeSet<String> {
        let list: Value = serde_yaml::from_str(text).unwrap_or_default();
        let items = list.get("items").and_then(Value::as_sequence).cloned().unwrap_or_default();
        let name = |item: &Value| {
            Some(format!(
                "{} {}",
                item.get("kind")?.as_str()?,
                item.get("metadata")?.get("name")?.as_str()?
            ))
        };
        items.iter().filter_map(name).collect()
    };
    names(whole).difference(&names(rest)).cloned().collect::<Vec<_>>().join(", ")
}
