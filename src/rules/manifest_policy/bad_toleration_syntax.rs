//! FL1326 bad-toleration-syntax.

use std::collections::BTreeSet;

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::kube::names::{key_trouble, value_trouble};
use crate::manifest::At;
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
    for manifest in cx.of(Kind::Placement) {
        let policy = manifest.stored().at(&["spec", "policy"]);
        let mut seen = BTreeSet::new();
        for toleration in policy.map(|policy| policy.list("tolerations")).unwrap_or_default() {
            let mut troubles = Vec::new();
            if let Some(why) =
                toleration.text("key").filter(|key| !key.is_empty()).and_then(key_trouble)
            {
                troubles.push(("key", why));
            }
            if let Some(why) = toleration.text("value").and_then(value_trouble) {
                troubles.push(("value", why));
            }
            if !seen.insert(meaning(&toleration)) {
                troubles.push(("", "it stands here before".to_owned()));
            }
            for (key, why) in troubles {
                let place = toleration.get(key).map_or_else(|| toleration.place(), |at| at.place());
                let finding = BAD_TOLERATION_SYNTAX
                    .on(&place, "not allowed")
                    .layer(cx.hook_layer(manifest))
                    .message(format!("a toleration of {} {} is refused: {why}", manifest.key.kind, manifest.name()))
                    .why("keys and values have the syntax of labels, and each toleration stands once");
                cx.report(finding);
            }
        }
    }
}

/// Returns the words of a toleration; an absent word is an empty one.
fn meaning<'m>(toleration: &At<'m>) -> [&'m str; 4] {
    ["key", "operator", "value", "effect"].map(|key| toleration.text(key).unwrap_or_default())
}
