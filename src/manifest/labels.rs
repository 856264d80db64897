//! Label selectors in manifests: reading them, finding them, and what is wrong with their texts.

use super::{At, Place};
use crate::kube::names::{key_trouble, value_trouble};
use crate::kube::selector::{Operator, Requirement, Selector};

/// Reads a selector; `None` if it cannot be evaluated, which the API server or a controller says by itself.
pub fn read_selector<'m>(at: &At<'m>) -> Option<Selector<'m>> {
    let mut selector = Selector::default();
    for (key, value) in at.get("matchLabels").map(|map| map.entries()).unwrap_or_default() {
        let values = vec![value.str()?];
        selector.requirements.push(Requirement { key, operator: Operator::In, values });
    }
    for term in at.list("matchExpressions") {
        selector.requirements.push(Requirement {
            key: term.text("key")?,
            operator: Operator::read(term.text("operator")?),
            values: term.list("values").iter().filter_map(At::str).collect(),
        });
    }
    Some(selector).filter(Selector::is_valid)
}

/// Returns all label selectors below a node.
pub fn selectors_in<'m>(at: &At<'m>) -> Vec<At<'m>> {
    let mut found = Vec::new();
    collect(at, &mut found);
    found
}

fn collect<'m>(at: &At<'m>, found: &mut Vec<At<'m>>) {
    for (key, value) in at.entries() {
        if key == "labelSelector" {
            found.push(value);
        } else {
            collect(&value, found);
        }
    }
    at.items().iter().for_each(|item| collect(item, found));
}

/// Returns the keys and values of a selector that cannot be label keys and values, and why.
pub fn syntax_troubles(selector: &At<'_>) -> Vec<(Place, String)> {
    let mut troubles = Vec::new();
    for (key, value) in selector.get("matchLabels").map(|map| map.entries()).unwrap_or_default() {
        if let Some(why) = key_trouble(key) {
            troubles.push((value.key_place(), format!("`{key}` is no label key: {why}")));
        }
        if let Some((text, why)) = value.str().and_then(|text| Some((text, value_trouble(text)?))) {
            troubles.push((value.place(), format!("`{text}` is no label value: {why}")));
        }
    }
    for term in selector.list("matchExpressions") {
        if let Some(key) = term.get("key")
            && let Some((text, why)) = key.str().and_then(|text| Some((text, key_trouble(text)?)))
        {
            troubles.push((key.place(), format!("`{text}` is no label key: {why}")));
        }
        for value in term.list("values") {
            if let Some((text, why)) =
                value.str().and_then(|text| Some((text, value_trouble(text)?)))
            {
                troubles.push((value.place(), format!("`{text}` is no label value: {why}")));
            }
        }
    }
    troubles
}
