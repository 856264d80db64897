//! Commands and phrases that several rules share, with the real names filled in.

use serde_json::{Value, json};

use crate::finding::{Command, word};
use crate::grammar::kind::find_kind;
use crate::model::approval::ApprovalRequest;
use crate::model::condition::Condition;
use crate::model::key::ObjectKey;

/// Returns ` -n namespace`, or nothing in cluster scope.
pub fn namespace_flag(key: &ObjectKey) -> String {
    if key.namespace.is_empty() { String::new() } else { format!(" -n {}", word(&key.namespace)) }
}

/// Returns the plural by which kubectl knows a kind.
pub fn plural(kind: &str) -> String {
    find_kind(kind).map_or_else(|| kind.to_lowercase(), |spec| spec.plural.to_string())
}

/// Returns the command that shows an object.
pub fn show_command(key: &ObjectKey) -> Command {
    Command::look(format!(
        "kubectl get {} {}{} -o yaml",
        plural(&key.kind),
        word(&key.name),
        namespace_flag(key)
    ))
}

/// Returns the command that opens an object of the hub in an editor.
pub fn edit_command(key: &ObjectKey) -> Command {
    Command::change(format!(
        "kubectl edit {} {}{}",
        plural(&key.kind),
        key.name,
        namespace_flag(key)
    ))
}

/// Returns the command that sets a run's state.
pub fn set_state(run: &ObjectKey, state: &str) -> Command {
    Command::change(format!(
        "kubectl patch {} {}{} --type=merge -p '{{\"spec\":{{\"state\":\"{state}\"}}}}'",
        plural(&run.kind),
        word(&run.name),
        namespace_flag(run),
    ))
}

/// Returns the command that approves a request at its generation.
///
/// An answer that is there is completed field by field, so that the time and, of an approval, the words of
/// whoever gave it stay; the `test` refuses the patch if the list has changed since.
pub fn patch_approval(request: &ApprovalRequest, generation: i64) -> Command {
    let key = &request.meta.key;
    let answer = request.conditions.iter().position(|condition| &*condition.kind == "Approved");
    let Some(index) = answer else { return approve_new(key, generation) };
    let field = |name: &str| format!("/status/conditions/{index}/{name}");
    let mut patch = vec![json!({"op": "test", "path": field("type"), "value": "Approved"})];
    if !request.approved().is_some_and(Condition::is_true) {
        for (name, value) in [("status", "True"), ("reason", "Approved"), ("message", "approved")] {
            patch.push(json!({"op": "add", "path": field(name), "value": value}));
        }
    }
    patch.push(json!({"op": "add", "path": field("observedGeneration"), "value": generation}));
    patch_status(key, &Value::Array(patch))
}

/// Returns the command that approves a request that the bundle does not hold.
///
/// The spec of a request cannot be changed, so its generation is 1.
pub fn approve_named(run: &ObjectKey, request: &str) -> Command {
    let kind = request_kind(run).into();
    approve_new(&ObjectKey { kind, name: request.into(), ..run.clone() }, 1)
}

/// Returns the command that approves a request without an answer.
///
/// A condition must have a time, and a pasted command knows none: the server copies the request's own.
/// Nothing reads it; when the approval was given stands in ApprovalAccepted, which the controller writes.
fn approve_new(key: &ObjectKey, generation: i64) -> Command {
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
    patch_status(key, &patch)
}

fn patch_status(key: &ObjectKey, patch: &Value) -> Command {
    Command::change(format!(
        "kubectl patch {} {}{} --subresource=status --type=json -p '{patch}'",
        plural(&key.kind),
        word(&key.name),
        namespace_flag(key),
    ))
}

/// Returns the kind of approval request that belongs to a run.
pub fn request_kind(run: &ObjectKey) -> &'static str {
    if run.namespace.is_empty() { "ClusterApprovalRequest" } else { "ApprovalRequest" }
}

/// Returns the text of the command that shows a run's request by name.
pub fn show_named(run: &ObjectKey, request: &str) -> String {
    format!(
        "kubectl get {} {}{} -o yaml",
        plural(request_kind(run)),
        word(request),
        namespace_flag(run)
    )
}

/// Returns the command that deletes an object.
pub fn delete_command(key: &ObjectKey) -> Command {
    Command::destroy(format!(
        "kubectl delete {} {}{}",
        plural(&key.kind),
        word(&key.name),
        namespace_flag(key)
    ))
}

/// Returns the command that shows the bindings of a run's placement.
pub fn binding_command(run: &ObjectKey, placement: Option<&str>) -> Command {
    let kind =
        if run.namespace.is_empty() { "clusterresourcebindings" } else { "resourcebindings" };
    let label = placement
        .map(|name| format!(" -l kubernetes-fleet.io/parent-CRP={}", word(name)))
        .unwrap_or_default();
    Command::look(format!("kubectl get {kind}{}{label} -o yaml", namespace_flag(run)))
}

/// Returns the command that shows the Works of a cluster.
pub fn works_command(cluster: &str) -> Command {
    Command::look(format!(
        "kubectl get works.placement.kubernetes-fleet.io -n {} -o yaml",
        word(&format!("fleet-member-{cluster}"))
    ))
}

/// Returns the command that shows the workloads of a member cluster.
pub fn member_command(cluster: &str) -> Command {
    Command::look(format!(
        "kubectl --context {} get deployments,replicasets,pods,events,resourcequotas -A -o yaml",
        word(cluster)
    ))
}

/// Returns the kind of placement in a scope.
pub fn placement_kind(namespace: &str) -> &'static str {
    if namespace.is_empty() { "ClusterResourcePlacement" } else { "ResourcePlacement" }
}

/// Returns the kind of strategy in a scope.
pub fn strategy_kind(namespace: &str) -> &'static str {
    if namespace.is_empty() { "ClusterStagedUpdateStrategy" } else { "StagedUpdateStrategy" }
}
