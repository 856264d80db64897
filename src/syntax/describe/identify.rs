//! What a describe text is about: its kind, and where in the schema its first line stands.
//!
//! A whole object says its kind. A fragment is matched against the fields of the kinds: those that
//! the reasons of its conditions name, else the kind of the command that printed it, else all of
//! KubeFleet's. A guess is kept only where the labels bear it out.

use crate::grammar::kind::{
    Kind, KindSpec, Scope, all_kinds, find_kind, find_kind_in, nearest_kind,
};
use crate::grammar::schema::Schema;
use crate::source::Span;
use crate::syntax::condition_hints::ConditionHints;
use crate::syntax::text_view::TextView;
use crate::syntax::tree_builder::problem;
use crate::syntax::{Context, Problem, ProblemKind};

use super::condition_owner::signs_of_conditions;
use super::fragment::{SchemaStep, best_path, sample};
use super::label_shape::LabelShape;
use super::line::DescribeLine;
use super::open_field::OpenField;

/// What was found out about a text.
#[derive(Debug)]
pub(super) struct TextIdentity {
    /// Its kind, where that is certain or the only one that fits.
    pub(super) kind: Option<&'static KindSpec>,
    /// The schema to read it by.
    pub(super) schema: &'static Schema,
    /// A kind that is spelt wrongly.
    pub(super) problem: Option<Problem>,
    /// The keys from the root down to the object that holds the first line.
    pub(super) path: &'static [SchemaStep],
}

/// Identifies an object by the `Kind:` at its left margin.
pub(super) fn identify_whole(
    view: &TextView<'_>,
    lines: &[DescribeLine<'_>],
    base: usize,
    context: &Context,
    namespace: Option<&str>,
) -> Option<TextIdentity> {
    let at_margin = |name: &str| {
        lines.iter().find(|line| line.indent == base && line.label_text() == Some(name))
    };
    let line = at_margin("Kind").filter(|line| !line.value().is_empty())?;
    let version = at_margin("API Version").map_or("", |line| line.value());
    // Alone, or behind the body with all indentation lost, it is the kind of something that is listed.
    let body = ["Metadata", "Spec", "Status"].iter().filter_map(|name| at_margin(name));
    let first = body.map(|line| line.at).min();
    if version.is_empty() && first.is_none_or(|first| first < line.at) {
        return None;
    }
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
    Some(TextIdentity { kind, schema, problem: misspelt, path: &[] })
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
pub(super) fn identify_fragment(
    lines: &[DescribeLine<'_>],
    context: &Context,
) -> Option<TextIdentity> {
    let told = context.kind.as_deref().and_then(find_kind);
    let signs = signs_of_conditions(lines);
    let wanted = wanted_families(&signs, told);
    let scope = scope_of(&signs, told, &wanted, context.namespace.is_some());
    let sample = sample(lines);
    let mut best: Option<(i32, &'static KindSpec, &[SchemaStep])> = None;
    let mut tied = false;
    for spec in all_kinds().iter().filter(|spec| fits(spec, &wanted, scope)) {
        let Some((score, path)) = best_path(spec, &sample) else { continue };
        match &best {
            Some((most, ..)) if score < *most => {}
            // Where either reading means the same, the outer place is the likelier one.
            Some((most, _, outer)) if score == *most => {
                let alike = !wanted.is_empty() || same_shape(outer, path);
                tied |= !alike;
                if alike && path.len() < outer.len() {
                    best = Some((score, spec, path));
                }
            }
            _ => (best, tied) = (Some((score, spec, path)), false),
        }
    }
    let (_, spec, path) = best?;
    let kind = (!tied || !wanted.is_empty()).then_some(spec);
    Some(TextIdentity { kind, schema: spec.schema(), problem: None, path })
}

/// Says whether two places hold the same fields.
fn same_shape(left: &[SchemaStep], right: &[SchemaStep]) -> bool {
    match (left.last(), right.last()) {
        (Some(left), Some(right)) => left.key == right.key && left.schema() == right.schema(),
        _ => false,
    }
}

/// Returns the families that a piece can belong to: by its conditions, else by the command.
pub(in crate::syntax) fn wanted_families(
    signs: &ConditionHints,
    told: Option<&KindSpec>,
) -> Vec<Kind> {
    match told.map(|spec| spec.family).filter(|family| signs.allows(*family)) {
        Some(family) => vec![family],
        None => signs.families.clone(),
    }
}

/// Returns the scope of the object that a piece was cut out of; without any sign the usual one.
pub(in crate::syntax) fn scope_of(
    signs: &ConditionHints,
    told: Option<&KindSpec>,
    wanted: &[Kind],
    namespaced: bool,
) -> Scope {
    let same = told.filter(|spec| wanted.contains(&spec.family)).map(|spec| spec.scope);
    let shown = namespaced.then_some(Scope::Namespaced);
    signs.scope.or(same).or(shown).unwrap_or(Scope::Cluster)
}

/// Says whether a kind comes into question for a fragment of some families and a scope.
pub(in crate::syntax) fn fits(spec: &KindSpec, wanted: &[Kind], scope: Scope) -> bool {
    let twin = |spec: &KindSpec| {
        all_kinds().iter().any(|other| other.family == spec.family && other.scope != spec.scope)
    };
    let in_scope = spec.scope == scope || !twin(spec);
    // Copies of a placement's status and kinds of the next API look like what people do send.
    let rare =
        matches!(spec.family, Kind::PlacementStatus | Kind::PlacementPolicy | Kind::ClusterRequest);
    let usual = wanted.is_empty() && spec.is_fleet() && !rare;
    (usual || wanted.contains(&spec.family)) && in_scope
}

/// Returns a schema that knows what all objects have and takes anything else.
fn open_schema() -> &'static Schema {
    let other = all_kinds().iter().find(|spec| spec.family == Kind::Other);
    other.or_else(|| all_kinds().first()).map(KindSpec::schema).expect("the catalogue is not empty")
}

impl TextIdentity {
    /// Stands for an object that does not say what it is.
    pub(super) fn unknown() -> Self {
        Self { kind: None, schema: open_schema(), problem: None, path: &[] }
    }

    /// Opens the frames that the body begins in; the frames above a fragment float.
    pub(super) fn open_frames(&self, at: Span, column: usize) -> Vec<OpenField<'static>> {
        let root = OpenField::new("".into(), at, LabelShape::Object(self.schema), at);
        let steps =
            self.path.iter().map(|step| OpenField::new(step.key.into(), at, step.shape, at));
        let mut frames: Vec<OpenField<'static>> = [root].into_iter().chain(steps).collect();
        let count = frames.len();
        // The item around the fragment is open: its last key is the one that leads down.
        for (frame, below) in frames.iter_mut().zip(self.path) {
            frame.floating = true;
            frame.last_key = Some(below.key.into());
        }
        if let Some(frame) = frames.last_mut() {
            frame.column = Some(column);
        }
        if count > 1 {
            frames.iter_mut().for_each(OpenField::mark_cut);
        }
        frames
    }
}
