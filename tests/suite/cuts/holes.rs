//! Captures with holes: a file, or an object out of a list, that was not sent.
//!
//! What is not there may cost a diagnosis. It never makes one: no error that the whole capture does not give.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_yaml::Value;

use super::{accusations, copy_without, files};
use crate::bless::{names_in, report};

/// Of each list, every so many-th object is lost once, and every so many-th file as a whole.
const STEP: usize = 7;

/// The area of rules that speak for an object by what the agents logged of it, where it was not sent.
const BY_LOGS: &str = "FL09";

#[test]
fn a_hole_accuses_of_nothing_new() {
    let mut troubles = Vec::new();
    for story in names_in("testdata/bundles") {
        let capture = Path::new("testdata/bundles").join(&story).join("capture");
        let whole = accusations(&capture);
        for (file, rest) in holes(&capture) {
            let copy = copy_without(&capture, &file, rest.as_deref());
            let new = accusations(copy.path());
            let new: BTreeSet<&String> =
                new.difference(&whole).filter(|code| !code.starts_with(BY_LOGS)).collect();
            if !new.is_empty() {
                let lost = rest.map_or("all of it".to_owned(), |rest| missing(&file, &rest));
                troubles.push(format!("{} without {lost}: {new:?}", file.display()));
            }
        }
    }
    report(troubles);
}

/// Returns each file of a capture with what is left of it: nothing, or a list that lacks one object.
fn holes(capture: &Path) -> Vec<(PathBuf, Option<String>)> {
    let mut holes = Vec::new();
    for (index, file) in files(capture).into_iter().enumerate() {
        let is_list = file.extension().is_some_and(|it| it == "yaml" || it == "json");
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let list: Option<Value> = serde_yaml::from_str(&text).ok().filter(|_| is_list);
        let items = list.as_ref().and_then(|list| list.get("items")?.as_sequence());
        let count = items.map_or(0, Vec::len);
        for lost in (index % STEP..count).step_by(STEP).filter(|_| count > 1) {
            let mut list = list.clone().unwrap_or_default();
            if let Some(items) = list.get_mut("items").and_then(Value::as_sequence_mut) {
                items.remove(lost);
            }
            holes.push((file.clone(), serde_yaml::to_string(&list).ok()));
        }
        if index % STEP == 0 {
            holes.push((file, None));
        }
    }
    holes
}

/// Names the object that a list lacks.
fn missing(file: &Path, rest: &str) -> String {
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
    let whole = names(&std::fs::read_to_string(file).unwrap_or_default());
    whole.difference(&names(rest)).cloned().collect::<Vec<_>>().join(", ")
}
