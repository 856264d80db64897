//! FL0106 cluster-in-two-stages.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{HoleRole, id};
use crate::model::cluster::MemberCluster;
use crate::model::selector::LabelSelector;
use crate::rule::Cx;
use crate::rules::initialize::stage_exclusion::exclusion;
use crate::rules::run_failure::{ClaimedMessages, RunFailureCause, report_causes};
use crate::rules::sentence::join_names;
use crate::rules::staging::{stages_of, stages_to_read};
use crate::source::Span;

declare_rule! {
    /// A cluster that two stages select.
    ///
    /// ## Why it matters
    /// Each picked cluster must be in exactly one stage. The stages are computed from the labels of the member
    /// clusters, again at every check: a label that is changed on the way fails a run that had begun well.
    ///
    /// ## What to do
    /// Make the selectors disjoint, or correct the labels of the cluster. Then create a new run.
    pub static CLUSTER_IN_TWO_STAGES = Rule {
        code: "FL0106",
        name: "cluster-in-two-stages",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::MemberCluster, Kind::Strategy],
        check: cluster_in_two_stages,
    }
}

/// A cluster is in two stages.
const TWO_STAGES: ClaimedMessages = &[id::ERR_CLUSTER_TWICE, id::ERR_CLUSTER_TWICE_DOC];

fn cluster_in_two_stages(cx: &mut Cx<'_>) {
    report_causes(cx, TWO_STAGES, Repair::Strategy, describe);
}

fn describe<'g>(cx: &Cx<'g>, cause: &RunFailureCause<'g>) -> Finding {
    let run = cause.run;
    let cluster = cause.named(HoleRole::Cluster).unwrap_or("a cluster");
    let stages = stages_to_read(cx, run);
    let member = cx.find_member(cluster);
    let selecting: Vec<_> = member.map(|member| stages_of(&stages, member)).unwrap_or_default();
    let names: Vec<&str> = selecting.iter().map(|stage| stage.name()).collect();
    let strategy = match run.strategy.as_deref().filter(|name| !name.is_empty()) {
        Some(name) => format!("Strategy {name}"),
        None => format!("The strategy of {}", run.meta.name()),
    };
    let message = match names.as_slice() {
        [first, second] => {
            format!("{strategy} puts {cluster} into two stages, {first} and {second}.")
        }
        _ => format!("{strategy} puts {cluster} into more than one stage."),
    };
    let why = match cause.is_late() {
        true => {
            "Stages select clusters by label, again at every check. Labels or \
             picked clusters changed after the start."
        }
        false => {
            "Stages select clusters by label. Each cluster of the placement must be in exactly \
             one stage."
        }
    };
    let mut finding = CLUSTER_IN_TWO_STAGES
        .at(cause.place(cx, HoleRole::Cluster), cause.label())
        .message(message)
        .why(why);
    let Some(member) = member else { return finding };
    let mut fitting: Vec<(Span, Vec<&str>)> = Vec::new();
    for stage in &selecting {
        let name = stage.name();
        let selector = stage.selector.as_ref();
        let telling = selector.and_then(|selector| telling(selector, member));
        let (span, by) = match telling {
            Some((span, key)) => (span, format!(" by {key}")),
            None => (selector.map_or(stage.site.span, |selector| selector.span), String::new()),
        };
        finding = finding.also(span, format!("stage {name} selects {cluster}{by}"));
        let label = telling.and_then(|(_, key)| member.meta.label(key));
        let span = label.map_or(member.meta.name_span, |label| label.span);
        match fitting.iter_mut().find(|(known, _)| *known == span) {
            Some((_, names)) => names.push(name),
            None => fitting.push((span, vec![name])),
        }
    }
    for (span, names) in fitting {
        let noun = if names.len() == 1 { "stage" } else { "stages" };
        finding = finding.also(span, format!("matches {noun} {}", join_names(names)));
    }
    let [first, second] = names.as_slice() else { return finding };
    let choices = [(first, second), (second, first)].map(|(out, stay)| {
        let strategy = cx.find_strategy(run)?;
        exclusion(cx, strategy, member, out, stay)
    });
    finding
        .decide(format!("Decide where {cluster} belongs."), choices.into())
        .hint("fleetlens plan tries a strategy before you use it.")
}

/// Finds what of a selector says most of a cluster: the value of its label, and the key.
fn telling<'s>(selector: &'s LabelSelector, member: &MemberCluster) -> Option<(Span, &'s str)> {
    let has = |key: &str, value: &str| member.meta.label(key).is_some_and(|it| **it == *value);
    let mut labels = selector.labels.iter();
    let pair = labels.find(|pair| has(&pair.key, &pair.value));
    let mut values = selector.expressions.iter().flat_map(|expression| {
        expression.values.iter().map(move |value| (&*expression.key, value))
    });
    let listed = values.find(|(key, value)| has(key, value));
    let pair = pair.map(|pair| (pair.value.span, &*pair.key));
    pair.or_else(|| listed.map(|(key, value)| (value.span, key)))
}
