//! [`Repository`]: every manifest that is judged or looked up, from a set of sources.
//!
//! Owns the reading of files, the pairing of old and new, and the lookup by kind and name. It reads
//! text that is in memory; which files belong to it is decided by the command line.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::fault::{Fault, FaultKind, list_first};
use super::fleet::read_members;
use super::hook::{MUTATED, fill_in, rewrite};
use super::identity::identify;
use super::kustomize::Kustomize;
use super::metadata::judge_metadata;
use super::shape::judge_body;
use super::stored::stored;
use super::template::{LEFT_OUT, find_cut, find_hole};
use super::together::Together;
use super::update::judge_changes;
use super::{Before, Definition, Foreign, Manifest, Operation};
use crate::grammar::kind::{Kind, Scope};
use crate::graph::{Locate, Located, field_under};
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;
use crate::model::object::Object;
use crate::source::{SourceFile, Sources, Span};
use crate::syntax::tree::{Node, Value};
use crate::syntax::view::View;
use crate::syntax::yaml::parse_manifests;
use crate::syntax::{Document, ProblemKind, Syntax};

/// Why a file was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// To be judged.
    Judged,
    /// It holds what is stored so far.
    Old,
    /// To look things up in.
    Context,
    /// It tells of member clusters, in whatever form.
    Members,
    /// It holds no manifests: a configuration, a baseline.
    Aside,
}

/// Whether the hub has its admission webhooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Webhooks {
    /// As an installation has.
    #[default]
    On,
    /// Only the API server judges.
    Off,
}

/// Whether it is known what else there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Surroundings {
    /// All of it is stored on one hub: what is referred to and not here is missing.
    #[default]
    Stored,
    /// A repository, of which parts may be for different hubs.
    Repository,
    /// Some files without a repository around them: nothing can be missed.
    Unknown,
}

/// What is assumed about the hub.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setting {
    /// Whether the webhooks are there.
    pub webhooks: Webhooks,
    /// Whether it is known what else is stored.
    pub surroundings: Surroundings,
}

/// Kind, namespace and name of an object.
type Name = (Box<str>, Box<str>, Box<str>);

/// All manifests together.
#[derive(Debug, Default)]
pub struct Repository {
    /// In the order of the sources.
    pub manifests: Vec<Manifest>,
    /// What is assumed about the hub.
    pub setting: Setting,
    /// Objects of other kinds that these speak of.
    pub foreign: Vec<Foreign>,
    /// Kinds that the files define.
    pub definitions: Vec<Definition>,
    by_name: BTreeMap<Name, Vec<usize>>,
    /// What is applied together.
    pub(super) together: Together,
    /// Documents that are not judged because they are to be filled in first, and what shows it.
    pub templates: Vec<(Span, &'static str)>,
    /// How many files were read.
    pub files: usize,
    /// Documents of other kinds, and files that were not even parsed.
    pub skipped: usize,
}

impl Repository {
    /// Reads all sources; `roles` tells why each was read.
    pub fn read(sources: &Sources, roles: &[Role], setting: Setting) -> Self {
        let kustomize = Kustomize::read(sources);
        let mut repository = Self { setting, ..Self::default() };
        for (source, role) in sources.iter().zip(roles) {
            if *role == Role::Aside {
                continue;
            }
            repository.files += 1;
            if *role == Role::Members {
                repository.manifests.extend(read_members(source));
            } else if mentions_fleet(source.text()) {
                repository.read_source(source, *role, &kustomize);
            } else {
                repository.skipped += 1;
            }
        }
        for (index, manifest) in repository.manifests.iter().enumerate() {
            let key = &manifest.key;
            let name = (key.kind.clone(), key.namespace.clone(), key.name.clone());
            repository.by_name.entry(name).or_default().push(index);
        }
        repository.together = Together::read(sources, &repository.manifests, &kustomize);
        repository.judge();
        repository.read_foreign(sources, roles, &kustomize);
        repository.read_definitions(sources, roles);
        repository
    }

    fn read_source(&mut self, source: &SourceFile, role: Role, kustomize: &Kustomize) {
        let view = View::whole(source, source.span());
        let patch = kustomize.is_patch(source.path());
        for document in parse_manifests(&view, &|_| true) {
            let hole = if patch { patched(&document) } else { hole_of(&document, source) };
            if let Some(hole) = hole.filter(|_| source.path() != STDIN) {
                if role == Role::Judged {
                    self.templates.push(hole);
                }
                continue;
            }
            match read_document(document, source, role, self.setting) {
                Some(manifest) => self.manifests.push(manifest),
                None => self.skipped += 1,
            }
        }
    }

    fn judge(&mut self) {
        for index in 0..self.manifests.len() {
            let Some(manifest) = self.manifests.get(index) else { continue };
            if manifest.role != Role::Judged {
                continue;
            }
            let Some(schema) = manifest.schema else { continue };
            let before = self.find_before(index).and_then(|index| {
                let before = self.manifests.get(index)?;
                let tree = stored(before.stored_tree(), schema);
                let object = typed(before.key.clone(), before.span, manifest.family(), tree);
                Some(Before { index, object })
            });
            if let Some(manifest) = self.manifests.get_mut(index) {
                manifest.before = before;
                judge_shape(manifest, self.setting);
            }
        }
    }

    /// Finds the old object that a manifest replaces.
    fn find_before(&self, index: usize) -> Option<usize> {
        let key = &self.manifests.get(index)?.key;
        let old = |at: &&usize| self.manifests.get(**at).is_some_and(|m| m.role == Role::Old);
        self.named(&key.kind, &key.namespace, &key.name).iter().find(old).copied()
    }

    fn named(&self, kind: &str, namespace: &str, name: &str) -> &[usize] {
        let key = (kind.into(), namespace.into(), name.into());
        self.by_name.get(&key).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns what is judged.
    pub fn judged(&self) -> impl Iterator<Item = &Manifest> {
        self.manifests.iter().filter(|manifest| manifest.role == Role::Judged)
    }

    /// Returns what will be there: what is judged and what it is looked up in.
    pub fn present(&self) -> impl Iterator<Item = &Manifest> {
        self.manifests.iter().filter(|manifest| manifest.role != Role::Old)
    }

    /// Returns what will be there of a family.
    pub fn of(&self, family: Kind) -> impl Iterator<Item = &Manifest> {
        self.present().filter(move |manifest| manifest.family() == Some(family))
    }

    /// Finds an object that will be there, what is judged first.
    pub fn find(&self, kind: &str, namespace: &str, name: &str) -> Option<&Manifest> {
        self.find_all(kind, namespace, name).next()
    }

    /// Returns all definitions of an object that will be there.
    pub(super) fn find_all(
        &self,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> impl Iterator<Item = &Manifest> {
        let found = self.named(kind, namespace, name).iter();
        found.filter_map(|at| self.manifests.get(*at)).filter(|found| found.role != Role::Old)
    }
}

impl Repository {
    /// Finds the object whose text a span stands in.
    pub fn object_at(&self, span: Span) -> Option<&ObjectKey> {
        self.manifest_at(span).map(|manifest| &manifest.key)
    }

    /// Finds another object of the same kind and name that will be there.
    pub fn find_twin(&self, manifest: &Manifest) -> Option<&Manifest> {
        let key = &manifest.key;
        let twins = self.named(&key.kind, &key.namespace, &key.name).iter();
        let twins = twins.filter_map(|at| self.manifests.get(*at));
        twins
            .filter(|twin| matches!(twin.role, Role::Judged | Role::Context))
            .find(|twin| twin.span != manifest.span)
    }

    fn manifest_at(&self, span: Span) -> Option<&Manifest> {
        let place = (span.source, span.lo);
        let after = self.manifests.partition_point(|m| (m.span.source, m.span.lo) <= place);
        let manifest = self.manifests.get(after.checked_sub(1)?)?;
        let inside = manifest.span.source == span.source && span.lo <= manifest.span.hi;
        inside.then_some(manifest)
    }
}

impl Locate for Repository {
    fn locate(&self, span: Span) -> Option<Located> {
        let manifest = self.manifest_at(span)?;
        Some(Located::within(&manifest.key, &manifest.root, span))
    }
}

/// The name of what comes through standard input.
pub(super) const STDIN: &str = "<stdin>";

/// Finds the kind of a document of ours that kustomize merges into another.
fn patched(document: &Document) -> Option<(Span, &'static str)> {
    let root = document.root.as_ref().filter(|root| identify(root).is_some())?;
    Some((root.get("kind")?.span, "kustomize merges this into another manifest"))
}

/// Finds what shows that a document of ours is a template.
fn hole_of(document: &Document, source: &SourceFile) -> Option<(Span, &'static str)> {
    let find = |kind: ProblemKind| document.problems.iter().find(|problem| problem.kind == kind);
    if let Some(problem) = find(ProblemKind::Template) {
        return Some((problem.span, "a template is to be filled in here"));
    }
    if find(ProblemKind::Malformed).is_some()
        && let Some(cut) = find_cut(source, document.span)
    {
        return Some((cut, LEFT_OUT));
    }
    let root = document.root.as_ref()?;
    identify(root).and_then(|_| find_hole(root))
}

/// Says whether a text can hold anything of KubeFleet; what does not is not even parsed.
pub fn mentions_fleet(text: &str) -> bool {
    const HINTS: [&str; 9] = [
        "kubernetes-fleet",
        "kubefleet",
        "fleet.azure.com",
        "StagedUpdate",
        "ApprovalRequest",
        "ResourcePlacement",
        "ResourceOverride",
        "ResourceEnvelope",
        "MemberCluster",
    ];
    HINTS.iter().any(|hint| memchr::memmem::find(text.as_bytes(), hint.as_bytes()).is_some())
}

fn read_document(
    document: Document,
    source: &SourceFile,
    role: Role,
    setting: Setting,
) -> Option<Manifest> {
    let mut faults: Vec<Fault> = Vec::new();
    let mut broken = document.root.is_none();
    for problem in document.problems {
        let path = document.root.as_ref().map(|root| field_under(root, problem.span));
        let path = path.unwrap_or_default();
        let kind = match problem.kind {
            ProblemKind::DuplicateKey => {
                let key = source.slice(problem.span).to_owned();
                FaultKind::DuplicateKey(key, problem.other)
            }
            _ => {
                broken = true;
                FaultKind::Malformed(problem.message)
            }
        };
        faults.push(Fault { kind, place: super::Place { span: problem.span, path } });
    }
    let span = document.span;
    let root = document.root.map(Arc::unwrap_or_clone);
    let root = root.unwrap_or_else(|| Node::new(span.start(), Value::Null));
    let identity = identify(&root);
    // What cannot be read and names no other kind counts as ours: its file mentions KubeFleet.
    let foreign = root.get("kind").is_some() && root.get("apiVersion").is_some();
    if identity.is_none() && (!broken || foreign) {
        return None;
    }
    let (spec, schema) = match identity {
        Some(identity) => {
            faults.extend(identity.faults);
            (identity.spec, identity.schema.filter(|_| !broken))
        }
        None => (None, None),
    };
    let text = |path: &[&str]| root.at(path).and_then(Node::as_str).unwrap_or_default();
    let namespaced = spec.is_none_or(|spec| spec.scope == Scope::Namespaced);
    let namespace = if namespaced { text(&["metadata", "namespace"]) } else { "" };
    let key = ObjectKey::on_hub(text(&["kind"]), namespace, text(&["metadata", "name"]));
    let version = text(&["apiVersion"]).rsplit('/').next().unwrap_or_default().into();
    let mutated = setting.webhooks == Webhooks::On && &*key.kind == MUTATED;
    let stored = match schema {
        Some(schema) if mutated => stored(&fill_in(rewrite(&root, schema)), schema),
        Some(schema) => stored(&root, schema),
        None => root.clone(),
    };
    let object = typed(key.clone(), span, spec.map(|spec| spec.family), stored);
    let comments = document.comments;
    let before = None;
    Some(Manifest {
        role,
        key,
        span,
        root,
        spec,
        version,
        schema,
        comments,
        object,
        faults,
        untold: BTreeMap::new(),
        before,
    })
}

/// Reads what would be stored. Its tree is traced: what the server fills in has no text to find it by.
fn typed(key: ObjectKey, span: Span, family: Option<Kind>, tree: Node) -> Object {
    let meta = Meta::read(key, span, Syntax::Yaml, false, Arc::new(tree.traced()));
    Object::read(family, Arc::new(meta))
}

/// Adds the faults that follow from the shape of the kind.
fn judge_shape(manifest: &mut Manifest, setting: Setting) {
    let mutated = setting.webhooks == Webhooks::On && &*manifest.key.kind == MUTATED;
    let (Some(spec), Some(schema)) = (manifest.spec, manifest.schema) else { return };
    let operation = if manifest.before.is_some() { Operation::Update } else { Operation::Create };
    let mut faults = if mutated {
        judge_body(&rewrite(&manifest.root, schema), schema, spec.status_subresource)
    } else {
        judge_body(&manifest.root, schema, spec.status_subresource)
    };
    faults.retain(|fault| !(fault.kind.is_ratcheted() && manifest.is_ratcheted(&fault.place)));
    faults.extend(judge_metadata(manifest, schema, spec.scope, operation));
    if let Some(before) = &manifest.before {
        let old = &before.object.meta().root;
        faults.extend(judge_changes(manifest.stored_tree(), old, schema));
    }
    manifest.faults.append(&mut faults);
    manifest.untold = list_first(&mut manifest.faults);
}
