//! FL1002 repeated-key.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::manifest::FaultKind;
use crate::rule::Cx;

declare_rule! {
    /// A key that stands twice in one map.
    ///
    /// ## Why it matters
    /// The API server refuses such text when it sees it; kubectl drops one of the two values before it sends
    /// the object, without a word.
    ///
    /// ## What to do
    /// Keep the one that is meant.
    pub static REPEATED_KEY = Rule {
        code: "FL1002",
        name: "repeated-key",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: repeated_key,
    }
}

fn repeated_key(cx: &mut Cx<'_>) {
    for (_, fault) in cx.faults() {
        let FaultKind::DuplicateKey(key, first) = &fault.kind else { continue };
        let finding = REPEATED_KEY
            .at_field(&fault.place, "stands here again")
            .also_at(*first, "stood here first")
            .message(format!("the key `{key}` is given twice in one map"))
            .why("the API server refuses it, and kubectl silently drops one of the values");
        cx.report(finding);
    }
}
