//! The timeline, as a table for people and as JSON for programs.
//!
//! People get one line per moment, repeated log lines folded with a count, and a line for each gap;
//! programs get every moment. All text of the bundle is cleaned on its way out.

mod lanes;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

pub use lanes::{Places, render as render_story};

use super::json::object_json;
use super::prose::columns;
use super::snippet::masked;
use super::{clean, json_text};
use crate::grammar::kind::find_kind;
use crate::kube::time::show_duration;
use crate::model::key::{HUB, ObjectKey};
use crate::source::Sources;
use crate::views::timeline::{Moment, MomentSource, Timeline};

/// Nothing for longer than this is shown as a gap.
const GAP: SignedDuration = SignedDuration::from_mins(5);

/// What a line says is not clipped below this.
const SHORTEST: usize = 56;

/// Below this width a line has no room for object, words and place.
const NARROW: usize = 100;

/// What a wrapped line says is clipped after this.
const LONGEST: usize = 240;

/// A line of the table: a moment, and how often the same was said until when.
struct Row<'t> {
    moment: &'t Moment,
    count: usize,
    last: Timestamp,
}

/// Renders the table, `width` columns wide.
pub fn render(timeline: &Timeline, sources: &Sources, width: usize) -> String {
    let mut table = Table { out: String::new(), sources, width, object: String::new() };
    table.stretches(&timeline.moments, "%Y-%m-%d (UTC)");
    for (source, moments) in &timeline.undated {
        let name = clean(sources.get(*source).path());
        let _ = writeln!(table.out, "{name}, by its own clock: nothing tells its year and zone");
        table.stretches(moments, "%m-%d");
    }
    let mut out = table.out;
    if timeline.moments.is_empty() && timeline.undated.is_empty() {
        out.push_str("nothing with a time in the input\n");
    }
    if timeline.left_out > 0 {
        let lines = timeline.left_out;
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
        let stamp = moment.origin != MomentSource::Log;
        let cut = stamp || before.is_none_or(|before| before.origin != MomentSource::Log);
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

/// The table as far as it is drawn.
struct Table<'t> {
    out: String,
    sources: &'t Sources,
    width: usize,
    /// The object that was named last, where it has a line of its own.
    object: String,
}

impl Table<'_> {
    fn stretches(&mut self, moments: &[Moment], format: &str) {
        let mut day = String::new();
        for stretch in stretches(moments) {
            if let Some(quiet) = stretch.quiet {
                let quiet = show_duration(quiet);
                let _ = writeln!(self.out, "              … {quiet} without a trace …");
            }
            for row in stretch.rows {
                let date = row.moment.time.strftime(format).to_string();
                if date != day {
                    let _ = writeln!(self.out, "{date}");
                    day = date;
                }
                if self.width < NARROW { self.narrow_row(&row) } else { self.row(&row) }
            }
        }
    }

    fn row(&mut self, row: &Row<'_>) {
        let moment = row.moment;
        let (place, folded) = (place(moment, self.sources), folded(row));
        let object = moment.object.as_ref().map(short).unwrap_or_default();
        let gap = if object.is_empty() { "" } else { "  " };
        let head =
            format!("{}  {:9}  {}{gap}", clock(moment.time), moment.origin.word(), clean(&object));
        let used = columns(&head) + columns(&folded) + columns(&place) + 2;
        // What happened matters more than a straight right edge.
        let what = clip(&masked(&moment.what), self.width.saturating_sub(used).max(SHORTEST));
        let _ = writeln!(self.out, "{head}{what}{folded}  {place}");
    }

    /// Draws a row where there is little room: objects have lines of their own, and what happened is wrapped.
    fn narrow_row(&mut self, row: &Row<'_>) {
        let moment = row.moment;
        let object = clean(&moment.object.as_ref().map(short).unwrap_or_default());
        if object != self.object {
            let _ =
                writeln!(self.out, "  {}", if object.is_empty() { "(no object)" } else { &object });
            self.object = object;
        }
        let head = format!("{}  {:9}  ", clock(moment.time), moment.origin.word());
        let what = clip(&masked(&moment.what), LONGEST);
        let text = format!("{what}{}  {}", folded(row), place(moment, self.sources));
        let indent = columns(&head);
        let mut column = indent;
        self.out.push_str(&head);
        for word in text.split_inclusive(' ') {
            let len = columns(word.trim_end());
            if column + len > self.width && column > indent {
                self.out.truncate(self.out.trim_end().len());
                let _ = write!(self.out, "\n{:indent$}", "");
                column = indent;
            }
            self.out.push_str(word);
            column += columns(word);
        }
        self.out.push('\n');
    }
}

/// Says where a moment stands in the bundle: file and line.
fn place(moment: &Moment, sources: &Sources) -> String {
    let file = sources.get(moment.span.source);
    let name = file.path().rsplit('/').next().unwrap_or_default();
    format!("{}:{}", clean(name), file.position(moment.span.lo).line)
}

fn folded(row: &Row<'_>) -> String {
    if row.count > 1 {
        format!(" (×{}, last {})", row.count, row.last.strftime("%H:%M:%S"))
    } else {
        String::new()
    }
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
    let kind = spec.map(|spec| spec.short.first().copied().unwrap_or(spec.singular));
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

/// Renders every moment as one JSON list; lines of logs without a year come last and have no `time`.
pub fn render_json(timeline: &Timeline, sources: &Sources) -> String {
    let moments = timeline.moments.iter().map(|moment| entry(moment, sources));
    let undated = timeline.undated.iter().flat_map(|(_, moments)| moments).map(|moment| {
        let mut entry = entry(moment, sources);
        entry["time"] = Value::Null;
        entry["civil"] = moment.time.strftime("%m-%dT%H:%M:%S%.f").to_string().into();
        entry
    });
    json_text(&moments.chain(undated).collect::<Vec<Value>>())
}

fn entry(moment: &Moment, sources: &Sources) -> Value {
    let file = sources.get(moment.span.source);
    json!({
        "time": moment.time.to_string(),
        "precision": moment.precision(),
        "source": moment.origin.word(),
        "object": object_json(moment.object.as_ref()),
        "what": masked(&moment.what),
        "path": clean(file.path()),
        "line": file.position(moment.span.lo).line,
    })
}
