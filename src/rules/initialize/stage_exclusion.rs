//! The patch that takes one cluster out of a stage and leaves the stage's others where they are.

use serde_json::{Value, json};

use crate::finding::{Command, Risk, RunsOn};
use crate::model::cluster::MemberCluster;
use crate::model::read::Pair;
use crate::model::strategy::{Stage, Strategy};
use crate::rule::Cx;
use crate::rules::staging::stages_of;

/// Excludes a cluster from a stage by a label that no other cluster of the stage shares.
pub fn exclusion(
    cx: &Cx<'_>,
    strategy: &Strategy,
    member: &MemberCluster,
    out: &str,
    stay: &str,
) -> Option<Command> {
    let index = strategy.stages.iter().position(|stage| stage.name() == out)?;
    let stage = strategy.stages.get(index)?;
    let others = others_of(cx, stage, member);
    let label = telling_label(strategy, member, &others)?;
    let selector = stage.selector.as_ref().filter(|selector| !selector.malformed)?;
    let requirement = json!({"key": &*label.key, "operator": "NotIn", "values": [&*label.value]});
    let path = format!("/spec/stages/{index}/labelSelector/matchExpressions");
    let add = match selector.expressions.is_empty() {
        true => json!({"op": "add", "path": path, "value": [requirement]}),
        false => json!({"op": "add", "path": format!("{path}/-"), "value": requirement}),
    };
    let name = json!({"op": "test", "path": format!("/spec/stages/{index}/name"), "value": out});
    let keeps = match others.as_slice() {
        [] => format!("{out} keeps no cluster"),
        some => {
            let names: Vec<&str> = some.iter().map(|member| member.meta.name()).collect();
            format!("{out} keeps {}", names.join(", "))
        }
    };
    let effect = format!("{} stays in {stay}, {keeps}", member.meta.name());
    let command = Command::kubectl(Risk::Reversible, RunsOn::Hub).words("patch");
    let command = command.object(&strategy.meta.key);
    command.patch("--type=json", &Value::Array(vec![name, add])).effect(effect).build()
}

fn others_of<'g>(cx: &Cx<'g>, stage: &Stage, member: &MemberCluster) -> Vec<&'g MemberCluster> {
    let others = cx.members().iter().filter(|other| other.meta.key != member.meta.key);
    others.filter(|other| !stages_of(&[stage], other).is_empty()).collect()
}

/// Finds a label that the cluster does not share with the others; one that stages select by is the clearest.
fn telling_label<'m>(
    strategy: &Strategy,
    member: &'m MemberCluster,
    others: &[&MemberCluster],
) -> Option<&'m Pair> {
    let selectors = || strategy.stages.iter().filter_map(|stage| stage.selector.as_ref());
    let used = |pair: &&Pair| {
        selectors().any(|selector| {
            let keys = selector.labels.iter().map(|label| &*label.key);
            keys.chain(selector.expressions.iter().map(|item| &*item.key))
                .any(|key| key == &*pair.key)
        })
    };
    let alone = |pair: &&Pair| {
        let shared = |other: &&MemberCluster| {
            other.meta.label(&pair.key).is_some_and(|value| value.value == pair.value.value)
        };
        !others.iter().any(shared)
    };
    let labels = || member.meta.labels.iter().filter(alone);
    labels().find(used).or_else(|| labels().next())
}
