//! FL1326 bad-toleration-syntax.

use std::collections::BTreeSet;

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::kube::names::{key_trouble, value_trouble};
use crate::manifest::FieldPlace;
use crate::model::placement::Placement;
use crate::model::scheduling::PlacementToleration;
use crate::rule::Cx;

declare_rule! {
    /// A toleration that no taint can have, or one that is repeated.
    ///
    /// ## Why it matters
    /// Keys and values have the syntax of labels, and each toleration stands once; the webhook of
    /// ClusterResourcePlacement refuses others.
    ///
    /// ## What to do
    /// Correct or remove it.
    pub static BAD_TOLERATION_SYNTAX = Rule {
        code: "FL1326",
        name: "bad-toleration-syntax",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        check: bad_toleration_syntax,
    }
}

fn bad_toleration_syntax(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let tolerations = placement.policy.tolerations();
        let mut seen = BTreeSet::new();
        for toleration in &tolerations {
            for (place, why) in troubles(toleration, seen.insert(toleration.words())) {
                let finding = BAD_TOLERATION_SYNTAX
                    .at_field(&place, "not allowed")
                    .layer(cx.hook_layer(placement.manifest))
                    .message(format!("a toleration of {} is refused: {why}", placement.show()))
                    .why(
                        "keys and values have the syntax of labels, and each toleration stands \
                         once",
                    );
                cx.report(finding);
            }
        }
    }
}

/// Finds what is wrong with a toleration; `first` tells whether none of the same words stands before it.
fn troubles(toleration: &PlacementToleration, first: bool) -> Vec<(FieldPlace, String)> {
    let key = toleration.key.as_ref().filter(|key| !key.is_empty());
    let key = key.and_then(|key| Some((key.place(), key_trouble(key)?)));
    let value = toleration.value.as_ref();
    let value = value.and_then(|value| Some((value.place(), value_trouble(value)?)));
    let repeated = (!first).then(|| (toleration.site.place(), "it stands here before".to_owned()));
    key.into_iter().chain(value).chain(repeated).collect()
}
