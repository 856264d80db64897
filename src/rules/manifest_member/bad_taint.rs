//! FL1708 bad-taint.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::kube::names::{key_trouble, value_trouble};
use crate::model::cluster::MemberCluster;
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
    for member in cx.drafts::<MemberCluster>() {
        let mut seen: Vec<[&str; 3]> = Vec::new();
        for taint in &member.object.taints {
            let [value, effect] =
                [&taint.value, &taint.effect].map(|text| text.as_deref().unwrap_or_default());
            let words = [&*taint.key, value, effect];
            let manifest = member.manifest;
            let repeat = manifest.remove(&taint.site.pointer());
            let key = key_trouble(&taint.key).map(|why| (taint.key.place(), why, None));
            let value = taint.value.as_ref();
            let value = value.and_then(|value| Some((value.place(), value_trouble(value)?, None)));
            let again = seen
                .contains(&words)
                .then(|| (taint.site.place(), "it stands here before".to_owned(), repeat));
            seen.push(words);
            for (place, why, fix) in key.into_iter().chain(value).chain(again) {
                let finding = BAD_TAINT
                    .at_field(&place, "not allowed")
                    .layer(cx.hook_layer(manifest))
                    .message(format!(
                        "a taint of MemberCluster {} is refused: {why}",
                        member.name()
                    ))
                    .why("keys and values have the syntax of labels, and each taint stands once")
                    .fix(Safety::Safe, fix);
                cx.report(finding);
            }
        }
    }
}
