//! FL0108 unusable-sorting-label.

use crate::behaviour::staging::sorting_number;
use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Command, Finding, Risk, RunsOn, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{HoleRole, id};
use crate::model::cluster::MemberCluster;
use crate::model::key::ObjectKey;
use crate::model::selector::plain_labels;
use crate::model::strategy::Stage;
use crate::rule::Cx;
use crate::rules::commands::edit_for;
use crate::rules::run_failure::{ClaimedMessages, RunFailureCause, report_causes};
use crate::rules::staging::{stages_of, stages_to_read};

declare_rule! {
    /// A stage that sorts its clusters by a label that is not a number on every one of them.
    ///
    /// ## Why it matters
    /// `sortingLabelKey` names a label whose value must be a whole number on every cluster of the stage. A cluster
    /// without the label does not fall back to its name, as the API's comment says: the run fails permanently.
    ///
    /// ## What to do
    /// Label the clusters with numbers, or correct or drop `sortingLabelKey`. Then create a new run.
    pub static UNUSABLE_SORTING_LABEL = Rule {
        code: "FL0108",
        name: "unusable-sorting-label",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::MemberCluster, Kind::Strategy],
        check: unusable_sorting_label,
    }
}

/// A sorting label is not a number.
const BAD_SORTING: ClaimedMessages = &[id::ERR_SORTING_LABEL];

fn unusable_sorting_label(cx: &mut Cx<'_>) {
    report_causes(cx, BAD_SORTING, Repair::Strategy, describe);
}

fn describe<'g>(cx: &Cx<'g>, cause: &RunFailureCause<'g>) -> Finding {
    let cluster = cause.named(HoleRole::Cluster).unwrap_or("a cluster");
    // The message holds `key:value` in one pair of backticks.
    let pair = cause.words().split('`').nth(1).unwrap_or_default();
    let (key, value) = pair.split_once(':').unwrap_or((pair, ""));
    let stages = stages_to_read(cx, cause.run);
    let stage = stages.iter().find(|stage| stage.sorting_label.as_deref() == Some(key));
    let sorting = stage.and_then(|stage| stage.sorting_label.as_ref());
    let named = stage.map_or("A stage".to_owned(), |stage| format!("Stage {}", stage.name()));
    let shown = match value {
        "" => format!("{cluster} does not have it"),
        _ => format!("On {cluster} it is {value}, which is no whole number"),
    };
    let mut finding = UNUSABLE_SORTING_LABEL
        .at(sorting.map_or(cause.span, |label| label.span), "clusters are sorted by this label")
        .message(format!("{named} sorts by label {key}. {shown}."))
        .why("Each cluster of the stage needs the label with a whole number.");
    if sorting.is_some() {
        finding = finding.also(cause.span, cause.label());
    }
    if let Some(member) = cx.find_member(cluster) {
        finding = match member.meta.label(key) {
            Some(label) => finding.also(label.span, "not a number"),
            None => finding.also(member.meta.name_span, format!("no label {key} here")),
        };
    }
    let unsorted = match stage {
        Some(stage) => unsorted(cx, stage, key),
        None => vec![cluster],
    };
    if !value.is_empty() {
        // A label that holds words serves something else: a number in it would break that.
        let open = cx.find_strategy(cause.run).and_then(|strategy| {
            let words = format!(
                "opens the strategy to sort by a label that holds whole numbers, not by {key}"
            );
            edit_for(&strategy.meta.key, words)
        });
        return finding.command(open).hint(format!(
            "Label {key} holds words, which something else may select by. Sort by a label of its \
             own, or by none."
        ));
    }
    let numbers = cx.members().iter().filter_map(|member| member.meta.label(key)?.parse().ok());
    let last = numbers.max().unwrap_or(0_i64);
    (1..).zip(unsorted).fold(finding, |finding, (step, cluster)| {
        let number = last.saturating_add(step);
        finding.command(number_command(cluster, key, number))
    })
}

/// Returns the clusters of a stage that have no number to sort by; the run names only the first.
fn unsorted<'g>(cx: &Cx<'g>, stage: &Stage, key: &str) -> Vec<&'g str> {
    let number =
        |member: &MemberCluster| sorting_number(&plain_labels(&member.meta.labels), key).ok();
    let own = cx.members().iter().filter(|member| !stages_of(&[stage], member).is_empty());
    own.filter(|member| number(member).is_none()).map(|member| member.meta.name()).collect()
}

fn number_command(cluster: &str, key: &str, number: i64) -> Option<Command> {
    let member = ObjectKey::on_hub("MemberCluster", "", cluster);
    let command = Command::kubectl(Risk::Reversible, RunsOn::Hub).words("label").object(&member);
    let effect = format!("gives {cluster} the number {number}; lower numbers are updated first");
    command.label(key, &number.to_string(), "").words("--overwrite").effect(effect).build()
}
