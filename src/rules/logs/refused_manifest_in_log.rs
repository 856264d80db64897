//! FL0903 refused-manifest-in-log.

use crate::declare_rule;
use crate::finding::Topic;
use crate::finding::{Recoverability, Severity};
use crate::grammar::message::Role;
use crate::model::key::ObjectKey;
use crate::model::log::{LogEvent, LogRef};
use crate::rule::{Cx, Scope};
use crate::rules::wording::show_command;

declare_rule! {
    /// An object that the member agent could not put on its cluster, by its log.
    ///
    /// ## Why it matters
    /// The member agent tries again and again; the API server of the member refuses each time, and its words say why.
    ///
    /// ## What to do
    /// Follow the error: it names the object and who refused it.
    pub static REFUSED_MANIFEST_IN_LOG = Rule {
        code: "FL0903",
        name: "refused-manifest-in-log",
        severity: Severity::Error,
        scope: Scope::Bundle,
        reads: &[],
        check: refused_manifest_in_log,
    }
}

fn refused_manifest_in_log(cx: &mut Cx<'_>) {
    let mut told: Vec<(&str, &str)> = Vec::new();
    for event in cx.log_events().iter().rev().filter(|event| is_refusal(event)) {
        let (Some(work), Some((error, span))) = (event.find(Role::Work), &event.error) else {
            continue;
        };
        let Some(cluster) = work.namespace.strip_prefix("fleet-member-") else { continue };
        let key = ObjectKey::on_hub("Work", &work.namespace, &work.name);
        // The Work itself, where the bundle holds it, tells more than the log.
        if told.contains(&(&*work.name, &**error)) || cx.has_object(&key) {
            continue;
        }
        told.push((&work.name, error));
        let object = event.find(Role::Object).map(shown).unwrap_or_else(|| "a manifest".to_owned());
        let mut finding = REFUSED_MANIFEST_IN_LOG
            .at(*span, "refused on the member")
            .for_object(key.clone())
            .also_log(work.span, "the Work", Some(key.clone()))
            .message(format!("the agent of cluster {cluster} cannot apply {object} of Work {}: {error}", work.name))
            .help("the member agent tries again by itself; the error names what has to be repaired on the member")
            .recover(Recoverability::ResumesAfterRepair)
            .command(show_command(&key))
            .explains(Topic::Work(key))
            .explains(Topic::Member(cluster.into()));
        if let Some(placement) = placement_of(&work.name) {
            finding = finding.explains(Topic::PlacementCluster(placement, cluster.into()));
        }
        cx.report(finding);
    }
}

fn is_refusal(event: &LogEvent) -> bool {
    event.is("log-workapplier-failed-apply-manifest")
        || event.is("log-workapplier-failed-decode-manifest")
}

fn shown(object: &LogRef) -> String {
    if object.namespace.is_empty() {
        object.name.to_string()
    } else {
        format!("{}/{}", object.namespace, object.name)
    }
}

/// Returns the placement of a Work, by the rule of its name: `[namespace.]placement-work[-…]`.
fn placement_of(work: &str) -> Option<ObjectKey> {
    let (name, _) = work.rsplit_once("-work")?;
    Some(match name.split_once('.') {
        Some((namespace, name)) => ObjectKey::on_hub("ResourcePlacement", namespace, name),
        None => ObjectKey::on_hub("ClusterResourcePlacement", "", name),
    })
}
