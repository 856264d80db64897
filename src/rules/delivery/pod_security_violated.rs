//! FL0704 pod-security-violated.

use crate::declare_rule;
use crate::facts::refusal::Refused;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::key::ObjectKey;
use crate::rule::Cx;
use crate::rules::chain::{causes, members, refused, tell};
use crate::rules::commands::look_at;

declare_rule! {
    /// A workload whose pods break the pod security level of their namespace.
    ///
    /// ## Why it matters
    /// The workload itself is applied, so `Applied` is True; only its pods are refused, silently for whoever
    /// looks at the Deployment alone. The namespace enforces a level by its label
    /// `pod-security.kubernetes.io/enforce`.
    ///
    /// ## What to do
    /// Give the pod template the security context that the message asks for, or relax the label of the
    /// namespace. If the placement brings the namespace, change it on the hub.
    pub static POD_SECURITY_VIOLATED = Rule {
        code: "FL0704",
        name: "pod-security-violated",
        severity: Severity::Error,
        reads: &[Kind::Work, Kind::Namespace],
        check: pod_security_violated,
    }
}

/// The wordings that it knows.
const WORDS: &[MessageId] = &[id::K8S_PODSECURITY];

fn pod_security_violated(cx: &mut Cx<'_>) {
    let violations = causes(cx, WORDS, |refusal, phrase| {
        let level = phrase.get("level").unwrap_or_default().to_owned();
        (refusal.placement.clone(), refusal.object.path(), level)
    });
    for ((_, _, level), cause) in violations {
        let Some(mut finding) = tell(
            &POD_SECURITY_VIOLATED,
            cx,
            &cause,
            "level",
            "the level that the namespace enforces",
        ) else {
            continue;
        };
        let Some((refusal, phrase)) = cause.first() else { continue };
        let namespace = &refusal.object.namespace;
        finding = finding
            .message(format!(
                "PodSecurity {level} of namespace {namespace} on {} refuses {}: {}",
                members(&cause),
                refused(&cause),
                phrase.get("detail").unwrap_or_default()
            ))
            .why(match refusal.refused {
                Refused::Pods => "the object was applied; the API server refuses each pod that its controller wants to make",
                Refused::Object => "the API server of the member refuses the pod itself; it has to meet the level of its namespace",
            })
            .recover(Recoverability::ResumesAfterRepair)
            .command(look_at(refusal.cluster()).words("get namespaces").name(namespace).words("--show-labels").build());
        let key = ObjectKey {
            cluster: refusal.object.cluster.clone(),
            kind: "Namespace".into(),
            namespace: "".into(),
            name: namespace.clone(),
        };
        let enforced = cx.find_object(Kind::Namespace, &key);
        let label = enforced.and_then(|meta| meta.label("pod-security.kubernetes.io/enforce"));
        finding = finding.also_at(label.map(|label| label.span), "set here");
        cx.report(finding);
    }
}
