//! FL1321 ignored-apply-config.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// Settings of server-side apply where it is not used.
    ///
    /// ## Why it matters
    /// The webhook of ClusterResourcePlacement refuses `serverSideApplyConfig` with any other type than
    /// ServerSideApply (the default is ClientSideApply); a ResourcePlacement ignores it.
    ///
    /// ## What to do
    /// Set `type: ServerSideApply`, or remove the block.
    pub static IGNORED_APPLY_CONFIG = Rule {
        code: "FL1321",
        name: "ignored-apply-config",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        check: ignored_apply_config,
    }
}

fn ignored_apply_config(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let Some(apply) = &placement.apply else { continue };
        let Some(config) = &apply.server_side else { continue };
        let kind = apply.kind.as_deref().unwrap_or_default();
        if kind == "ServerSideApply" {
            continue;
        }
        let finding = IGNORED_APPLY_CONFIG
            .at_field(&config.key_place(), format!("the type is {kind}"))
            .message(format!("{} sets serverSideApplyConfig with type {kind}", placement.show()))
            .why("serverSideApplyConfig is only valid for ServerSideApply strategy type");
        cx.report(cx.refused_or_warned(placement.manifest, finding));
    }
}
