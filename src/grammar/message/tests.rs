//! The catalogue judged as a whole: it is read, it is consistent, and each template knows its own
//! texts and leaves those of the others alone.

use std::collections::BTreeSet;

use super::fingerprint::{Fingerprint, REACH};
use super::index::candidates;
use super::normalized::Normalized;
use super::pattern::MatchMode;
use super::reason::find_reason;
use super::*;

/// What stands in a hole of an example.
fn sample(notation: &str) -> &'static str {
    let role = notation.split([':', '?']).next().unwrap();
    match role {
        "cluster" => "member-1",
        "clusters" => "member-1, member-2, member-3...",
        "works" => "web-work, api-work",
        "containers" => "web sidecar",
        "stage" => "canary",
        "run" => "my-ns/web-rollout",
        "placement" => "/web-placement",
        "binding" => "web-placement-member-1-43991b15",
        "snapshot" => "web-placement-1-snapshot",
        "policy-snapshot" => "my-ns/web-placement-0",
        "index" | "count" | "snapshot-index" => "3",
        "number" => "-5.61",
        "field" => "spec.template.spec.containers[0].image",
        "kind" => "Deployment.apps",
        "resource" => "deployments.apps",
        "error" => "quite another matter",
        "object" => "ConfigMap \"web\" in namespace \"my-ns\"",
        "text" | "time" => "&{Always 0x17c0e78ec1f8 <nil>}",
        _ => "some-name",
    }
}

/// Fills the holes of a template; of alternatives the given one is taken, if there are so many.
fn fill(text: &str, alternative: usize) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, after) = rest.split_at(at);
        filled.push_str(before);
        if after.starts_with("{{") || after.starts_with("}}") {
            filled.push_str(&after[..1]);
            rest = &after[2..];
            continue;
        }
        let (inside, tail) = after[1..].split_once('}').unwrap();
        if inside.contains('|') {
            let all: Vec<&str> = inside.split('|').collect();
            filled.push_str(all.get(alternative).or(all.last()).unwrap());
        } else {
            filled.push_str(sample(inside));
        }
        rest = tail;
    }
    filled + rest
}

fn examples(template: &Template) -> Vec<String> {
    let mut examples: Vec<String> = (0..6).map(|one| fill(template.text, one)).collect();
    examples.dedup();
    examples
}

fn hint(template: &Template) -> MessageContext<'_> {
    let condition = template.conditions.first();
    MessageContext {
        condition_type: condition.map(|condition| condition.r#type),
        reason: condition.map(|condition| condition.reason),
        kind: None,
    }
}

#[test]
fn names_are_unique_and_point_at_something() {
    let mut ids = BTreeSet::new();
    for template in templates() {
        for id in std::iter::once(&template.name).chain(template.aka) {
            assert!(ids.insert(*id), "{id} is there twice");
        }
    }
    let mut ids = BTreeSet::new();
    assert!(log_templates().iter().all(|line| ids.insert(line.id)));
    for line in log_templates() {
        assert!(line.successor.iter().all(|other| ids.contains(other)), "{}", line.id);
    }
}

#[test]
fn the_catalogue_has_not_lost_anything() {
    assert!(templates().len() >= 560, "{}", templates().len());
    assert!(log_templates().len() >= 790, "{}", log_templates().len());
    assert!(reasons().len() >= 150, "{}", reasons().len());
    assert_eq!(key_role("clusterStagedUpdateRun"), Some(HoleRole::Run));
}

#[test]
fn every_condition_of_a_template_has_its_reason_in_the_table() {
    for condition in templates().iter().flat_map(|template| template.conditions) {
        let hint = MessageContext {
            condition_type: Some(condition.r#type),
            reason: Some(condition.reason),
            kind: None,
        };
        let known = condition.reason == "*" || find_reason(&hint).is_some();
        assert!(known, "{}={}/{}", condition.r#type, condition.status, condition.reason);
    }
}

#[test]
fn every_template_is_recognised_by_its_examples() {
    for template in
        templates().iter().filter(|template| template.slot.is_none() && !template.carrier)
    {
        for example in examples(template) {
            for hint in [hint(template), MessageContext::default()] {
                if template.text.is_empty() && hint.reason.is_none() {
                    continue;
                }
                let found = recognise(&example, &hint);
                let first = found.parts.first().and_then(|part| part.template);
                assert_eq!(first.map(|one| one.id), Some(template.id), "{example}");
                assert!(!found.cut, "{example}");
            }
        }
    }
}

#[test]
fn every_carrier_is_found_by_its_reason() {
    for template in templates().iter().filter(|template| template.carrier) {
        let found = recognise("quite another matter", &hint(template));
        assert_eq!(found.carrier.map(|one| one.id), Some(template.id));
    }
}

#[test]
fn no_template_takes_the_examples_of_another() {
    let mut faults = Vec::new();
    let ordinary = || templates().iter().filter(|one| one.slot.is_none() && !one.carrier);
    for template in ordinary() {
        for example in examples(template) {
            let text = Normalized::new(&example);
            let takes = |other: &&Template| {
                other
                    .patterns
                    .iter()
                    .any(|one| one.find(&text, 0..text.len(), MatchMode::Whole).is_some())
            };
            for other in ordinary().filter(|other| other.id != template.id).filter(takes) {
                let listed =
                    template.overlaps.contains(&other.id) || other.overlaps.contains(&template.id);
                if !listed {
                    faults.push(format!("{} takes {}: {example}", other.name, template.name));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_template_that_fits_is_left_out_of_the_candidates() {
    for template in templates().iter().step_by(7) {
        let example = fill(template.text, 0);
        for length in [example.len(), example.len() * 3 / 4, example.len() / 2] {
            let Some(text) = example.get(..length).map(Normalized::new) else { continue };
            let bytes = text.bytes(0..text.len());
            for fit in [MatchMode::Whole, MatchMode::Cut] {
                let fingerprint = Fingerprint::of(bytes);
                let found: Vec<_> = candidates(bytes, &fingerprint, fit)
                    .map(|one| (one.template.id, one.at.pattern))
                    .collect();
                let ordinary = templates().iter().filter(|one| one.slot.is_none());
                for other in ordinary {
                    for (number, pattern) in (0..).zip(other.patterns) {
                        let literal = pattern.find(&text, 0..text.len(), fit).map(|it| it.literal);
                        let enough = fit == MatchMode::Whole || literal >= Some(REACH);
                        if literal.is_some() && enough {
                            assert!(
                                found.contains(&(other.id, number)),
                                "{} {example}",
                                other.name
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_overlap_is_real() {
    for template in templates() {
        for other in template.overlaps.iter().filter_map(|id| id.template()) {
            let real = examples(template).iter().chain(&examples(other)).any(|example| {
                let text = Normalized::new(example);
                [template, other].into_iter().all(|one| {
                    one.patterns
                        .iter()
                        .any(|one| one.find(&text, 0..text.len(), MatchMode::Whole).is_some())
                })
            });
            assert!(real, "{} does not overlap {}", template.name, other.name);
        }
    }
}

#[test]
fn every_log_line_is_found_by_its_text() {
    for line in log_templates() {
        let text = fill(line.text, 0);
        let found = log_template(&format!("{}:12", line.file), &text);
        assert_eq!(found.map(|one| &one.id), Some(&line.id), "{} {text}", line.file);
        let name = line.file.rsplit('/').next().unwrap();
        assert!(log_template(name, &text).is_some(), "{name} {text}");
    }
}
