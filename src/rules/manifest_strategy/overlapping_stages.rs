//! FL1105 overlapping-stages.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::Role;
use crate::manifest::labels::Selector;
use crate::rule::ManifestCx;
use crate::rules::manifest_strategy::stage::stages;

declare_rule! {
    /// A cluster that is in two stages.
    ///
    /// ## Why it matters
    /// Each run of the strategy that updates this cluster fails at initialization.
    ///
    /// ## What to do
    /// Change the selectors or the labels of the cluster.
    pub static OVERLAPPING_STAGES = Rule {
        code: "FL1105",
        name: "overlapping-stages",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Strategy, Kind::MemberCluster],
        manifest: overlapping_stages,
    }
}

fn overlapping_stages(cx: &mut ManifestCx<'_>) {
    let members = cx.repository().members();
    for manifest in cx.repository().of(Kind::Strategy) {
        let judged = manifest.role == Role::Judged;
        let stages: Vec<_> = stages(manifest)
            .iter()
            .filter_map(|stage| {
                let at = stage.get("labelSelector")?;
                Some((stage.clone(), Selector::read(&at)?, at))
            })
            .collect();
        // A change of the cluster makes an overlap as well as a change of the strategy.
        for member in members.iter().filter(|m| judged || m.manifest.role == Role::Judged) {
            let mut within =
                stages.iter().filter(|(_, selector, _)| selector.matches(&member.labels));
            let (Some(first), Some(second)) = (within.next(), within.next()) else { continue };
            let finding = if judged {
                OVERLAPPING_STAGES
                    .on(&second.2.place(), "and this one")
                    .also(first.2.place().span, "this stage takes it")
                    .also(member.manifest.name_place().span, "the cluster")
            } else {
                OVERLAPPING_STAGES
                    .on(&member.manifest.name_place(), "the cluster")
                    .also(first.2.place().span, "this stage takes it")
                    .also(second.2.place().span, "and this one")
            };
            let finding = finding
                .message(format!(
                    "cluster {} is in the stages {} and {} of {}",
                    member.name,
                    first.0.text("name").unwrap_or_default(),
                    second.0.text("name").unwrap_or_default(),
                    manifest.name()
                ))
                .help("a cluster in two stages fails the run at initialization");
            cx.report(finding);
        }
    }
}
