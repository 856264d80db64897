//! FL1504 bad-patch-path.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::rule::Cx;

declare_rule! {
    /// A patch of something that may not be patched, or of nothing.
    ///
    /// ## Why it matters
    /// A path starts with `/` and has no empty part; kind, apiVersion, status and metadata other than labels
    /// and annotations may not be overridden. The webhook refuses it.
    ///
    /// ## What to do
    /// Correct the path.
    pub static BAD_PATCH_PATH = Rule {
        code: "FL1504",
        name: "bad-patch-path",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Override],
        check: bad_patch_path,
    }
}

fn bad_patch_path(cx: &mut Cx<'_>) {
    for item in cx.drafts::<Override>() {
        for path in item.patches().filter_map(|patch| patch.path.as_ref()) {
            let Some(why) = trouble(path) else { continue };
            let finding = BAD_PATCH_PATH
                .at_field(&path.place(), why)
                .layer(cx.hook_layer(item.manifest))
                .message(format!("a patch of {} is refused: {why}", item.show()))
                .why(
                    "only labels, annotations and what is neither metadata nor status can be \
                     overridden",
                );
            cx.report(finding);
        }
    }
}

fn trouble(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        return Some("path cannot be empty");
    }
    let Some(rest) = path.strip_prefix('/') else { return Some("path must start with /") };
    let parts: Vec<&str> = rest.split('/').collect();
    match parts.as_slice() {
        ["kind" | "apiVersion", ..] => Some("cannot override typeMeta fields"),
        ["metadata"] => Some("cannot override field metadata"),
        ["metadata", part, ..] if !matches!(*part, "labels" | "annotations") => {
            Some("cannot override metadata fields except annotations and labels")
        }
        ["status", ..] => Some("cannot override status fields"),
        // A part of blanks alone counts as empty.
        parts if parts.iter().any(|part| part.trim().is_empty()) => {
            Some("path cannot contain empty string")
        }
        _ => None,
    }
}
