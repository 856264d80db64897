//! Which kind a table is of: told by a prefix of its names, by its command, or by its columns.
//!
//! Columns are compared with those that `grammar/kinds` states. Twins share their columns: then a
//! namespace decides, else the cluster-scoped one is taken and the guess is marked.
//! Invariant: a table whose columns fit no kind, or several families, is of no kind.

use super::header::Header;
use crate::grammar::kind::{Column, Kind, KindSpec, Scope, all_kinds, find_kind};
use crate::syntax::Context;
use crate::syntax::tree::Fidelity;

/// Columns that any table may have.
const COMMON: [&str; 5] = ["NAME", "NAMESPACE", "AGE", "LABELS", "EVENT"];

/// The kind of a table's rows, and whether it was guessed.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableKind {
    pub(super) spec: &'static KindSpec,
    pub(super) fidelity: Fidelity,
}

/// Finds the kind of a table by its command or its columns.
pub(super) fn find_owner(header: &Header, context: &Context) -> Option<TableKind> {
    let told = context.kind.as_deref().and_then(find_kind).filter(|spec| suits(spec, header));
    if let Some(spec) = told {
        let fidelity = if context.command.is_some() { Fidelity::Read } else { Fidelity::Inferred };
        let namespaced = header.find("NAMESPACE").is_some() && spec.scope == Scope::Cluster;
        let twin = if namespaced { twin(spec) } else { None };
        return Some(TableKind { spec: twin.unwrap_or(spec), fidelity });
    }
    let fits = |test: fn(&'static KindSpec, &Header) -> bool| {
        let specs: Vec<_> = all_kinds().iter().filter(|spec| test(spec, header)).collect();
        let family = specs.first()?.family;
        specs.iter().all(|spec| spec.family == family).then_some(specs)
    };
    let specs = fits(shows_all).or_else(|| fits(shows_some)).or_else(|| fits(shows_more))?;
    let namespaced = header.find("NAMESPACE").is_some() || context.namespace.is_some();
    let scope = if namespaced { Scope::Namespaced } else { Scope::Cluster };
    let in_scope = specs.iter().find(|spec| spec.scope == scope).or(specs.first())?;
    Some(TableKind { spec: in_scope, fidelity: Fidelity::Inferred })
}

fn twin(spec: &KindSpec) -> Option<&'static KindSpec> {
    all_kinds().iter().find(|other| {
        other.family == spec.family && other.scope != spec.scope && other.group == spec.group
    })
}

/// Finds a column of a kind by its heading, which may be cut.
pub(super) fn find_column(spec: &'static KindSpec, name: &str) -> Option<&'static Column> {
    let mut columns = spec.columns().iter();
    match name.strip_suffix("...").or_else(|| name.strip_suffix('…')) {
        Some(start) => columns.find(|column| column.name.starts_with(start)),
        None => columns.find(|column| *column.name == *name),
    }
}

fn own_names(header: &Header) -> impl Iterator<Item = &str> {
    header.columns.iter().map(|(name, _)| name.as_str()).filter(|name| !COMMON.contains(name))
}

/// Says whether a kind can have printed a table: it knows more of its columns than not.
fn suits(spec: &'static KindSpec, header: &Header) -> bool {
    let known = own_names(header).filter(|name| find_column(spec, name).is_some()).count();
    let foreign = own_names(header).count() - known;
    foreign == 0 || known > foreign || spec.family == Kind::Other
}

/// Returns the columns that every release and every table of a kind shows.
fn default_columns(spec: &'static KindSpec) -> impl Iterator<Item = &'static Column> {
    spec.columns().iter().filter(|column| {
        !column.wide
            && !column.old
            && column.versions.is_empty()
            && !COMMON.contains(&&*column.name)
    })
}

/// Says whether a table shows all that a kind shows by default, and nothing else.
fn shows_all(spec: &'static KindSpec, header: &Header) -> bool {
    own_names(header).next().is_some()
        && own_names(header).all(|name| find_column(spec, name).is_some())
        && default_columns(spec).all(|column| header.find(&column.name).is_some())
}

/// Says whether a table shows what a kind shows by default, and columns that the user asked for.
fn shows_more(spec: &'static KindSpec, header: &Header) -> bool {
    default_columns(spec).count() >= 2
        && default_columns(spec).all(|column| header.find(&column.name).is_some())
}

/// Says whether a table shows two or more columns of a kind and no other: its right end was cut.
fn shows_some(spec: &'static KindSpec, header: &Header) -> bool {
    own_names(header).count() >= 2
        && own_names(header).all(|name| find_column(spec, name).is_some())
}
