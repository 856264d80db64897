//! Commands and phrases that several rules share, with the real names filled in.

use crate::finding::{Command, NOW, word};
use crate::grammar::kind::find_kind;
use crate::model::approval::ApprovalRequest;
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
pub fn patch_approval(request: &ApprovalRequest, generation: i64) -> Command {
    patch_named(&request.meta.key, generation)
}

/// Returns the command that approves a request that the bundle does not hold.
///
/// The spec of a request cannot be changed, so its generation is 1.
pub fn approve_named(run: &ObjectKey, request: &str) -> Command {
    let kind = request_kind(run).into();
    patch_named(&ObjectKey { kind, name: request.into(), ..run.clone() }, 1)
}

fn patch_named(key: &ObjectKey, generation: i64) -> Command {
    Command::change(format!(
        "kubectl patch {} {}{} --subresource=status --type=merge -p \
         '{{\"status\":{{\"conditions\":[{{\"type\":\"Approved\",\"status\":\"True\",\"reason\":\"Approved\",\
         \"message\":\"approved\",\"observedGeneration\":{generation},\
         \"lastTransitionTime\":\"'{NOW}'\"}}]}}}}'",
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
