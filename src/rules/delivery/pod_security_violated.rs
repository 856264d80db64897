//! FL0704 pod-security-violated.

use crate::declare_rule;
use crate::facts::refusal::RefusalTarget;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::key::ObjectKey;
use crate::rule::Cx;
use crate::rules::commands::look_at;
use crate::rules::consequence::{Repair, after_repair_of, edit_on_hub};
use crate::rules::refused_resource::{causes, finding_for_refusals, members, refused};
use crate::rules::sentence::{clip, full_stop};

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
        let Some(mut finding) = finding_for_refusals(
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
            .message(full_stop(&format!(
                "PodSecurity {level} of namespace {namespace} on {} refuses {}: {}",
                members(&cause),
                refused(&cause),
                clip(phrase.get("detail").unwrap_or_default())
            )))
            .why(match refusal.refused {
                RefusalTarget::Pods => {
                    "The workload was applied. The API server of the member refuses each pod that \
                     its controller creates."
                }
                RefusalTarget::Object => {
                    "The API server of the member refuses a pod that does not meet the level of \
                     its namespace."
                }
            })
            .hint(format!(
                "Set the securityContext that the message names, on the hub. A lower level for \
                 namespace {namespace} also settles it: on the hub if its label comes from there, \
                 else on the member."
            ));
        let key = ObjectKey {
            cluster: refusal.object.cluster.clone(),
            kind: "Namespace".into(),
            namespace: "".into(),
            name: namespace.clone(),
        };
        let enforced = cx.find_object(Kind::Namespace, &key);
        let label = enforced.and_then(|meta| meta.label("pod-security.kubernetes.io/enforce"));
        finding = match label {
            Some(label) => finding.also(label.span, "the namespace enforces this level"),
            None => finding.step(
                look_at(refusal.cluster())
                    .words("get namespaces")
                    .name(namespace)
                    .words("--show-labels")
                    .build(),
                format!("shows the level that namespace {namespace} enforces"),
            ),
        };
        finding =
            finding.step(edit_on_hub(cx, &refusal.object), "opens it to set the securityContext");
        cx.report(after_repair_of(finding, cx, &cause, Repair::Resource));
    }
}
