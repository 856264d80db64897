//! One file to manifests: which of its documents are KubeFleet's, and what each says.
//!
//! Owns the reading of a document into a [`Manifest`], and what is left out because it is to be filled in first. It
//! leaves everything that takes a second file to [`super::repository`].

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::Manifest;
use super::fault::{FaultKind, MOST_LISTED, ManifestFault};
use super::identity::identify;
use super::kustomize::Kustomize;
use super::markdown_blocks::yaml_blocks;
use super::members::read_members;
use super::mutating_webhook::{MUTATED, fill_in, rewrite};
use super::repository::{FileRole, Setting, Webhooks};
use super::stored::stored;
use super::template::{LEFT_OUT, find_cut, find_hole};
use crate::grammar::kind::{Kind, Scope};
use crate::graph::field_under;
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;
use crate::model::object::Object;
use crate::source::{SourceFile, Span};
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Node, Value};
use crate::syntax::yaml::parse_manifests;
use crate::syntax::{Document, ProblemKind, Syntax};

/// What one file holds.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) manifests: Vec<Manifest>,
    pub(super) templates: Vec<(Span, &'static str)>,
    /// Documents of other kinds, or the whole file.
    pub(super) skipped: usize,
}

impl Contents {
    /// Reads a file, unless it holds no manifests by its role.
    pub(super) fn of(
        source: &SourceFile,
        role: FileRole,
        kustomize: &Kustomize,
        setting: Setting,
    ) -> Option<Self> {
        let mut contents = Self::default();
        match role {
            FileRole::Config => return None,
            FileRole::Members => contents.manifests = read_members(source),
            _ if !mentions_fleet(source.text()) => contents.skipped = 1,
            _ if is_markdown(source.path()) => {
                for block in yaml_blocks(source) {
                    contents.read(source, &block, role, kustomize, setting);
                }
            }
            _ => contents.read(
                source,
                &TextView::whole(source, source.span()),
                role,
                kustomize,
                setting,
            ),
        }
        Some(contents)
    }

    fn read(
        &mut self,
        source: &SourceFile,
        view: &TextView<'_>,
        role: FileRole,
        kustomize: &Kustomize,
        setting: Setting,
    ) {
        let patch = kustomize.is_patch(source.path());
        for document in parse_manifests(view, &|_| true) {
            let hole = if patch { patched(&document) } else { hole_of(&document, source) };
            if let Some(hole) = hole.filter(|_| source.path() != STDIN) {
                if role == FileRole::Judged {
                    self.templates.push(hole);
                }
                continue;
            }
            match read_document(document, source, role, setting) {
                Some(manifest) => self.manifests.push(manifest),
                None => self.skipped += 1,
            }
        }
    }
}

/// Says whether a file is Markdown, of which the YAML blocks are judged.
pub fn is_markdown(path: &str) -> bool {
    path.ends_with(".md") || path.ends_with(".markdown")
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
    role: FileRole,
    setting: Setting,
) -> Option<Manifest> {
    let mut faults: Vec<ManifestFault> = Vec::new();
    let mut broken = document.root.is_none();
    for problem in document.problems {
        // No more are listed.
        let root = document.root.as_ref().filter(|_| faults.len() < 4 * MOST_LISTED);
        let path = root.map(|root| field_under(root, problem.span));
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
        faults.push(ManifestFault { kind, place: super::FieldPlace { span: problem.span, path } });
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
        unlisted: BTreeMap::new(),
        before,
        may_change: OnceLock::new(),
    })
}

/// Reads what would be stored. Its tree is traced: what the server fills in has no text to find it by.
pub(super) fn typed(key: ObjectKey, span: Span, family: Option<Kind>, tree: Node) -> Object {
    let meta = Meta::read(key, span, Syntax::Yaml, false, Arc::new(tree.traced()));
    Object::read(family, Arc::new(meta))
}
