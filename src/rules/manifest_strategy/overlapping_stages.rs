//! FL1105 overlapping-stages.

use crate::behaviour::staging::stages_taking;
use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::FileRole;
use crate::manifest::members::DescribedMember;
use crate::model::strategy::Strategy;
use crate::rule::Cx;

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
        check: overlapping_stages,
    }
}

fn overlapping_stages(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    let members = repository.members();
    for strategy in repository.all::<Strategy>() {
        let judged = strategy.is_judged();
        let stages = strategy.plain_stages();
        // A change of the cluster makes an overlap as well as a change of the strategy.
        let here = |m: &&DescribedMember<'_>| repository.is_member_for(m, strategy.manifest.span);
        let touched = |m: &&DescribedMember<'_>| judged || m.manifest.role == FileRole::Judged;
        for member in members.iter().filter(here).filter(touched) {
            let taking = stages_taking(&stages, &member.labels);
            let mut taking = taking.iter().filter_map(|index| {
                let stage = strategy.stages.get(*index)?;
                Some((stage, stage.selector.as_ref()?))
            });
            let (Some(first), Some(second)) = (taking.next(), taking.next()) else { continue };
            let finding = if judged {
                OVERLAPPING_STAGES
                    .at_field(&second.1.site.place(), "and this one")
                    .also(first.1.site.place().span, "this stage takes it")
                    .also(member.manifest.name_place().span, "the cluster")
            } else {
                OVERLAPPING_STAGES
                    .at_field(&member.manifest.name_place(), "the cluster")
                    .also(first.1.site.place().span, "this stage takes it")
                    .also(second.1.site.place().span, "and this one")
            };
            let finding = finding
                .message(format!(
                    "cluster {} is in the stages {} and {} of {}",
                    member.name,
                    first.0.name(),
                    second.0.name(),
                    strategy.name()
                ))
                .why("a cluster in two stages fails the run at initialization");
            cx.report(cx.by_members(finding));
        }
    }
}
