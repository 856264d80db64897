//! FL1601 bad-envelope-entry.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::syntax::tree::Value;

declare_rule! {
    /// An envelope entry that is not a whole manifest.
    ///
    /// ## Why it matters
    /// The API server only asks for a map; the agent needs apiVersion, kind and a name, and otherwise fails the
    /// placement on every cluster.
    ///
    /// ## What to do
    /// Write the whole object under the key.
    pub static BAD_ENVELOPE_ENTRY = Rule {
        code: "FL1601",
        name: "bad-envelope-entry",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Envelope],
        check: bad_envelope_entry,
    }
}

fn bad_envelope_entry(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Envelope) {
        let entries = manifest.stored().get("data").map(|data| data.entries());
        for (key, entry) in entries.unwrap_or_default() {
            if !matches!(entry.node.value, Value::Map(_)) {
                continue;
            }
            let named = entry
                .at(&["metadata", "name"])
                .is_some_and(|name| name.str().is_some_and(|text| !text.is_empty()));
            let lacks = ["apiVersion", "kind"]
                .into_iter()
                .find(|key| entry.text(key).is_none_or(str::is_empty));
            let Some(lacks) = lacks.or((!named).then_some("metadata.name")) else { continue };
            let finding = BAD_ENVELOPE_ENTRY
                .on(&entry.key_place(), format!("no {lacks}"))
                .message(format!(
                    "`{key}` in {} {} has no {lacks}",
                    manifest.key.kind,
                    manifest.name()
                ))
                .why(
                    "each entry has to be a whole manifest, or the work of the placement \
                     cannot be made",
                );
            cx.report(finding);
        }
    }
}
