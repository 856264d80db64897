//! FL0606 untolerated-taint.

use std::collections::BTreeMap;

use crate::declare_rule;
use crate::facts::shortage::{RefusedCluster, Shortage, ShortageKind};
use crate::finding::{Finding, Incident, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::cluster::MemberTaint;
use crate::model::parsed_message::Phrase;
use crate::rule::Cx;
use crate::rules::commands::{edit_command, look_at_hub};
use crate::rules::scheduling::shortage_words::{after_change, explain_shortage, show};
use crate::rules::sentence::join_names;

declare_rule! {
    /// A cluster that is left out because of a taint that the placement does not tolerate.
    ///
    /// ## Why it matters
    /// A taint keeps new placements away; what is already placed stays. A PickN policy that misses the cluster stays
    /// unscheduled. With PickAll a refused cluster is no failure: `Scheduled` is True and only the policy snapshot tells.
    ///
    /// ## What to do
    /// Remove the taint when the maintenance is over (the scheduler then checks again), tolerate it in
    /// `spec.policy.tolerations`, or ask for fewer clusters.
    pub static UNTOLERATED_TAINT = Rule {
        code: "FL0606",
        name: "untolerated-taint",
        severity: Severity::Error,
        reads: &[Kind::Placement, Kind::MemberCluster],
        check: untolerated_taint,
    }
}

type Refusals<'s, 'g> = Vec<(&'s RefusedCluster<'g>, Phrase<'s>)>;

fn untolerated_taint(cx: &mut Cx<'_>) {
    for shortage in cx.shortages() {
        let mut by_taint: BTreeMap<(&str, &str), Refusals<'_, '_>> = BTreeMap::new();
        for (refused, phrase) in shortage.refused_for(&[id::DECISION_TAINT]) {
            let part = |name| phrase.get(name).unwrap_or_default();
            by_taint.entry((part("key"), part("value"))).or_default().push((refused, phrase));
        }
        let findings: Vec<Finding> = by_taint
            .into_iter()
            .map(|(taint, refusals)| describe(cx, shortage, taint, &refusals))
            .collect();
        findings.into_iter().for_each(|finding| cx.report(finding));
    }
}

fn describe(
    cx: &Cx<'_>,
    shortage: &Shortage<'_>,
    (key, value): (&str, &str),
    refusals: &Refusals<'_, '_>,
) -> Finding {
    let shown = if value.is_empty() { key.to_owned() } else { format!("{key}={value}") };
    let names = join_names(refusals.iter().filter_map(|(refused, _)| refused.name()));
    let names = if names.is_empty() { "a cluster".to_owned() } else { names };
    let mut places = Vec::new();
    let mut gone = Vec::new();
    for (refused, phrase) in refusals {
        let Some(name) = refused.name() else {
            places.push((cx.span_of(phrase), "skipped for its taint".to_owned()));
            continue;
        };
        let member = cx.find_member(name);
        let here = |taint: &&MemberTaint| {
            &*taint.key == key && taint.value.as_deref().unwrap_or_default() == value
        };
        match member.map(|member| (member, member.taints.iter().find(here))) {
            Some((_, Some(taint))) => places.push((taint.key.span, format!("the taint of {name}"))),
            Some((member, None)) if !member.meta.partial => gone.push(name),
            _ => {}
        }
        places.push((cx.span_of(phrase), format!("why not {name}")));
    }
    let tolerations = shortage.policy().tolerations();
    let near = tolerations.iter().find(|one| one.key.as_deref() == Some(key));
    let mut places = places.into_iter();
    let (span, label) = places.next().unwrap_or((shortage.scheduled.best_span(), String::new()));
    let since = match join_names(&gone) {
        none if none.is_empty() => String::new(),
        names => format!(" At the capture {names} no longer has it: the decision is older."),
    };
    let mut finding = UNTOLERATED_TAINT
        .at(span, label)
        .message(format!(
            "{} The scheduler skips {names}: the placement does not tolerate taint {shown}.",
            show(shortage),
        ))
        .why(format!(
            "The scheduler does not pick a cluster with a taint that the placement does not \
             tolerate. What is placed there already stays.{since}"
        ))
        .hint(
            "Remove the taint when the maintenance is over, or tolerate it in \
               spec.policy.tolerations.",
        );
    let first = refusals.iter().find_map(|(refused, _)| cx.find_member(refused.name()?));
    finding = match (first, shortage.grade) {
        // A taint that keeps PickAll away is meant.
        (_, ShortageKind::Partial) => finding,
        (Some(member), _) => finding.step(
            edit_command(&member.meta.key),
            format!("opens {} to remove taint {shown}", member.meta.name()),
        ),
        (None, _) => {
            let columns = "-o custom-columns=NAME:.metadata.name,TAINTS:.spec.taints";
            finding.step(
                look_at_hub().words("get memberclusters").words(columns).build(),
                "shows the taints of the clusters",
            )
        }
    };
    finding = after_change(finding, cx, shortage);
    if let [(only, _)] = refusals.as_slice()
        && let Some(name) = only.name()
    {
        finding = finding.of_event(Incident::Tainted(name.into(), key.into(), value.into()));
    }
    if let Some(toleration) = near {
        finding = finding.also(toleration.site.span, "tolerates another value of this key");
    }
    for (span, label) in places.take(4) {
        finding = finding.also(span, label);
    }
    explain_shortage(shortage, finding)
}
