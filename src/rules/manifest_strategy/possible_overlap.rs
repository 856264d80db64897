//! FL1106 possible-overlap.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::members::DescribedMember;
use crate::model::strategy::Strategy;
use crate::rule::Cx;
use crate::rules::manifest_strategy::stage::selectors;

declare_rule! {
    /// Two stages that could take the same cluster.
    ///
    /// ## Why it matters
    /// Their selectors do not exclude each other. It is harmless as long as no cluster carries the labels that
    /// both ask for.
    ///
    /// ## What to do
    /// Let the stages differ in the value of one common label.
    pub static POSSIBLE_OVERLAP = Rule {
        code: "FL1106",
        name: "possible-overlap",
        severity: Severity::Note,
        layer: Layer::Advice,
        reads: &[Kind::Strategy],
        check: possible_overlap,
    }
}

fn possible_overlap(cx: &mut Cx<'_>) {
    let members = cx.repository().members();
    for strategy in cx.drafts::<Strategy>() {
        let mut stages = selectors(&strategy);
        stages.retain(|(_, _, selector)| !selector.is_everything());
        for (index, (stage, at, selector)) in stages.iter().enumerate() {
            for (other, place, wider) in stages.iter().skip(index + 1) {
                let Some(labels) = selector.example_matching_both(wider) else { continue };
                let both = |labels| selector.matches(labels) && wider.matches(labels);
                let here = |member: &&DescribedMember<'_>| {
                    cx.repository().is_member_for(member, strategy.manifest.span)
                };
                if members.iter().filter(here).any(|member| both(&member.labels)) {
                    // Then the overlap is not possible but proved, and another rule says so.
                    continue;
                }
                let labels: Vec<_> =
                    labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
                let finding = POSSIBLE_OVERLAP
                    .at_field(&place.site.place(), "could take it as well")
                    .also(at.site.place().span, "takes it")
                    .message(format!(
                        "a cluster with {} would be in the stages {} and {} of {}",
                        labels.join(","),
                        stage.name(),
                        other.name(),
                        strategy.name()
                    ))
                    .why("a run that updates such a cluster fails at initialization");
                cx.report(finding);
            }
        }
    }
}
