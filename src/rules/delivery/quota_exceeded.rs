//! FL0701 quota-exceeded.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::rule::Cx;
use crate::rules::chain::{Cause, causes, member_name, refused, tell};
use crate::rules::commands::look_at;

declare_rule! {
    /// A quota on a member that refuses what a placement brings.
    ///
    /// ## Why it matters
    /// The API server of the member refuses the object, or the pods of a workload that was applied,
    /// because a ResourceQuota of the namespace is used up. Objects that Kubernetes makes itself count
    /// too: every namespace holds the ConfigMap `kube-root-ca.crt`.
    ///
    /// ## What to do
    /// Raise or remove the quota on the member, or ask for less on the hub. The agent tries again by
    /// itself, within minutes, and a stuck run then goes on.
    pub static QUOTA_EXCEEDED = Rule {
        code: "FL0701",
        name: "quota-exceeded",
        severity: Severity::Error,
        reads: &[Kind::Work, Kind::ResourceQuota],
        check: quota_exceeded,
    }
}

/// The wordings that it knows.
const WORDS: &[MessageId] = &[id::K8S_QUOTA, id::K8S_QUOTA_UNSET];

fn quota_exceeded(cx: &mut Cx<'_>) {
    let causes = causes(cx, WORDS, |refusal, phrase| {
        let namespace = refusal.object.namespace.clone();
        (refusal.object.cluster.clone(), namespace, phrase.get("quota").map(str::to_owned))
    });
    for ((cluster, namespace, quota), cause) in causes {
        let quota = quota.unwrap_or_default();
        report(cx, &cluster, &namespace, &quota, &cause);
    }
}

fn report(cx: &mut Cx<'_>, cluster: &str, namespace: &str, quota: &str, cause: &Cause<'_>) {
    let Some(mut finding) = tell(&QUOTA_EXCEEDED, cx, cause, "quota", "this quota refuses it")
    else {
        return;
    };
    let Some((_, phrase)) = cause.first() else { return };
    // Rows of events do not show the namespace.
    let (path, everything) = if namespace.is_empty() {
        (quota.to_owned(), "the namespace".to_owned())
    } else {
        (format!("{namespace}/{quota}"), format!("namespace {namespace}"))
    };
    let member = member_name(cluster);
    let detail = match (phrase.get("requested"), phrase.get("used"), phrase.get("limited")) {
        (Some(requested), Some(used), Some(limited)) => {
            format!("requested {requested}, used {used}, limited {limited}")
        }
        _ => phrase.words().to_owned(),
    };
    finding = finding
        .message(format!("ResourceQuota {path} on {member} refuses {}: {detail}", refused(cause)))
        .why(format!(
            "the API server of {member} counts everything in {everything} against the quota; \
             the agent tries again by itself once there is room"
        ))
        .recover(Recoverability::ResumesAfterRepair)
        .command(
            look_at(cluster)
                .words("describe resourcequotas")
                .name(quota)
                .namespace(namespace)
                .build(),
        );
    // The object itself shows the limit, whatever resource the words name first.
    let resource = phrase.get("requested").and_then(|text| text.split('=').next());
    if let (Some(found), Some(resource)) = (cx.find_quota(cluster, namespace, quota), resource) {
        finding = finding
            .also_at(found.limit(resource).map(|text| text.span), "the limit")
            .also_at(found.used(resource).map(|text| text.span), "what is used of it");
    }
    cx.report(finding);
}
