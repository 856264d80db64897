//! FL1601 bad-envelope-entry.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::envelope::{Envelope, EnvelopedObject};
use crate::model::read::Text;
use crate::rule::Cx;

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
    for envelope in cx.drafts::<Envelope>() {
        for entry in envelope.entries.iter().filter(|entry| entry.is_map) {
            let Some(lacks) = find_lack(entry) else { continue };
            let finding = BAD_ENVELOPE_ENTRY
                .at_field(&entry.site.key_place(), format!("no {lacks}"))
                .message(format!("`{}` in {} has no {lacks}", entry.key, envelope.show()))
                .why(
                    "each entry has to be a whole manifest, or the work of the placement \
                     cannot be made",
                );
            cx.report(finding);
        }
    }
}

/// Returns the first of its necessary fields that is not there.
fn find_lack(entry: &EnvelopedObject) -> Option<&'static str> {
    let needed =
        [("apiVersion", &entry.api_version), ("kind", &entry.kind), ("metadata.name", &entry.name)];
    let lacks = |text: &Option<Text>| text.as_deref().is_none_or(str::is_empty);
    needed.into_iter().find_map(|(field, text)| lacks(text).then_some(field))
}
