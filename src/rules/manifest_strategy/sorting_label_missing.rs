//! FL1109 sorting-label-missing.

use crate::behaviour::staging::{Unsortable, sorting_number};
use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::FileRole;
use crate::manifest::members::DescribedMember;
use crate::model::strategy::Strategy;
use crate::rule::Cx;
use crate::rules::manifest_strategy::stage::selectors;

declare_rule! {
    /// A cluster without the integer label that its stage sorts by.
    ///
    /// ## Why it matters
    /// Every cluster of the stage needs an integer under `sortingLabelKey`; a cluster without the label, or
    /// with another value, fails the run at initialization.
    ///
    /// ## What to do
    /// Label the cluster, or remove the key.
    pub static SORTING_LABEL_MISSING = Rule {
        code: "FL1109",
        name: "sorting-label-missing",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Strategy, Kind::MemberCluster],
        check: sorting_label_missing,
    }
}

fn sorting_label_missing(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    let members = repository.members();
    for strategy in repository.all::<Strategy>() {
        let judged = strategy.is_judged();
        for (stage, _, selector) in selectors(&strategy) {
            let Some(sort) = &stage.sorting_label else { continue };
            // A change of the cluster breaks the order as well as a change of the strategy.
            let here =
                |m: &&DescribedMember<'_>| repository.is_member_for(m, strategy.manifest.span);
            let touched = |m: &&DescribedMember<'_>| judged || m.manifest.role == FileRole::Judged;
            let touched = members.iter().filter(here).filter(touched);
            for member in touched.filter(|member| selector.matches(&member.labels)) {
                let why = match sorting_number(&member.labels, sort) {
                    Err(Unsortable::Absent) => "does not have it".to_owned(),
                    Err(Unsortable::NoInteger(value)) => {
                        format!("has `{value}`, which is no integer")
                    }
                    Ok(_) => continue,
                };
                let finding = if judged {
                    SORTING_LABEL_MISSING
                        .at_field(&sort.place(), "every cluster of the stage needs it")
                        .also(member.manifest.name_place().span, "this one")
                } else {
                    SORTING_LABEL_MISSING
                        .at_field(&member.manifest.name_place(), "this cluster needs it")
                        .also(sort.place().span, "every cluster of the stage needs it")
                };
                let finding = finding
                    .message(format!(
                        "stage {} of {} sorts by {}: cluster {} {why}",
                        stage.name(),
                        strategy.name(),
                        &**sort,
                        member.name
                    ))
                    .why("the run fails at initialization");
                cx.report(cx.by_members(finding));
            }
        }
    }
}
