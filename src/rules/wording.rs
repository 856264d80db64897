//! Commands and phrases that several rules share, with the real names filled in.

use crate::finding::Command;
use crate::grammar::kind::find_kind;
use crate::model::approval::ApprovalRequest;
use crate::model::key::ObjectKey;

/// Returns ` -n namespace`, or nothing in cluster scope.
pub fn namespace_flag(key: &ObjectKey) -> String {
    if key.namespace.is_empty() { String::new() } else { format!(" -n {}", key.namespace) }
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
        key.name,
        namespace_flag(key)
    ))
}

/// Returns the command that sets a run's state.
pub fn set_state(run: &ObjectKey, state: &str) -> Command {
    Command::change(format!(
        "kubectl patch {} {}{} --type=merge -p '{{\"spec\":{{\"state\":\"{state}\"}}}}'",
        plural(&run.kind),
        run.name,
        namespace_flag(run),
    ))
}

/// Returns the command that approves a request at its generation.
pub fn patch_approval(request: &ApprovalRequest, generation: i64) -> Command {
    let key = &request.meta.key;
    Command::change(format!(
        "kubectl patch {} {}{} --subresource=status --type=merge -p \
         '{{\"status\":{{\"conditions\":[{{\"type\":\"Approved\",\"status\":\"True\",\"reason\":\"Approved\",\
         \"message\":\"approved\",\"observedGeneration\":{generation},\
         \"lastTransitionTime\":\"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'\"}}]}}}}'",
        plural(&key.kind),
        key.name,
        namespace_flag(key),
    ))
}
