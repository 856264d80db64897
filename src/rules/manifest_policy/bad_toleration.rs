//! FL1312 bad-toleration.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
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
    for manifest in cx.of(Kind::Placement) {
        let policy = manifest.stored().at(&["spec", "policy"]);
        let Some(list) = policy.and_then(|policy| policy.get("tolerations")) else { continue };
        if manifest.is_ratcheted(&list.place()) {
            continue;
        }
        for toleration in list.items() {
            let exists = toleration.text("operator") == Some("Exists");
            let value = toleration.get("value").filter(|value| value.str() != Some(""));
            let keyless = toleration.text("key").is_none_or(str::is_empty);
            let (place, label, id) = match value {
                Some(value) if exists => (
                    toleration.place().underline(value.place().span),
                    "no value with Exists",
                    "toleration-exists-value",
                ),
                _ if keyless && !exists => {
                    (toleration.place(), "needs a key", "toleration-key-empty")
                }
                _ => continue,
            };
            let Some(rule) = manifest.server_rule(id) else { continue };
            let finding = BAD_TOLERATION
                .on(&place, label)
                .message(format!(
                    "a toleration of {} is refused: {}",
                    manifest.name(),
                    rule.message
                ))
                .why("with Exists only the key is compared, with Equal key and value");
            cx.report(finding);
        }
    }
}
