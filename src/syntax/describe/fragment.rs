//! Where in a kind's schema a fragment begins.
//!
//! Owns the list of all objects that a kind's schema holds, made once for each kind, and the weighing
//! of each against the first lines of a fragment: labels in the column of the first line should be
//! its own, labels left of that column those of the objects around it.

use std::sync::OnceLock;

use crate::grammar::kind::{KindSpec, all_kinds};
use crate::grammar::schema::{Schema, fold_label};

use super::condition_owner::owner_of_conditions;
use super::label_shape::LabelShape;
use super::line::{DescribeLine, Pad};

/// How many lines of a fragment are matched.
const SAMPLE: usize = 64;

/// Deeper than any object of the schemas that a fragment may begin in.
const MAX_PATH: usize = 12;

/// One step down the schema.
#[derive(Clone, Debug)]
pub(super) struct SchemaStep {
    /// The key that leads there; empty for the root.
    pub(super) key: &'static str,
    /// The shape of the value below the label.
    pub(super) shape: LabelShape<'static>,
}

impl SchemaStep {
    /// Returns what one object there holds.
    pub(super) fn schema(&self) -> Option<&'static Schema> {
        if let LabelShape::Object(schema) = item_shape(self.shape) { Some(schema) } else { None }
    }
}

/// The objects of one kind's schema.
#[derive(Debug)]
struct Places {
    /// The steps to each from the root, which is the first step of all; outer objects first.
    paths: Vec<Vec<SchemaStep>>,
    /// All field names, folded and sorted.
    words: Vec<String>,
}

/// Returns the lines that a fragment is matched by.
pub(super) fn sample<'t>(lines: &[DescribeLine<'t>]) -> Vec<DescribeLine<'t>> {
    let labelled = lines.iter().filter(|line| line.label.is_some_and(|l| l.pad != Pad::Narrow));
    labelled.take(SAMPLE).copied().collect()
}

/// Finds the object of a kind that fits a sample best: how well, and the steps below the root.
pub(super) fn best_path(
    spec: &'static KindSpec,
    sample: &[DescribeLine<'_>],
) -> Option<(i32, &'static [SchemaStep])> {
    let places = places_of(spec)?;
    let mut best: Option<(i32, &'static [SchemaStep])> = None;
    for path in &places.paths {
        if let Some(score) = score(path, sample, &places.words)
            && best.is_none_or(|(most, _)| score > most)
        {
            best = Some((score, path.get(1..).unwrap_or_default()));
        }
    }
    best.filter(|(score, _)| *score > 0)
}

fn places_of(spec: &'static KindSpec) -> Option<&'static Places> {
    static PLACES: OnceLock<Vec<OnceLock<Places>>> = OnceLock::new();
    let places = PLACES.get_or_init(|| all_kinds().iter().map(|_| OnceLock::new()).collect());
    let index = all_kinds().iter().position(|other| std::ptr::eq(other, spec))?;
    Some(places.get(index)?.get_or_init(|| find_places(spec)))
}

/// Lists the objects of a kind, breadth first, so that of two equal fits the outer one stays.
fn find_places(spec: &'static KindSpec) -> Places {
    let root = SchemaStep { key: "", shape: LabelShape::Object(spec.schema()) };
    let mut paths = vec![vec![root]];
    let mut next = 0;
    while let Some(path) = paths.get(next) {
        next += 1;
        if path.len() < MAX_PATH {
            let below = below(path);
            paths.extend(below);
        }
    }
    let objects = paths.iter().filter_map(|path| path.last());
    let fields = objects.flat_map(|step| item_shape(step.shape).fields());
    let mut words: Vec<String> = fields.map(|field| fold_label(&field.name)).collect();
    words.sort_unstable();
    words.dedup();
    Places { paths, words }
}

/// Returns the paths to the objects one step further down.
fn below(path: &[SchemaStep]) -> Vec<Vec<SchemaStep>> {
    let Some(SchemaStep { shape, .. }) = path.last() else { return Vec::new() };
    let steps = item_shape(*shape).fields().iter().filter_map(|field| {
        let shape = LabelShape::of(Some(&field.schema));
        let is_object =
            matches!(item_shape(shape), LabelShape::Object(_)) && &*field.name != "managedFields";
        is_object.then_some(SchemaStep { key: &field.name, shape })
    });
    steps.map(|step| path.iter().cloned().chain([step]).collect()).collect()
}

/// Returns what one item of a list holds, and of anything else itself.
fn item_shape(shape: LabelShape<'static>) -> LabelShape<'static> {
    if let LabelShape::List(item) = shape { LabelShape::of(item) } else { shape }
}

/// Weighs how well the object at the end of a path fits the lines; `None` if the first does not.
fn score(path: &[SchemaStep], lines: &[DescribeLine<'_>], words: &[String]) -> Option<i32> {
    let (own, above) = path.split_last()?;
    let first = lines.first()?;
    let knows = |step: &SchemaStep, line: &DescribeLine<'_>| {
        let label = line.label_text().unwrap_or_default();
        let field = item_shape(step.shape).find(label).filter(|field| field.named);
        field.is_some_and(|field| field.shape.is_container() == line.value().is_empty())
    };
    let is_word = |line: &DescribeLine<'_>| {
        line.label_text().is_some_and(|label| words.binary_search(&fold_label(label)).is_ok())
    };
    let mut score = if knows(own, first) { 1 } else { return None };
    let mut left = false;
    for (number, line) in lines.iter().enumerate() {
        left |= line.indent < first.indent;
        score += match (left, line.indent == first.indent) {
            (false, true) if knows(own, line) => 3,
            // With all indentation gone every line stands here, so only a foreign word counts.
            (false, true) if is_word(line) => 0,
            (false, true) => -2,
            (true, _) if line.indent < first.indent => {
                if above.iter().any(|step| knows(step, line)) { 1 } else { -1 }
            }
            // Further in, anything of the kind may stand, but no word that it does not have.
            (false, false) if !is_word(line) => -1,
            _ => 0,
        };
        let rest = lines.get(number + 1..).unwrap_or_default();
        let holds_conditions = line.indent == first.indent && line.is_label("Conditions");
        if !left && holds_conditions && owner_of_conditions(rest).contains(&own.key) {
            score += 5;
        }
    }
    let bare = own.key == "conditions" && !first.is_label("Conditions");
    let owner = above.last().map_or("", |step| step.key);
    if bare && owner_of_conditions(lines).contains(&owner) {
        score += 5;
    }
    Some(score)
}
