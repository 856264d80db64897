//! FL1312 bad-toleration.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A toleration that contradicts itself.
    ///
    /// ## Why it matters
    /// With operator Exists there is nothing to compare, so a value is refused; without a key only Exists makes
    /// sense.
    ///
    /// ## What to do
    /// Remove the value, or name the key.
    pub static BAD_TOLERATION = Rule {
        code: "FL1312",
        name: "bad-toleration",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Placement],
        check: bad_toleration,
    }
}

fn bad_toleration(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let tolerations = placement.policy.tolerations();
        let Some(list) = &tolerations.site else { continue };
        if placement.manifest.is_ratcheted(&list.place()) {
            continue;
        }
        for toleration in &tolerations {
            let [key, operator, value, _] = toleration.words();
            let exists = operator == "Exists";
            let (place, label, id) = match &toleration.value {
                Some(written) if exists && !value.is_empty() => (
                    toleration.site.place().underline(written.place().span),
                    "no value with Exists",
                    "toleration-exists-value",
                ),
                _ if key.is_empty() && !exists => {
                    (toleration.site.place(), "needs a key", "toleration-key-empty")
                }
                _ => continue,
            };
            let Some(rule) = placement.manifest.server_rule(id) else { continue };
            let finding = BAD_TOLERATION
                .at_field(&place, label)
                .message(format!(
                    "a toleration of {} is refused: {}",
                    placement.name(),
                    rule.message
                ))
                .why("with Exists only the key is compared, with Equal key and value");
            cx.report(finding);
        }
    }
}
