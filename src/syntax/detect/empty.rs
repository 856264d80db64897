//! A list without items is an answer too: nothing of its kind was there.
//!
//! Owns the reading of `kind: ClusterStagedUpdateRunList` with `items: []`, and of the bare `List`
//! that kubectl prints, whose kind only the command or the name of the file tells.

use crate::grammar::kind::find_kind;
use crate::syntax::text_view::TextView;
use crate::syntax::{Absence, Absent, Context};

/// The longest text that an empty list takes.
const LONGEST: usize = 1000;

/// Reads a text without objects as an empty list.
pub(super) fn empty_list(view: &TextView<'_>, context: &Context) -> Option<Absence> {
    let text = view.text();
    if text.len() > LONGEST || !has_no_items(text) {
        return None;
    }
    let list = value_of(text, "kind")?.strip_suffix("List")?;
    let kind = if list.is_empty() { context.kind.clone()? } else { find_kind(list)?.name.into() };
    let namespace = context.namespace.clone().or(view.source().origin().namespace.clone());
    Some(Absence {
        what: Absent::All,
        kind: Some(kind),
        name: None,
        namespace,
        cluster: context.cluster.clone(),
        span: view.full_span(),
    })
}

fn has_no_items(text: &str) -> bool {
    let Some((_, rest)) = text.split_once("items") else { return false };
    let rest = rest.trim_start_matches(['"', ':', ' ']);
    rest.starts_with("[]") || rest.starts_with("null")
}

/// Returns the word behind a key of YAML or JSON.
fn value_of<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(key)?;
    let rest = rest.trim_start_matches(['"', ':', ' ']);
    rest.split(|at: char| !at.is_ascii_alphanumeric()).next()
}
