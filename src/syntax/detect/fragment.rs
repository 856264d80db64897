//! Where in an object a fragment belongs, told by its fields.
//!
//! Compares the keys of a fragment with every object of a schema: those of the kind that its
//! conditions or its command name, else of all of KubeFleet's kinds. A bare condition list fits many
//! places; the reasons that controllers write at each level decide.
//! Invariant: a fragment that fits several families equally well has no place.

use crate::grammar::kind::{KindSpec, Scope, all_kinds, find_kind};
use crate::grammar::schema::{Schema, Type};
use crate::syntax::Context;
use crate::syntax::describe::{Hint, carrier, fits, owners};
use crate::syntax::tree::{Node, Value};

/// Deeper than any object of the schemas that a fragment may begin in.
const MAX_PATH: usize = 6;

/// How far below its root a fragment is compared.
const MAX_DEPTH: usize = 3;

/// The place of a fragment.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The kind it belongs to.
    pub(super) spec: &'static KindSpec,
    /// The keys from the root of the object down to the fragment.
    pub(super) path: Vec<Step>,
}

/// One key on the way down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The key.
    pub(super) key: &'static str,
    /// Whether a list stands below it.
    pub(super) in_list: bool,
}

/// Finds the kind and the place of a fragment.
pub(super) fn find_place(root: &Node, context: &Context) -> Option<Place> {
    let told = context.kind.as_deref().and_then(find_kind);
    let signs = Signs::of(root);
    let family = signs.hint.family.or(told.map(|spec| spec.family));
    let same = told.filter(|spec| Some(spec.family) == family).map(|spec| spec.scope);
    let namespaced = context.namespace.is_some() || root.at(&["metadata", "namespace"]).is_some();
    let guess = if namespaced { Scope::Namespaced } else { Scope::Cluster };
    let scope = signs.hint.scope.or(same).unwrap_or(guess);
    let mut best: Option<(i32, Place)> = None;
    let mut tied = false;
    for spec in all_kinds().iter().filter(|spec| fits(spec, family, scope)) {
        let Some((score, path)) = best_path(spec.schema(), root, &signs) else { continue };
        match &best {
            Some((most, _)) if score < *most => {}
            Some((most, place)) if score == *most => tied |= place.spec.family != spec.family,
            _ => (best, tied) = (Some((score, Place { spec, path })), false),
        }
    }
    best.filter(|_| !tied).map(|(_, place)| place)
}

/// What the first telling condition of a fragment says.
#[derive(Clone, Copy, Debug, Default)]
struct Signs {
    hint: Hint,
    /// The keys whose values carry such conditions.
    owners: &'static [&'static str],
}

impl Signs {
    fn of(root: &Node) -> Self {
        let mut signs = Self::default();
        root.walk(&mut |node| {
            if signs.hint.family.is_none() {
                let text = |key: &str| node.get(key).and_then(Node::as_str).unwrap_or_default();
                let (reason, ty) = (text("reason"), text("type"));
                signs = Self { hint: carrier(reason, ty), owners: owners(reason, ty) };
            }
        });
        signs
    }
}

/// Finds the object of a schema that fits a fragment best; of equal fits, the outermost.
fn best_path(schema: &'static Schema, root: &Node, signs: &Signs) -> Option<(i32, Vec<Step>)> {
    let sample = match &root.value {
        Value::List(items) => items.first()?,
        _ => root,
    };
    let mut best: Option<(i32, Vec<Step>)> = None;
    let mut open: Vec<(Vec<Step>, &'static Schema)> = vec![(Vec::new(), schema)];
    while !open.is_empty() {
        for (path, schema) in std::mem::take(&mut open) {
            let is_list = path.last().is_some_and(|step| step.in_list);
            let suits = is_list || matches!(root.value, Value::Map(_));
            let mut score = if suits { score(sample, schema, 0) } else { 0 };
            let bare = path.last().is_some_and(|step| step.key == "conditions");
            let above = path.iter().rev().nth(1).map(|step| step.key);
            if bare && score > 0 && above.is_some_and(|key| signs.owners.contains(&key)) {
                score += 5;
            }
            if score > 0 && best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, path.clone()));
            }
            if path.len() < MAX_PATH {
                open.extend(below(&path, schema));
            }
        }
    }
    best
}

fn below(path: &[Step], schema: &'static Schema) -> Vec<(Vec<Step>, &'static Schema)> {
    let Type::Object(fields) = &schema.ty else { return Vec::new() };
    let steps = fields.iter().filter_map(|field| {
        let (in_list, inner) = match &field.schema.ty {
            Type::List(item) => (true, &**item),
            _ => (false, &field.schema),
        };
        let is_object = matches!(inner.ty, Type::Object(_)) && &*field.name != "managedFields";
        is_object.then(|| {
            let step = Step { key: &field.name, in_list };
            (path.iter().copied().chain([step]).collect(), inner)
        })
    });
    steps.collect()
}

/// Weighs how well a map fits a schema: known fields against unknown ones, a few levels down.
fn score(node: &Node, schema: &Schema, depth: usize) -> i32 {
    let Value::Map(entries) = &node.value else { return 0 };
    let mut sum = 0;
    for entry in entries {
        let Some(field) = schema.field(&entry.key) else {
            sum -= if schema.open { 0 } else { 2 };
            continue;
        };
        let inner = match &field.schema.ty {
            Type::List(item) => item,
            _ => &field.schema,
        };
        let child = match &entry.node.value {
            Value::List(items) => items.first(),
            _ => Some(&entry.node),
        };
        let is_map = child.is_some_and(|child| matches!(child.value, Value::Map(_)));
        let wants_map = matches!(inner.ty, Type::Object(_));
        sum += if is_map == wants_map || child.is_none_or(Node::is_empty) { 1 } else { 0 };
        if let Some(child) = child.filter(|_| is_map && wants_map && depth < MAX_DEPTH) {
            sum += score(child, inner, depth + 1);
        }
    }
    sum
}
