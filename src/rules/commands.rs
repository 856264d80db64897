//! The commands that rules propose, by what they are for.
//!
//! `None` stands for a command that cannot be given, because Kubernetes allows no such name.

use serde_json::{Value, json};

use crate::finding::{Command, CommandBuilder, Risk, RunsOn};
use crate::grammar::kind::Kind;
use crate::model::approval::ApprovalRequest;
use crate::model::condition::Condition;
use crate::model::key::ObjectKey;

/// The label by which the objects of a placement name it.
const PLACEMENT: &str = "kubernetes-fleet.io/parent-CRP";

/// Starts a command that looks at the hub.
pub fn look_at_hub() -> CommandBuilder {
    Command::kubectl(Risk::ReadOnly, RunsOn::Hub)
}

/// Starts a command that looks at a cluster, by its name in object keys.
pub fn look_at(cluster: &str) -> CommandBuilder {
    Command::kubectl(Risk::ReadOnly, RunsOn::of_cluster(cluster))
}

/// Shows an object of the hub.
pub fn show_command(key: &ObjectKey) -> Option<Command> {
    show_for(key, format!("shows {}", key.name))
}

/// Shows an object of the hub, for a reason.
pub fn show_for(key: &ObjectKey, effect: impl Into<String>) -> Option<Command> {
    look_at_hub().words("get").object(key).words("-o yaml").effect(effect).build()
}

/// Opens an object of the hub in an editor.
pub fn edit_command(key: &ObjectKey) -> Option<Command> {
    Command::kubectl(Risk::Reversible, RunsOn::Hub).words("edit").object(key).build()
}

/// Opens an object of the hub in an editor, to change what is told.
pub fn edit_for(key: &ObjectKey, effect: impl Into<String>) -> Option<Command> {
    let command = Command::kubectl(Risk::Reversible, RunsOn::Hub).words("edit").object(key);
    command.effect(effect).build()
}

/// Deletes an object of the hub, with what is lost.
pub fn delete_for(key: &ObjectKey, effect: impl Into<String>) -> Option<Command> {
    let command = Command::kubectl(Risk::Destructive, RunsOn::Hub).words("delete").object(key);
    command.effect(effect).build()
}

/// Deletes a run that has failed.
pub fn delete_run(key: &ObjectKey) -> Option<Command> {
    delete_for(key, "removes the failed run and its approval requests; nothing else changes")
}

/// Deletes an object of the hub.
pub fn delete_command(key: &ObjectKey) -> Option<Command> {
    Command::kubectl(Risk::Destructive, RunsOn::Hub).words("delete").object(key).build()
}

/// Merges a patch into an object of the hub.
pub fn merge_command(risk: Risk, key: &ObjectKey, patch: &Value) -> Option<Command> {
    let builder = Command::kubectl(risk, RunsOn::Hub).words("patch").object(key);
    builder.patch("--type=merge", patch).build()
}

/// Describes an object on its cluster.
pub fn describe_on_member(key: &ObjectKey) -> Option<Command> {
    look_at(&key.cluster).words("describe").object(key).build()
}

/// Shows an object on its cluster.
pub fn get_on_member(key: &ObjectKey) -> Option<Command> {
    look_at(&key.cluster).words("get").object(key).words("-o yaml").build()
}

/// Shows an object on its cluster, with who wrote which field.
pub fn managers_on_member(key: &ObjectKey) -> Option<Command> {
    let builder = look_at(&key.cluster).words("get").object(key);
    builder.words("-o yaml --show-managed-fields").build()
}

/// Deletes an object on its cluster.
pub fn delete_on_member(key: &ObjectKey) -> Option<Command> {
    let place = RunsOn::of_cluster(&key.cluster);
    Command::kubectl(Risk::Destructive, place).words("delete").object(key).build()
}

/// Gives a member a label, whose value the reader has to fill in.
pub fn label_member(cluster: &str, label: &str) -> Option<Command> {
    let member = ObjectKey::on_hub("MemberCluster", "", cluster);
    let builder = Command::kubectl(Risk::Reversible, RunsOn::Hub).words("label").object(&member);
    builder.label(label, "VALUE", "").build()
}

/// Sets a run's state, with what that does.
pub fn set_state_for(
    run: &ObjectKey,
    state: &'static str,
    effect: impl Into<String>,
) -> Option<Command> {
    let command = Command::kubectl(Risk::Reversible, RunsOn::Hub).words("patch").object(run);
    let patch = json!({"spec": {"state": state}});
    command.patch("--type=merge", &patch).effect(effect).build()
}

/// Approves a request at its generation.
///
/// An answer that is there is completed field by field, so that the time and, of an approval, the words of
/// whoever gave it stay; the `test` refuses the patch if the list has changed since.
pub fn patch_approval(
    request: &ApprovalRequest,
    generation: i64,
    effect: impl Into<String>,
) -> Option<Command> {
    let key = &request.meta.key;
    let answer = request.conditions.iter().position(|condition| &*condition.kind == "Approved");
    let Some(index) = answer else { return approve_new(key, generation, effect) };
    let field = |name: &str| format!("/status/conditions/{index}/{name}");
    let mut patch = vec![json!({"op": "test", "path": field("type"), "value": "Approved"})];
    if !request.approved().is_some_and(Condition::is_true) {
        for (name, value) in [("status", "True"), ("reason", "Approved"), ("message", "approved")] {
            patch.push(json!({"op": "add", "path": field(name), "value": value}));
        }
    }
    patch.push(json!({"op": "add", "path": field("observedGeneration"), "value": generation}));
    patch_status(key, &Value::Array(patch), effect)
}

/// Approves a request that the bundle does not hold.
///
/// The spec of a request cannot be changed, so its generation is 1.
pub fn approve_named(run: &ObjectKey, request: &str, effect: impl Into<String>) -> Option<Command> {
    approve_new(&request_of(run, request), 1, effect)
}

/// Shows a run's request by name.
pub fn show_named(run: &ObjectKey, request: &str, effect: impl Into<String>) -> Option<Command> {
    show_for(&request_of(run, request), effect)
}

fn request_of(run: &ObjectKey, name: &str) -> ObjectKey {
    ObjectKey {
        kind: Kind::ApprovalRequest.in_namespace(&run.namespace).into(),
        name: name.into(),
        ..run.clone()
    }
}

/// Approves a request without an answer.
///
/// A condition must have a time, and a pasted command knows none: the server copies the request's own.
/// Nothing reads it; when the approval was given stands in ApprovalAccepted, which the controller writes.
fn approve_new(key: &ObjectKey, generation: i64, effect: impl Into<String>) -> Option<Command> {
    let condition = json!({
        "type": "Approved",
        "status": "True",
        "reason": "Approved",
        "message": "approved",
        "observedGeneration": generation,
    });
    let patch = json!([
        {"op": "add", "path": "/status", "value": {"conditions": [condition]}},
        {
            "op": "copy",
            "from": "/metadata/creationTimestamp",
            "path": "/status/conditions/0/lastTransitionTime",
        },
    ]);
    patch_status(key, &patch, effect)
}

fn patch_status(key: &ObjectKey, patch: &Value, effect: impl Into<String>) -> Option<Command> {
    let builder = Command::kubectl(Risk::Reversible, RunsOn::Hub).words("patch").object(key);
    builder.words("--subresource=status").patch("--type=json", patch).effect(effect).build()
}

/// Shows the bindings of a run's placement, or all of its scope.
pub fn binding_command(run: &ObjectKey, placement: Option<&str>) -> Option<Command> {
    let kind = Kind::Binding.in_namespace(&run.namespace);
    let builder = look_at_hub().words("get").resource(kind).namespace(&run.namespace);
    let builder = match placement {
        Some(name) => builder.words("-l").label(PLACEMENT, name, ""),
        None => builder,
    };
    let effect = "shows which snapshot each cluster has, and how far it got";
    builder.words("-o yaml").effect(effect).build()
}

/// Lists the objects of a kind that belong to a placement, with their labels.
pub fn labels_command(kind: &str, namespace: &str, placement: &str) -> Option<Command> {
    let builder = look_at_hub().words("get").resource(kind).namespace(namespace);
    let builder = builder.words("-l").label(PLACEMENT, placement, "").words("--show-labels");
    builder.effect(format!("shows the labels of what belongs to {placement}")).build()
}

/// Shows the latest of the snapshots of a kind that belong to a placement.
pub fn latest_command(kind: &str, placement: &ObjectKey) -> Option<Command> {
    let builder = look_at_hub().words("get").resource(kind).namespace(&placement.namespace);
    let latest = ",kubernetes-fleet.io/is-latest-snapshot=true";
    builder.words("-l").label(PLACEMENT, &placement.name, latest).words("-o yaml").build()
}

/// Shows the latest policy snapshot of a run's placement.
pub fn latest_policy(run: &ObjectKey, placement: Option<&str>) -> Option<Command> {
    let kind = Kind::PolicySnapshot.in_namespace(&run.namespace);
    let builder = look_at_hub().words("get").resource(kind).namespace(&run.namespace);
    let latest = ",kubernetes-fleet.io/is-latest-snapshot=true";
    let builder = builder.words("-l").label(PLACEMENT, placement?, latest).words("-o yaml");
    builder.effect("shows whether the placement is scheduled by now").build()
}

/// Shows the Works of a cluster.
pub fn works_command(cluster: &str) -> Option<Command> {
    let builder = look_at_hub().words("get works.placement.kubernetes-fleet.io -n");
    let builder = builder.joined("fleet-member-", cluster).words("-o yaml");
    builder.effect(format!("shows what the member agent reports for {cluster}")).build()
}

/// Shows a member as the hub knows it.
pub fn member_cluster_command(name: &str) -> Option<Command> {
    show_command(&ObjectKey::on_hub("MemberCluster", "", name))
}

/// Shows the workloads of a member cluster.
pub fn member_command(cluster: &str) -> Option<Command> {
    let workloads = "get deployments,replicasets,pods,events,resourcequotas -A -o yaml";
    Command::kubectl(Risk::ReadOnly, RunsOn::Member(cluster.into())).words(workloads).build()
}

/// Lists the pods of the agents of a member.
pub fn member_agent_command(cluster: &str) -> Option<Command> {
    look_at(cluster).words("get pods -n fleet-system").build()
}

/// Shows the end of the log of a member's agent.
pub fn member_agent_log(cluster: &str) -> Option<Command> {
    let member = Command::kubectl(Risk::ReadOnly, RunsOn::of_cluster(cluster));
    member.words("logs -n fleet-system deployment/member-agent --tail=200").build()
}

/// Lists the pods of the hub's agents and who leads.
pub fn hub_agent_command() -> Option<Command> {
    let command = look_at_hub().words("get pods,leases -n fleet-system");
    command.effect("shows whether the hub agent runs, and who holds the lease").build()
}

/// Shows how the hub agent is started.
pub fn hub_agent_options() -> Option<Command> {
    look_at_hub().words("get deployment hub-agent -n fleet-system -o yaml").build()
}

/// Shows the whole log of the hub agent.
pub fn hub_agent_log() -> Option<Command> {
    agent_log("hub-agent", "--tail=-1")
}

/// Shows the log of an agent by its deployment.
pub fn agent_log(deployment: &str, flags: &'static str) -> Option<Command> {
    let place = if deployment == "hub-agent" { RunsOn::Hub } else { RunsOn::UnknownMember };
    let builder = Command::kubectl(Risk::ReadOnly, place).words("logs -n fleet-system");
    let builder = builder.joined("deployment/", deployment).words(flags);
    builder.effect(format!("shows what the {} says", deployment.replace('-', " "))).build()
}
