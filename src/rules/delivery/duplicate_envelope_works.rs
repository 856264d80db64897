//! FL0738 duplicate-envelope-works.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::work::Work;
use crate::rule::Cx;
use crate::rules::commands::{delete_command, show_command};
use crate::rules::sentence::join_names;
use std::collections::BTreeMap;

declare_rule! {
    /// Several Works for one envelope on one cluster.
    ///
    /// ## Why it matters
    /// The hub expects one Work for each envelope and refuses to continue when it finds more. Works of envelopes
    /// had random names up to v0.3.1, so an interrupted write could leave two.
    ///
    /// ## What to do
    /// Delete all but the oldest; its contents stay on the member.
    pub static DUPLICATE_ENVELOPE_WORKS = Rule {
        code: "FL0738",
        name: "duplicate-envelope-works",
        severity: Severity::Error,
        reads: &[Kind::Work],
        check: duplicate_envelope_works,
    }
}

fn duplicate_envelope_works(cx: &mut Cx<'_>) {
    let mut groups: BTreeMap<_, Vec<&Work>> = BTreeMap::new();
    for work in cx.works().iter().filter(|work| work.meta.deleting.is_none()) {
        let (Some(envelope), Some(binding)) = (work.envelope(), work.binding()) else { continue };
        let label = |key| work.meta.label(key).map(|text| &*text.value);
        let identity = (
            &**envelope,
            label("kubernetes-fleet.io/envelope-namespace"),
            label("kubernetes-fleet.io/envelope-work"),
        );
        groups.entry((work.cluster(), binding, identity)).or_default().push(work);
    }
    for ((cluster, _, (envelope, ..)), mut works) in
        groups.into_iter().filter(|(_, works)| works.len() > 1)
    {
        works.sort_by_key(|work| work.meta.created.map(|created| created.value));
        let names = join_names(works.iter().map(|work| work.meta.name()));
        let Some((oldest, younger)) = works.split_first() else { continue };
        let Some(second) = younger.first() else { continue };
        let mut finding = DUPLICATE_ENVELOPE_WORKS
            .at(second.meta.name_span, "a second Work of the envelope")
            .also(oldest.meta.name_span, "the oldest Work of the envelope")
            .message(format!(
                "Envelope {envelope} has {} Works on {cluster}, and the hub agent allows one: \
                 {names}.",
                works.len()
            ))
            .why("The hub agent looks for one Work per envelope. With more it stops with an error.")
            .then(format!(
                "The hub agent continues within seconds once one Work is left. The member agent \
                 of {cluster} then deletes what only the deleted Works brought."
            ))
            .recover(Recoverability::NeedsPatch)
            .step(
                show_command(&oldest.meta.key),
                format!("shows whether {} holds everything of the envelope", oldest.meta.name()),
            );
        for work in younger {
            finding = finding.step(
                delete_command(&work.meta.key),
                format!("removes {}, the younger Work", work.meta.name()),
            );
        }
        if let Some(placement) = oldest.placement() {
            finding = finding.explains(Topic::PlacementCluster(placement, cluster.into()));
        }
        cx.report(finding);
    }
}
