//! Where in an object a fragment belongs, told by its fields and conditions.
//!
//! Compares the keys of a fragment with every object of a schema: those of the kinds that its
//! conditions or its command name, else of all of KubeFleet's. A bare condition list fits many
//! places; the reasons that controllers write at each level decide.
//! Invariant: a fragment that fits several families equally well has no place, unless all readings mean the
//! same.

use crate::grammar::kind::{Kind, KindSpec, all_kinds, find_kind};
use crate::grammar::message::{ConditionHomes, find_homes};
use crate::grammar::schema::{Schema, Type};
use crate::syntax::Context;
use crate::syntax::condition_hints::ConditionHints;
use crate::syntax::describe::{fits, scope_of, wanted_families};
use crate::syntax::tree::{Node, Value};

/// Deeper than any object of the schemas that a fragment may begin in.
const MAX_PATH: usize = 6;

/// How far below its root a fragment is compared.
const MAX_DEPTH: usize = 3;

/// How many conditions of a fragment have a say.
const MAX_VOTES: usize = 64;

/// The place of a fragment.
#[derive(Clone, Debug)]
pub(super) struct FragmentPlace {
    /// The kind it belongs to.
    pub(super) spec: &'static KindSpec,
    /// The keys from the root of the object down to the fragment.
    pub(super) path: Vec<FragmentStep>,
}

/// One key on the way down.
#[derive(Clone, Copy, Debug)]
pub(super) struct FragmentStep {
    /// The key.
    pub(super) key: &'static str,
    /// Whether a list stands below it.
    pub(super) in_list: bool,
}

/// Finds the kind and the place of a fragment.
pub(super) fn find_place(root: &Node, context: &Context) -> Option<FragmentPlace> {
    let told = context.kind.as_deref().and_then(find_kind);
    let votes = collect_votes(root);
    let mut signs = ConditionHints::default();
    votes.iter().for_each(|vote| signs.add(vote.r#type, vote.reason, vote.message));
    let wanted = wanted_families(&signs, told);
    let namespaced = context.namespace.is_some() || root.at(&["metadata", "namespace"]).is_some();
    let scope = scope_of(&signs, told, &wanted, namespaced);
    let mut best: Option<Fit> = None;
    let mut tied = false;
    for spec in all_kinds().iter().filter(|spec| fits(spec, &wanted, scope)) {
        let Some(fit) = best_fit(spec, root, &votes) else { continue };
        match &best {
            Some(known) if fit.score < known.score => {}
            Some(known) if fit.score == known.score => {
                let alike = !signs.families.is_empty() || known.means_the_same(&fit, root);
                tied |= known.spec.family != spec.family && !alike;
                // Where either reading means the same, the outer place is the likelier one.
                if alike && fit.path.len() < known.path.len() {
                    best = Some(fit);
                }
            }
            _ => (best, tied) = (Some(fit), false),
        }
    }
    best.filter(|_| !tied).map(|fit| FragmentPlace { spec: fit.spec, path: fit.path })
}

/// A condition of a fragment: where it can stand, and where it stands in the fragment.
struct Vote<'n> {
    r#type: &'n str,
    reason: &'n str,
    message: &'n str,
    homes: ConditionHomes,
    path: Vec<&'n str>,
}

fn collect_votes(root: &Node) -> Vec<Vote<'_>> {
    let mut votes = Vec::new();
    let mut open = vec![(root, Vec::new())];
    while let Some((node, path)) = open.pop() {
        if votes.len() >= MAX_VOTES {
            break;
        }
        let text = |key: &str| node.get(key).and_then(Node::as_str).unwrap_or_default();
        if node.get("type").is_some() && node.get("status").is_some() {
            let (r#type, reason, message) = (text("type"), text("reason"), text("message"));
            let homes = find_homes(r#type, reason);
            votes.push(Vote { r#type, reason, message, homes, path });
            continue;
        }
        if path.len() > MAX_PATH {
            continue;
        }
        open.extend(node.items().iter().rev().map(|item| (item, path.clone())));
        open.extend(node.entries().iter().rev().map(|entry| {
            (&entry.node, path.iter().copied().chain([&*entry.key]).collect::<Vec<_>>())
        }));
    }
    votes
}

impl Vote<'_> {
    /// Weighs a place for the fragment by where this condition would come to stand.
    fn weigh(&self, family: Kind, above: &[FragmentStep]) -> i32 {
        let keys = above.iter().map(|step| step.key).chain(self.path.iter().copied());
        let mut keys: Vec<&str> = keys.collect();
        if matches!(keys.last(), Some(&("conditions" | "condition"))) {
            keys.pop();
        }
        let fits = self.homes.places.iter().any(|home| home.family == family && home.path == keys);
        match (fits, self.homes.sure) {
            (true, true) => 5,
            (true, false) => 1,
            (false, true) => -5,
            (false, false) => 0,
        }
    }
}

/// How well a fragment fits a place.
struct Fit {
    score: i32,
    spec: &'static KindSpec,
    path: Vec<FragmentStep>,
    schema: &'static Schema,
}

impl Fit {
    /// Says whether all that a fragment shows is the same at two places, and is more than what all objects
    /// have.
    fn means_the_same(&self, other: &Self, root: &Node) -> bool {
        let sample = root.items().first().unwrap_or(root);
        let mut telling = false;
        for entry in sample.entries() {
            let (own, its) = (self.schema.field(&entry.key), other.schema.field(&entry.key));
            match (own, its) {
                (Some(own), Some(its)) if own.schema == its.schema => {
                    let deep = matches!(own.schema.ty, Type::Object(_) | Type::List(_));
                    telling |= deep && !matches!(&*entry.key, "conditions" | "metadata");
                }
                (None, None) => {}
                _ => return false,
            }
        }
        telling
    }
}

/// Finds the object of a kind that fits a fragment best; of equal fits, the outermost.
fn best_fit(spec: &'static KindSpec, root: &Node, votes: &[Vote<'_>]) -> Option<Fit> {
    let sample = match &root.value {
        Value::List(items) => items.first()?,
        _ => root,
    };
    let mut best: Option<Fit> = None;
    let mut open: Vec<(Vec<FragmentStep>, &'static Schema)> = vec![(Vec::new(), spec.schema())];
    while !open.is_empty() {
        for (path, schema) in std::mem::take(&mut open) {
            let is_list = path.last().is_some_and(|step| step.in_list);
            let suits = is_list || matches!(root.value, Value::Map(_));
            let mut score = if suits { score(sample, schema, 0) } else { 0 };
            if score > 0 {
                score += votes.iter().map(|vote| vote.weigh(spec.family, &path)).sum::<i32>();
            }
            if score > 0 && best.as_ref().is_none_or(|known| score > known.score) {
                best = Some(Fit { score, spec, path: path.clone(), schema });
            }
            if path.len() < MAX_PATH {
                open.extend(below(&path, schema));
            }
        }
    }
    best
}

fn below(
    path: &[FragmentStep],
    schema: &'static Schema,
) -> Vec<(Vec<FragmentStep>, &'static Schema)> {
    let Type::Object(fields) = &schema.ty else { return Vec::new() };
    let steps = fields.iter().filter_map(|field| {
        let (in_list, inner) = match &field.schema.ty {
            Type::List(item) => (true, &**item),
            _ => (false, &field.schema),
        };
        let is_object = matches!(inner.ty, Type::Object(_)) && &*field.name != "managedFields";
        is_object.then(|| {
            let step = FragmentStep { key: &field.name, in_list };
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
