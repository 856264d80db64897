//! Of each kind of finding about an object only the first are listed: a generated file can have any number of them.

use std::collections::HashMap;

use crate::finding::Finding;
use crate::manifest::{MOST_LISTED, Repository};
use crate::source::Span;

/// Drops what is too much, and says behind the last that is kept how many more there are.
pub(super) fn list_first(findings: &mut Vec<Finding>, repository: &Repository) {
    let mut told: HashMap<(&str, Option<Span>), usize> = HashMap::new();
    let mut left_out = Vec::new();
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings.drain(..) {
        let about = (finding.code, repository.span_at(finding.primary.span));
        let count = told.entry(about).or_default();
        *count += 1;
        if *count > MOST_LISTED && about.1.is_some() {
            continue;
        }
        if *count == MOST_LISTED {
            left_out.push((kept.len(), about));
        }
        kept.push(finding);
    }
    for (at, about) in left_out {
        let more = told.get(&about).map_or(0, |count| count - MOST_LISTED);
        if let Some(last) = kept.get_mut(at).filter(|_| more > 0) {
            last.message +=
                &format!("; {more} more faults of this kind in the object are not listed");
        }
    }
    *findings = kept;
}
