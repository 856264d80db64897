//! Two bundles compared: for people, as Markdown, as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::json::{input_json, object_json};
use super::markdown::{cell, code, prose as escaped};
use super::prose::{count, wrap};
use super::snippet::{clean, json_text, masked};
use super::ticket::{catalogue, sentence};
use crate::engine::compare::{CauseLine, Comparison, StandingChange};
use crate::input::InputDigest;

/// The name of the JSON format.
const SCHEMA: &str = "fleetlens/diff/1";

/// Renders a comparison for a terminal.
pub fn human(comparison: &Comparison, width: usize) -> String {
    let mut out = String::new();
    if comparison.moved.is_empty() {
        out.push_str("No run and no placement has moved.\n");
    }
    for change in &comparison.moved {
        wrap(&mut out, "", "    ", &line(change), width);
    }
    if comparison.unmoved > 0 {
        let _ = writeln!(out, "{} as before.", count(comparison.unmoved, "run or placement"));
    }
    for (title, causes) in parts(comparison) {
        if !causes.is_empty() {
            let _ = writeln!(out, "\n{title}");
            for cause in causes {
                let text = format!("{} {}", cause.code, sentence(&masked(&cause.message)));
                wrap(&mut out, "  ", "         ", &text, width);
            }
        }
    }
    out
}

/// Renders a comparison as Markdown.
pub fn markdown(comparison: &Comparison, inputs: [&[InputDigest]; 2]) -> String {
    let mut out = String::new();
    if comparison.moved.is_empty() {
        out.push_str("No run and no placement has moved.\n\n");
    } else {
        out.push_str("| run or placement | before | now |\n|---|---|---|\n");
        for change in &comparison.moved {
            let side = |words: &Option<String>| match words {
                Some(words) => cell(&masked(words)),
                None => "not in the bundle".to_owned(),
            };
            let (before, after) = (side(&change.before), side(&change.after));
            let name = cell(&masked(&change.name));
            let _ = writeln!(out, "| {name} | {before} | {after}{} |", cell(&events(change)));
        }
        out.push('\n');
    }
    for (title, causes) in parts(comparison) {
        if !causes.is_empty() {
            let _ = writeln!(out, "**{title}**\n");
            for cause in causes {
                let text = escaped(&sentence(&masked(&cause.message)));
                let _ = writeln!(out, "- {}: {text}", cause.code);
            }
            out.push('\n');
        }
    }
    let mut made = vec![format!("fleetlens {}, {}", env!("CARGO_PKG_VERSION"), catalogue())];
    for (side, inputs) in SIDES.iter().zip(inputs) {
        let named = inputs
            .iter()
            .map(|input| format!("{side} {} sha256 {}", code(&clean(&input.name)), input.sha256));
        made.extend(named);
    }
    let _ = writeln!(out, "<sub>{}</sub>", made.join(" · "));
    out
}

/// What the two bundles are called.
const SIDES: [&str; 2] = ["before", "now"];

/// Renders a comparison as JSON.
pub fn json(comparison: &Comparison, inputs: [&[InputDigest]; 2]) -> String {
    let causes = |told: &[CauseLine]| -> Vec<Value> {
        told.iter()
            .map(|it| json!({ "id": it.id, "code": it.code, "message": masked(&it.message) }))
            .collect()
    };
    let moved: Vec<Value> = comparison
        .moved
        .iter()
        .map(|change| {
            json!({
                "object": object_json(Some(&change.object)),
                "before": change.before.as_deref().map(masked),
                "after": change.after.as_deref().map(masked),
                "gate_opened": change.opened.as_deref().map(masked),
                "clusters_finished": change.finished,
            })
        })
        .collect();
    json_text(&json!({
        "schema": SCHEMA,
        "moved": moved,
        "unmoved": comparison.unmoved,
        "gone": causes(&comparison.gone),
        "new": causes(&comparison.new),
        "still": causes(&comparison.still),
        "unknown": causes(&comparison.unknown),
        "provenance": {
            "version": env!("CARGO_PKG_VERSION"),
            "catalogue": crate::grammar::digest(),
            SIDES[0]: inputs[0].iter().map(input_json).collect::<Vec<_>>(),
            SIDES[1]: inputs[1].iter().map(input_json).collect::<Vec<_>>(),
        },
    }))
}

fn parts(comparison: &Comparison) -> [(&'static str, &[CauseLine]); 4] {
    [
        ("New causes", &comparison.new),
        ("Still there", &comparison.still),
        ("Gone", &comparison.gone),
        ("Not to be told: the newer bundle lacks these objects", &comparison.unknown),
    ]
}

fn line(change: &StandingChange) -> String {
    let name = masked(&change.name);
    let text = match (&change.before, &change.after) {
        (Some(before), Some(after)) => format!("{name}: {} → {}", masked(before), masked(after)),
        (None, Some(after)) => format!("{name}: only in the newer bundle, {}", masked(after)),
        (Some(before), None) => format!("{name}: only in the older bundle, {}", masked(before)),
        (None, None) => name,
    };
    text + &events(change)
}

/// Says what happened in between, in parentheses; empty where nothing is known of it.
fn events(change: &StandingChange) -> String {
    let opened = change.opened.as_ref().map(|gate| format!("gate {} opened", masked(gate)));
    let finished = change.finished.map(|number| format!("{} finished", count(number, "cluster")));
    let told: Vec<String> = opened.into_iter().chain(finished).collect();
    if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
}
