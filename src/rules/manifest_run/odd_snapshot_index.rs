//! FL1206 odd-snapshot-index.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::run::Run;
use crate::model::snapshot::is_snapshot_index;
use crate::rule::Cx;

declare_rule! {
    /// A resource snapshot index that is no index.
    ///
    /// ## Why it matters
    /// The API server takes any text. The controller wants an integer from 0 on and looks it up letter by
    /// letter, so `01` and `+1` find nothing; the run fails once and for ever.
    ///
    /// ## What to do
    /// Write the index as `kubectl get` shows it, in quotes.
    pub static ODD_SNAPSHOT_INDEX = Rule {
        code: "FL1206",
        name: "odd-snapshot-index",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Run],
        check: odd_snapshot_index,
    }
}

fn odd_snapshot_index(cx: &mut Cx<'_>) {
    for run in cx.drafts::<Run>() {
        let Some(index) = run.index.as_ref().filter(|index| !index.is_empty()) else { continue };
        if is_snapshot_index(index) {
            continue;
        }
        let finding = ODD_SNAPSHOT_INDEX
            .at_field(&index.place(), "an integer from 0 on")
            .message(format!(
                "run {} asks for the resource snapshot `{}`, which cannot exist",
                run.name(),
                &**index
            ))
            .why("the run fails at initialization");
        cx.report(finding);
    }
}
