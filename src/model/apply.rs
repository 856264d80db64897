//! The apply strategy, compared after defaulting as the controllers do.

use super::read::{Site, Text, read_scalar, read_site, read_text};
use crate::model::read::SpanOr;
use crate::source::Span;
use crate::syntax::tree::Node;

/// How resources are put on a member: placement spec, run status and binding spec all hold one.
#[derive(Clone, Debug)]
pub struct ApplyStrategy {
    /// All of it.
    pub site: Site,
    /// `type`.
    pub kind: Option<Text>,
    /// `comparisonOption`.
    pub comparison: Option<Text>,
    /// `whenToApply`.
    pub when_to_apply: Option<Text>,
    /// `whenToTakeOver`.
    pub when_to_take_over: Option<Text>,
    /// `allowCoOwnership`.
    pub co_ownership: Option<Text>,
    /// Where `serverSideApplyConfig` stands.
    pub server_side: Option<Site>,
    /// `serverSideApplyConfig.force`.
    pub force_conflicts: Option<Text>,
}

impl ApplyStrategy {
    /// Reads an apply strategy.
    pub fn read(node: &Node) -> Self {
        let config = node.get("serverSideApplyConfig");
        Self {
            site: Site::of(node),
            kind: read_text(node, "type"),
            comparison: read_text(node, "comparisonOption"),
            when_to_apply: read_text(node, "whenToApply"),
            when_to_take_over: read_text(node, "whenToTakeOver"),
            co_ownership: read_scalar(node, "allowCoOwnership"),
            server_side: read_site(node, "serverSideApplyConfig"),
            force_conflicts: config.and_then(|config| read_scalar(config, "force")),
        }
    }

    /// Returns the fields that differ, by name, with both values after defaulting.
    pub fn differences<'s>(
        left: Option<&'s Self>,
        right: Option<&'s Self>,
    ) -> Vec<(&'static str, &'s str, &'s str)> {
        let pairs = Self::defaulted(left).into_iter().zip(Self::defaulted(right));
        let differing = pairs.filter(|((_, left), (_, right))| left != right);
        differing.map(|((name, left), (_, right))| (name, left, right)).collect()
    }

    /// Returns the place of a field by its name, or of the whole strategy.
    pub fn field_span(&self, name: &str) -> Span {
        let field = match name {
            "type" => &self.kind,
            "comparisonOption" => &self.comparison,
            "whenToApply" => &self.when_to_apply,
            "whenToTakeOver" => &self.when_to_take_over,
            "allowCoOwnership" => &self.co_ownership,
            _ => &self.force_conflicts,
        };
        field.span_or(self.site.span)
    }

    // Defaults: KubeFleet pkg/utils/defaulter, v0.2 and main.
    fn defaulted(strategy: Option<&Self>) -> [(&'static str, &str); 6] {
        let value = |pick: fn(&Self) -> &Option<Text>, default| {
            let text = strategy.and_then(|strategy| pick(strategy).as_deref());
            text.filter(|text| !text.is_empty()).unwrap_or(default)
        };
        [
            ("type", value(|s| &s.kind, "ClientSideApply")),
            ("comparisonOption", value(|s| &s.comparison, "PartialComparison")),
            ("whenToApply", value(|s| &s.when_to_apply, "Always")),
            ("whenToTakeOver", value(|s| &s.when_to_take_over, "Always")),
            ("allowCoOwnership", value(|s| &s.co_ownership, "false")),
            ("serverSideApplyConfig.force", value(|s| &s.force_conflicts, "false")),
        ]
    }
}
