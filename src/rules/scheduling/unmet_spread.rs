//! FL0607 unmet-spread.

use std::collections::BTreeMap;

use crate::declare_rule;
use crate::facts::shortage::Shortage;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::commands::edit_command;
use crate::rules::scheduling::shortage_words::{after_change, explain_shortage, show};
use crate::rules::sentence::join_names;

declare_rule! {
    /// A topology spread constraint that lets no further cluster be picked.
    ///
    /// ## Why it matters
    /// With `DoNotSchedule` the scheduler refuses a cluster that would make the spread over the topology key more
    /// uneven than `maxSkew`. If the fleet itself is uneven, the wanted number is out of reach and `Scheduled` stays False.
    ///
    /// ## What to do
    /// Ask for fewer clusters, raise `maxSkew`, use `ScheduleAnyway`, or join clusters to the small domain.
    pub static UNMET_SPREAD = Rule {
        code: "FL0607",
        name: "unmet-spread",
        severity: Severity::Error,
        reads: &[Kind::Placement, Kind::MemberCluster],
        check: unmet_spread,
    }
}

fn unmet_spread(cx: &mut Cx<'_>) {
    for shortage in cx.shortages() {
        if let Some(finding) = describe(cx, shortage) {
            cx.report(finding);
        }
    }
}

fn describe(cx: &Cx<'_>, shortage: &Shortage<'_>) -> Option<Finding> {
    let refusals = shortage.refused_for(&[id::DECISION_TOPOLOGY]);
    let (_, first) = refusals.first()?;
    let label = first.get("label").unwrap_or("?");
    let skew = first.get("max-skew").unwrap_or("1");
    let names = join_names(refusals.iter().filter_map(|(refused, _)| refused.name()));
    let names = if names.is_empty() { "any further cluster".to_owned() } else { names };
    let spread = shortage.policy().spreads().into_iter().find(|spread| &*spread.key == label);
    let place = spread.as_ref().map_or_else(
        || cx.span_of(first),
        |spread| spread.max_skew.map_or(spread.key.span, |skew| skew.span),
    );
    let mut domains: BTreeMap<&str, usize> = BTreeMap::new();
    for name in &shortage.picked {
        let member = cx.find_member(name);
        if let Some(domain) = member.and_then(|member| member.meta.label(label)) {
            *domains.entry(domain).or_default() += 1;
        }
    }
    let picked: Vec<String> =
        domains.iter().map(|(domain, count)| format!("{count} in {domain}")).collect();
    let picked =
        if picked.is_empty() { String::new() } else { format!(" (picked: {})", picked.join(", ")) };
    let mut finding = UNMET_SPREAD
        .at(place, "allows no further cluster")
        .message(format!(
            "{} The scheduler skips {names}: the spread over {label} would exceed maxSkew \
             {skew}{picked}.",
            show(shortage),
        ))
        .why(
            "With whenUnsatisfiable: DoNotSchedule the scheduler keeps the spread even if the \
              wanted number is out of reach then. ScheduleAnyway only prefers it.",
        )
        .step(
            edit_command(shortage.key()),
            "opens it to raise maxSkew, ask for fewer clusters, or use ScheduleAnyway",
        );
    finding = after_change(finding, cx, shortage);
    if let Some(when) = spread.and_then(|spread| spread.when) {
        finding = finding.also(when.span, "so the scheduler skips the cluster");
    }
    for (refused, phrase) in refusals.iter().take(3) {
        let name = refused.name().unwrap_or("a cluster");
        finding = finding.also(cx.span_of(phrase), format!("why not {name}"));
        let domain = refused.name().and_then(|name| cx.find_member(name)?.meta.label(label));
        finding =
            finding.also_at(domain.map(|domain| domain.span), format!("the domain of {name}"));
    }
    Some(explain_shortage(shortage, finding))
}
