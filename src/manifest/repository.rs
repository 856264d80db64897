//! [`Repository`]: every manifest that is judged or looked up, from a set of sources.
//!
//! Owns the pairing of old and new, and the lookup by kind and name. One file is read by [`super::contents`]; which
//! files belong to it is decided by the command line.

use std::collections::BTreeMap;

use rayon::prelude::*;
use smol_str::SmolStr;

use super::applied_together::AppliedTogether;
use super::contents::{Contents, typed};
use super::fault::list_first;
use super::kustomize::Kustomize;
use super::metadata::judge_metadata;
use super::mutating_webhook::{MUTATED, rewrite};
use super::schema_check::judge_body;
use super::stored::stored;
use super::update_check::judge_changes;
use super::{Definition, Manifest, Operation, OtherObject, StoredBefore};
use crate::grammar::kind::Kind;
use crate::graph::{Locate, Located};
use crate::model::key::ObjectKey;
use crate::source::{SourceFile, Sources, Span};

/// Why a file was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileRole {
    /// To be judged.
    Judged,
    /// It holds what is stored so far.
    Old,
    /// To look things up in.
    Context,
    /// It tells of member clusters, in whatever form.
    Members,
    /// It holds no manifests: a configuration, a baseline.
    Config,
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
type Name = (SmolStr, SmolStr, SmolStr);

/// All manifests together.
#[derive(Debug, Default)]
pub struct Repository {
    /// In the order of the sources.
    pub manifests: Vec<Manifest>,
    /// What is assumed about the hub.
    pub setting: Setting,
    /// Objects of other kinds that these speak of.
    pub foreign: Vec<OtherObject>,
    /// Kinds that the files define.
    pub definitions: Vec<Definition>,
    by_name: BTreeMap<Name, Vec<usize>>,
    /// What is applied together.
    pub(super) together: AppliedTogether,
    /// Documents that are not judged because they are to be filled in first, and what shows it.
    pub templates: Vec<(Span, &'static str)>,
    /// How many files were read.
    pub files: usize,
    /// Documents of other kinds, and files that were not even parsed.
    pub skipped: usize,
}

impl Repository {
    /// Reads all sources; `roles` tells why each was read.
    pub fn read(sources: &Sources, roles: &[FileRole], setting: Setting) -> Self {
        let kustomize = Kustomize::read(sources);
        let mut repository = Self { setting, ..Self::default() };
        let files: Vec<(&SourceFile, FileRole)> =
            sources.iter().zip(roles.iter().copied()).collect();
        let read: Vec<Option<Contents>> = files
            .par_iter()
            .map(|(file, role)| Contents::of(file, *role, &kustomize, setting))
            .collect();
        for contents in read.into_iter().flatten() {
            repository.files += 1;
            repository.skipped += contents.skipped;
            repository.manifests.extend(contents.manifests);
            repository.templates.extend(contents.templates);
        }
        for (index, manifest) in repository.manifests.iter().enumerate() {
            let key = &manifest.key;
            let name = (key.kind.clone(), key.namespace.clone(), key.name.clone());
            repository.by_name.entry(name).or_default().push(index);
        }
        repository.together = AppliedTogether::read(sources, &repository.manifests, &kustomize);
        repository.judge();
        repository.read_foreign(sources, roles, &kustomize);
        repository.read_definitions(sources, roles);
        repository
    }

    fn judge(&mut self) {
        let befores: Vec<Option<StoredBefore>> =
            (0..self.manifests.len()).into_par_iter().map(|index| self.before(index)).collect();
        let setting = self.setting;
        self.manifests.par_iter_mut().zip(befores).for_each(|(manifest, before)| {
            if manifest.role == FileRole::Judged && manifest.schema.is_some() {
                manifest.before = before;
                judge_shape(manifest, setting);
            }
        });
    }

    /// Makes what a judged manifest replaces, as the same version shows it.
    fn before(&self, index: usize) -> Option<StoredBefore> {
        let manifest = self.manifests.get(index).filter(|it| it.role == FileRole::Judged)?;
        let schema = manifest.schema?;
        let index = self.find_before(index)?;
        let before = self.manifests.get(index)?;
        let tree = stored(before.stored_tree(), schema);
        let object = typed(before.key.clone(), before.span, manifest.family(), tree);
        Some(StoredBefore { index, object })
    }

    /// Finds the old object that a manifest replaces.
    fn find_before(&self, index: usize) -> Option<usize> {
        let key = &self.manifests.get(index)?.key;
        let old = |at: &&usize| self.manifests.get(**at).is_some_and(|m| m.role == FileRole::Old);
        self.named(&key.kind, &key.namespace, &key.name).iter().find(old).copied()
    }

    fn named(&self, kind: &str, namespace: &str, name: &str) -> &[usize] {
        let key = (kind.into(), namespace.into(), name.into());
        self.by_name.get(&key).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns what is judged.
    pub fn judged(&self) -> impl Iterator<Item = &Manifest> {
        self.manifests.iter().filter(|manifest| manifest.role == FileRole::Judged)
    }

    /// Returns what will be there: what is judged and what it is looked up in.
    pub fn present(&self) -> impl Iterator<Item = &Manifest> {
        self.manifests.iter().filter(|manifest| manifest.role != FileRole::Old)
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
        found.filter_map(|at| self.manifests.get(*at)).filter(|found| found.role != FileRole::Old)
    }
}

impl Repository {
    /// Finds the object whose text a span stands in.
    pub fn object_at(&self, span: Span) -> Option<&ObjectKey> {
        self.manifest_at(span).map(|manifest| &manifest.key)
    }

    /// Finds another object of the same kind and name that will be there: of a repository one in the same folder, since
    /// several folders are for several hubs.
    pub fn find_twin(&self, manifest: &Manifest) -> Option<&Manifest> {
        let key = &manifest.key;
        let twins = self.named(&key.kind, &key.namespace, &key.name).iter();
        let twins = twins.filter_map(|at| self.manifests.get(*at));
        let stored = self.setting.surroundings == Surroundings::Stored;
        twins
            .filter(|twin| matches!(twin.role, FileRole::Judged | FileRole::Context))
            .filter(|twin| stored || self.is_same_folder(manifest.span, twin.span))
            .find(|twin| twin.span != manifest.span)
    }

    /// Returns the text of the object in which a span stands.
    pub fn span_at(&self, span: Span) -> Option<Span> {
        self.manifest_at(span).map(|manifest| manifest.span)
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
    manifest.unlisted = list_first(&mut manifest.faults);
}
