//! The timeline, as a table for people and as JSON for programs.
//!
//! People get one line per moment, repeated log lines folded with a count, and a line for each gap;
//! programs get every moment. All text of the bundle is cleaned on its way out.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::json::object_json;
use super::{clean, json_text};
use crate::engine::timeline::{Moment, Origin, Timeline};
use crate::grammar::kind::find_kind;
use crate::model::key::{HUB, ObjectKey};
use crate::model::time::show_duration;
use crate::source::Sources;

/// Nothing for longer than this is shown as a gap.
const GAP: SignedDuration = SignedDuration::from_mins(5);

/// What a line says is not clipped below this.
const SHORTEST: usize = 56;

/// A line of the table: a moment, and how often the same was said until when.
struct Row<'t> {
    moment: &'t Moment,
    count: usize,
    last: Timestamp,
}

/// Renders the table, `width` columns wide.
pub fn render(timeline: &Timeline, sources: &Sources, width: usize) -> String {
    let mut out = String::new();
    let mut day = String::new();
    for stretch in stretches(&timeline.moments) {
        if let Some(quiet) = stretch.quiet {
            let _ = writeln!(out, "              … {} without a trace …", show_duration(quiet));
        }
        for row in stretch.rows {
            let date = row.moment.time.strftime("%Y-%m-%d").to_string();
            if date != day {
                let _ = writeln!(out, "{date} (UTC)");
                day = date;
            }
            line(&mut out, &row, sources, width);
        }
    }
    if timeline.moments.is_empty() {
        out.push_str("nothing with a time in the input\n");
    }
    if timeline.undated > 0 {
        let lines = timeline.undated;
        let _ = writeln!(out, "{lines} log lines left out: nothing tells their year or zone");
    }
    out
}

/// What happened between two gaps, or between two moments that are no log lines.
struct Stretch<'t> {
    quiet: Option<SignedDuration>,
    rows: Vec<Row<'t>>,
}

/// Cuts the moments at gaps and at stamps, and folds what logs repeat in between.
///
/// Controllers write the same few lines in turn, so that equal lines are rarely neighbours.
fn stretches(moments: &[Moment]) -> Vec<Stretch<'_>> {
    let mut stretches: Vec<Stretch<'_>> = Vec::new();
    let mut known: BTreeMap<(Option<&ObjectKey>, &str), usize> = BTreeMap::new();
    let mut before: Option<&Moment> = None;
    for moment in moments {
        let quiet = before.map(|before| moment.time.duration_since(before.time));
        let quiet = quiet.filter(|quiet| *quiet > GAP);
        let stamp = moment.origin != Origin::Log;
        let cut = stamp || before.is_none_or(|before| before.origin != Origin::Log);
        if cut || quiet.is_some() {
            stretches.push(Stretch { quiet, rows: Vec::new() });
            known.clear();
        }
        before = Some(moment);
        let Some(stretch) = stretches.last_mut() else { continue };
        let said = (moment.object.as_ref(), moment.what.as_str());
        let row = known.get(&said).and_then(|index| stretch.rows.get_mut(*index));
        match row {
            Some(row) => {
                row.count += 1;
                row.last = moment.time;
            }
            None => {
                known.insert(said, stretch.rows.len());
                stretch.rows.push(Row { moment, count: 1, last: moment.time });
            }
        }
    }
    stretches
}

fn line(out: &mut String, row: &Row<'_>, sources: &Sources, width: usize) {
    let moment = row.moment;
    let file = sources.get(moment.span.source);
    let name = file.path().rsplit('/').next().unwrap_or_default();
    let place = format!("{}:{}", clean(name), file.position(moment.span.lo).line);
    let folded = if row.count > 1 {
        format!(" (×{}, last {})", row.count, row.last.strftime("%H:%M:%S"))
    } else {
        String::new()
    };
    let object = moment.object.as_ref().map(short).unwrap_or_default();
    let gap = if object.is_empty() { "" } else { "  " };
    let head =
        format!("{}  {:9}  {}{gap}", clock(moment.time), moment.origin.word(), clean(&object));
    let used = head.chars().count() + folded.chars().count() + place.chars().count() + 2;
    // What happened matters more than a straight right edge.
    let what = clip(&clean(&moment.what), width.saturating_sub(used).max(SHORTEST));
    let _ = writeln!(out, "{head}{what}{folded}  {place}");
}

/// Shows the time of day: milliseconds where the time has them.
fn clock(time: Timestamp) -> String {
    if time.subsec_nanosecond() == 0 {
        time.strftime("%H:%M:%S    ").to_string()
    } else {
        time.strftime("%H:%M:%S.%3f").to_string()
    }
}

/// Names an object as kubectl takes it: `csur/web-3`, with namespace and member where there are any.
fn short(key: &ObjectKey) -> String {
    let spec = find_kind(&key.kind);
    let kind = spec.map(|spec| spec.short.first().copied().unwrap_or(&spec.singular));
    let kind = kind.map_or_else(|| key.kind.to_lowercase(), str::to_owned);
    let namespace =
        if key.namespace.is_empty() { String::new() } else { format!("{}/", key.namespace) };
    let member = if key.cluster.is_empty() || &*key.cluster == HUB {
        String::new()
    } else {
        format!(" on {}", key.cluster)
    };
    format!("{kind}/{namespace}{}{member}", key.name)
}

fn clip(text: &str, count: usize) -> String {
    match text.char_indices().nth(count) {
        Some(_) => text.chars().take(count.saturating_sub(1)).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

/// Renders every moment as one JSON list.
pub fn render_json(timeline: &Timeline, sources: &Sources) -> String {
    let moments: Vec<Value> =
        timeline.moments.iter().map(|moment| entry(moment, sources)).collect();
    json_text(&moments)
}

fn entry(moment: &Moment, sources: &Sources) -> Value {
    let file = sources.get(moment.span.source);
    json!({
        "time": moment.time.to_string(),
        "precision": moment.precision(),
        "source": moment.origin.word(),
        "object": object_json(moment.object.as_ref()),
        "what": clean(&moment.what),
        "path": clean(file.path()),
        "line": file.position(moment.span.lo).line,
    })
}
