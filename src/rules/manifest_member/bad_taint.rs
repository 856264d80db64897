//! FL1708 bad-taint.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::kube::names::{key_trouble, value_trouble};
use crate::rule::Cx;

declare_rule! {
    /// A taint that Kubernetes would not allow, or one that is repeated.
    ///
    /// ## Why it matters
    /// Keys and values have the syntax of labels, and a taint stands once; the webhook refuses others.
    ///
    /// ## What to do
    /// Correct or remove it.
    pub static BAD_TAINT = Rule {
        code: "FL1708",
        name: "bad-taint",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::MemberCluster],
        check: bad_taint,
    }
}

fn bad_taint(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::MemberCluster) {
        let mut seen: Vec<[&str; 3]> = Vec::new();
        let taints = manifest.stored().at(&["spec", "taints"]).map(|list| list.items());
        for taint in taints.unwrap_or_default() {
            let words = ["key", "value", "effect"].map(|key| taint.text(key).unwrap_or_default());
            let mut troubles = Vec::new();
            if let Some(why) = taint.text("key").and_then(key_trouble) {
                troubles.push(("key", why));
            }
            if let Some(why) = taint.text("value").and_then(value_trouble) {
                troubles.push(("value", why));
            }
            if seen.contains(&words) {
                troubles.push(("", "it stands here before".to_owned()));
            }
            seen.push(words);
            for (key, why) in troubles {
                let place = taint.get(key).map_or_else(|| taint.place(), |at| at.place());
                let finding = BAD_TAINT
                    .on(&place, "not allowed")
                    .layer(cx.hook_layer(manifest))
                    .message(format!(
                        "a taint of MemberCluster {} is refused: {why}",
                        manifest.name()
                    ))
                    .why("keys and values have the syntax of labels, and each taint stands once")
                    .fix(
                        Safety::Safe,
                        manifest.without(&taint.pointer()).filter(|_| key.is_empty()),
                    );
                cx.report(finding);
            }
        }
    }
}
