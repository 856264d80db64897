//! Deployment, ReplicaSet, StatefulSet, DaemonSet and Job.
//!
//! Owns their describers' lines, above all the counts of replicas, of which one line holds some that
//! YAML has in `spec` and some that it has in `status`.

use crate::grammar::kind::Kind;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::Node;

use super::pod::read_template;
use super::section::{DescribeSection, ValueType, node, sections};
use super::tree::DescribeTree;
use super::{Rule, apply, conditions, owner, pairs};

/// Lines that mean the same in all workloads that have them.
const WORKLOAD: &[Rule] = &[
    ("MinReadySeconds", &["spec", "minReadySeconds"], ValueType::Int),
    ("StrategyType", &["spec", "strategy", "type"], ValueType::Text),
    ("Update Strategy", &["spec", "updateStrategy", "type"], ValueType::Text),
    ("Desired Number of Nodes Scheduled", &["status", "desiredNumberScheduled"], ValueType::Int),
    ("Current Number of Nodes Scheduled", &["status", "currentNumberScheduled"], ValueType::Int),
    (
        "Number of Nodes Scheduled with Up-to-date Pods",
        &["status", "updatedNumberScheduled"],
        ValueType::Int,
    ),
    (
        "Number of Nodes Scheduled with Available Pods",
        &["status", "numberAvailable"],
        ValueType::Int,
    ),
    ("Number of Nodes Misscheduled", &["status", "numberMisscheduled"], ValueType::Int),
    ("Parallelism", &["spec", "parallelism"], ValueType::Int),
    ("Completions", &["spec", "completions"], ValueType::Int),
    ("Completion Mode", &["spec", "completionMode"], ValueType::Text),
    ("Suspend", &["spec", "suspend"], ValueType::Bool),
    ("Backoff Limit", &["spec", "backoffLimit"], ValueType::Int),
    ("Active Deadline Seconds", &["spec", "activeDeadlineSeconds"], ValueType::Int),
    ("TTL Seconds After Finished", &["spec", "ttlSecondsAfterFinished"], ValueType::Int),
    ("Start Time", &["status", "startTime"], ValueType::Time),
    ("Completed At", &["status", "completionTime"], ValueType::Time),
];

/// Where the counts of a `Replicas:` line belong, by the word behind the number.
const REPLICAS: &[(&str, &[&str])] = &[
    ("desired", &["spec", "replicas"]),
    ("updated", &["status", "updatedReplicas"]),
    ("total", &["status", "replicas"]),
    ("current", &["status", "replicas"]),
    ("available", &["status", "availableReplicas"]),
    ("unavailable", &["status", "unavailableReplicas"]),
];

/// Where the counts of a Job's `Pods Statuses:` line belong.
const JOB_PODS: &[(&str, &[&str])] = &[
    ("Active", &["status", "active"]),
    ("Ready", &["status", "ready"]),
    ("Succeeded", &["status", "succeeded"]),
    ("Failed", &["status", "failed"]),
];

/// Where the shares of a `RollingUpdateStrategy:` line belong.
const ROLLING_UPDATE: &[(&str, &[&str])] = &[
    ("max unavailable", &["spec", "strategy", "rollingUpdate", "maxUnavailable"]),
    ("max surge", &["spec", "strategy", "rollingUpdate", "maxSurge"]),
];

/// Reads the sections of a workload into its tree.
pub(super) fn read_workload(
    view: &TextView<'_>,
    kind: Kind,
    parts: &[DescribeSection<'_, '_>],
    tree: &mut DescribeTree,
) {
    apply(view, parts, WORKLOAD, tree);
    for part in parts {
        let key = view.span(part.head.label_range());
        match part.label() {
            "Replicas" => put_counts(view, part, REPLICAS, tree),
            "Pods Statuses" if kind == Kind::Job => put_counts(view, part, JOB_PODS, tree),
            "RollingUpdateStrategy" => put_counts(view, part, ROLLING_UPDATE, tree),
            "Update Strategy" => {
                let inner =
                    sections(part.below).into_iter().find(|inner| inner.label() == "Partition");
                let partition = inner.and_then(|inner| inner.value(view, ValueType::Int));
                tree.put(&["spec", "updateStrategy", "rollingUpdate", "partition"], key, partition);
            }
            "Selector" => tree.put(&["spec", "selector", "matchLabels"], key, pairs(view, part)),
            "Controlled By" => tree.put(&["metadata", "ownerReferences"], key, owner(view, part)),
            "Pod Template" => read_template(view, part, tree),
            "Conditions" => tree.put(&["status", "conditions"], key, conditions(view, part)),
            _ => {}
        }
    }
}

/// Reads `1 desired | 0 updated`, `0 current / 2 desired`, `25% max unavailable, 25% max surge`.
fn put_counts(
    view: &TextView<'_>,
    part: &DescribeSection<'_, '_>,
    words: &[(&str, &[&str])],
    tree: &mut DescribeTree,
) {
    let range = part.head.value_range();
    let text = part.head.value();
    let mut start = 0;
    for piece in text.split_inclusive(['|', '/', ',', '(']) {
        let begin = range.start + start + (piece.len() - piece.trim_start().len());
        start += piece.len();
        let piece = piece.trim_end_matches(['|', '/', ',', '(']).trim().trim_end_matches(')');
        let Some((number, word)) = piece.split_once(' ') else { continue };
        let number_range = begin..begin + number.len();
        if let Some((_, path)) = words.iter().find(|(name, _)| *name == word) {
            let count: Option<Node> = node(view, number_range.clone(), ValueType::Int)
                .filter(|_| number.bytes().all(|byte| byte.is_ascii_digit()))
                .or_else(|| node(view, number_range.clone(), ValueType::Text));
            let word_at = begin + number.len() + 1;
            let key_span = view.span(word_at..word_at + word.len());
            tree.put(path, view.span(number_range).start().to(key_span).start(), count);
        }
    }
}
