//! What a describe text is about: its kind, and where in the schema its first line stands.
//!
//! A whole object says its kind. A fragment is matched against the fields of the kinds: those that
//! the reasons of its conditions name, else the kind of the command that printed it, else all of
//! KubeFleet's. A guess is kept only where the labels bear it out.

use crate::grammar::kind::{
    Kind, KindSpec, Scope, all_kinds, find_kind, find_kind_in, nearest_kind,
};
use crate::grammar::schema::{Schema, fold_label};
use crate::source::Span;
use crate::syntax::build::problem;
use crate::syntax::view::View;
use crate::syntax::{Context, Problem, ProblemKind};

use super::frame::Frame;
use super::line::{Line, Pad};
use super::owner::{family_of_conditions, owner_of_conditions};
use super::shape::Shape;

/// How many lines of a fragment are matched.
const SAMPLE: usize = 64;

/// Deeper than any object of the schemas that a fragment may begin in.
const MAX_PATH: usize = 12;

/// What was found out about a text.
#[derive(Debug)]
pub(super) struct Identity {
    /// Its kind, where that is certain or the only one that fits.
    pub(super) kind: Option<&'static KindSpec>,
    /// The schema to read it by.
    pub(super) schema: &'static Schema,
    /// A kind that is spelt wrongly.
    pub(super) problem: Option<Problem>,
    /// The keys from the root down to the object that holds the first line.
    pub(super) path: Vec<Step>,
}

/// One step down the schema.
#[derive(Clone, Debug)]
pub(super) struct Step {
    key: &'static str,
    shape: Shape<'static>,
}

/// Identifies an object by the `Kind:` at its left margin.
pub(super) fn identify_whole(
    view: &View<'_>,
    lines: &[Line<'_>],
    base: usize,
    context: &Context,
    namespace: Option<&str>,
) -> Option<Identity> {
    let at_margin = |name: &str| {
        lines.iter().find(|line| line.indent == base && line.label_text() == Some(name))
    };
    let line = at_margin("Kind").filter(|line| !line.value().is_empty())?;
    let version = at_margin("API Version").map_or("", |line| line.value());
    let name = line.value();
    let known =
        find_kind_in(version, name).or_else(|| find_kind(name).filter(|_| version.is_empty()));
    // Only KubeFleet's own groups are known well enough to call a kind misspelt.
    let ours = version.is_empty() || version.contains("kubernetes-fleet.io");
    let nearest = || nearest_kind(name).filter(|spec| ours && spec.is_fleet());
    let kind = known.or_else(nearest);
    let kind = kind.map(|spec| twin_by_context(spec, context, namespace).unwrap_or(spec));
    let misspelt = kind.filter(|spec| spec.name != name).map(|spec| {
        let message = match known {
            Some(_) => format!("a {name} without a namespace; it is read as {}", spec.name),
            None => format!("`{name}` is no kind; it is read as {}", spec.name),
        };
        problem(ProblemKind::MisspeltKind, view.span(line.value_range()), message)
    });
    let schema = kind.map_or_else(open_schema, KindSpec::schema);
    Some(Identity { kind, schema, problem: misspelt, path: Vec::new() })
}

/// Returns the cluster-scoped twin where the text shows no namespace and the command asked for it.
fn twin_by_context(
    spec: &KindSpec,
    context: &Context,
    namespace: Option<&str>,
) -> Option<&'static KindSpec> {
    let told = context.kind.as_deref().and_then(find_kind)?;
    let twins = told.family == spec.family && told.scope == Scope::Cluster;
    let homeless = spec.scope == Scope::Namespaced && namespace.is_none();
    (twins && homeless && context.namespace.is_none()).then_some(told)
}

/// Identifies a text that does not say its kind, by its labels, its conditions and its context.
pub(super) fn identify_fragment(lines: &[Line<'_>], context: &Context) -> Option<Identity> {
    let told = context.kind.as_deref().and_then(find_kind);
    let hint = family_of_conditions(lines);
    let wanted = hint.family.or(told.map(|spec| spec.family));
    let scope = hint.scope.or_else(|| {
        let same = told.filter(|spec| Some(spec.family) == wanted).map(|spec| spec.scope);
        same.or(context.namespace.as_ref().map(|_| Scope::Namespaced))
    });
    let scope = scope.unwrap_or(Scope::Cluster);
    let mut best: Option<(i32, &'static KindSpec, Vec<Step>)> = None;
    let mut tied = false;
    for spec in all_kinds().iter().filter(|spec| fits(spec, wanted, scope)) {
        let Some((score, path)) = best_path(spec.schema(), lines) else { continue };
        match &best {
            Some((most, ..)) if score < *most => {}
            Some((most, ..)) if score == *most => tied = true,
            _ => (best, tied) = (Some((score, spec, path)), false),
        }
    }
    let (_, spec, path) = best?;
    let kind = (!tied || wanted.is_some()).then_some(spec);
    Some(Identity { kind, schema: spec.schema(), problem: None, path })
}

/// Says whether a kind comes into question.
fn fits(spec: &KindSpec, wanted: Option<Kind>, scope: Scope) -> bool {
    let twin = |spec: &KindSpec| {
        all_kinds().iter().any(|other| other.family == spec.family && other.scope != spec.scope)
    };
    let in_scope = spec.scope == scope || !twin(spec);
    // Copies of a placement's status and kinds of the next API look like what people do send.
    let rare =
        matches!(spec.family, Kind::PlacementStatus | Kind::PlacementPolicy | Kind::ClusterRequest);
    wanted.map_or(spec.is_fleet() && !rare, |family| spec.family == family) && in_scope
}

/// Returns a schema that knows what all objects have and takes anything else.
pub(super) fn open_schema() -> &'static Schema {
    let other = all_kinds().iter().find(|spec| spec.family == Kind::Other);
    other.or_else(|| all_kinds().first()).map(KindSpec::schema).expect("the catalogue is not empty")
}

/// Finds the object of a schema that fits the first lines best.
fn best_path(schema: &'static Schema, lines: &[Line<'_>]) -> Option<(i32, Vec<Step>)> {
    let lines: Vec<Line<'_>> = lines
        .iter()
        .filter(|line| line.label.is_some_and(|l| l.pad != Pad::Narrow))
        .take(SAMPLE)
        .copied()
        .collect();
    let root = Step { key: "", shape: Shape::Object(schema) };
    // Breadth first, so that of two equal fits the outer one stays.
    let mut paths = vec![vec![root]];
    let mut next = 0;
    while let Some(path) = paths.get(next) {
        next += 1;
        if path.len() < MAX_PATH {
            let below = below(path);
            paths.extend(below);
        }
    }
    let names = paths.iter().filter_map(|path| path.last());
    let names = names.flat_map(|step| item_shape(step.shape).fields());
    let mut words: Vec<String> = names.map(|field| fold_label(&field.name)).collect();
    words.sort_unstable();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut best: Option<(i32, Vec<Step>)> = None;
    for path in paths {
        if let Some(score) = score(&path, &lines, &words)
            && best.as_ref().is_none_or(|(most, _)| score > *most)
        {
            best = Some((score, path));
        }
    }
    best.filter(|(score, _)| *score > 0).map(|(score, mut path)| {
        path.remove(0);
        (score, path)
    })
}

/// Returns the paths to the objects one step further down.
fn below(path: &[Step]) -> Vec<Vec<Step>> {
    let Some(Step { shape, .. }) = path.last() else { return Vec::new() };
    let steps = item_shape(*shape).fields().iter().filter_map(|field| {
        let shape = Shape::of(Some(&field.schema));
        let is_object =
            matches!(item_shape(shape), Shape::Object(_)) && &*field.name != "managedFields";
        is_object.then(|| Step { key: &field.name, shape })
    });
    steps.map(|step| path.iter().cloned().chain([step]).collect()).collect()
}

/// Returns what one item of a list holds, and of anything else itself.
fn item_shape(shape: Shape<'static>) -> Shape<'static> {
    if let Shape::List(item) = shape { Shape::of(item) } else { shape }
}

/// Weighs how well the object at the end of a path fits the lines; `None` if the first does not.
fn score(path: &[Step], lines: &[Line<'_>], words: &[&str]) -> Option<i32> {
    let (own, above) = path.split_last()?;
    let first = lines.first()?;
    let knows = |step: &Step, line: &Line<'_>| {
        let label = line.label_text().unwrap_or_default();
        let field = item_shape(step.shape).find(label).filter(|field| field.named);
        field.is_some_and(|field| field.shape.is_container() == line.value().is_empty())
    };
    let is_word = |line: &Line<'_>| {
        line.label_text().is_some_and(|label| words.binary_search(&&*fold_label(label)).is_ok())
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
            _ => 0,
        };
        let rest = lines.get(number + 1..).unwrap_or_default();
        let holds_conditions =
            line.indent == first.indent && line.label_text() == Some("Conditions");
        if !left && holds_conditions && owner_of_conditions(rest).contains(&own.key) {
            score += 5;
        }
    }
    let bare = own.key == "conditions" && first.label_text() != Some("Conditions");
    let owner = above.last().map_or("", |step| step.key);
    if bare && owner_of_conditions(lines).contains(&owner) {
        score += 5;
    }
    Some(score)
}

impl Identity {
    /// Opens the frames that the body begins in; the frames above a fragment float.
    pub(super) fn open_frames(&self, at: Span, column: usize) -> Vec<Frame<'static>> {
        let root = Frame::new("".into(), at, Shape::Object(self.schema), at);
        let steps = self.path.iter().map(|step| Frame::new(step.key.into(), at, step.shape, at));
        let mut frames: Vec<Frame<'static>> = [root].into_iter().chain(steps).collect();
        let count = frames.len();
        // The item around the fragment is open: its last key is the one that leads down.
        for (frame, below) in frames.iter_mut().zip(&self.path) {
            frame.floating = true;
            frame.last_key = Some(below.key.into());
        }
        if let Some(frame) = frames.last_mut() {
            frame.column = Some(column);
        }
        if count > 1 {
            frames.iter_mut().for_each(Frame::mark_cut);
        }
        frames
    }
}
