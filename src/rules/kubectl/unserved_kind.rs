//! FL0831 unserved-kind.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::{FORMER_GROUPS, find_kind, find_kind_in};
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;
use crate::rules::kubectl::answer::{Answer, answers};

declare_rule! {
    /// A manifest whose kind the asked cluster does not serve.
    ///
    /// ## Why it matters
    /// kubectl looks the kind up before it sends anything: nothing was created. The kinds of KubeFleet exist on the hub
    /// only, in the versions that its CRDs serve; the group `fleet.azure.com` of early releases exists nowhere any more.
    ///
    /// ## What to do
    /// Talk to the hub, write the version that it serves, or install newer CRDs there.
    pub static UNSERVED_KIND = Rule {
        code: "FL0831",
        name: "unserved-kind",
        severity: Severity::Warning,
        reads: &[],
        check: unserved_kind,
    }
}

fn unserved_kind(cx: &mut Cx<'_>) {
    for answer in answers(cx) {
        let Some(version) = answer.value(id::K8S_NOMATCH, "group-version") else { continue };
        let (why, help) = explain(&answer, version);
        let finding = UNSERVED_KIND
            .at(answer.rejection.span, "nothing was sent")
            .for_object(answer.key.clone())
            .message(format!("kubectl did not send {}: {why}", answer.subject()))
            .why(help)
            .recover(Recoverability::WaitsForPerson)
            .command(look_at_hub().words("get crds -o name").build());
        cx.report(finding);
    }
}

/// Says why a kind is not served in a version, and what to do.
fn explain(answer: &Answer<'_>, version: &str) -> (String, String) {
    let kind = &answer.key.kind;
    let group = version.split_once('/').map_or("", |(group, _)| group);
    if FORMER_GROUPS.contains(&group) {
        let successor = find_kind(kind).filter(|spec| spec.is_fleet());
        let help = successor.map_or_else(
            || "it has no successor".to_owned(),
            |spec| {
                format!("its successor is {}, whose fields differ", spec.api_version(spec.storage))
            },
        );
        return (format!("group {group} was removed in v0.1"), help);
    }
    let Some(spec) = find_kind_in(version, kind) else {
        return (
            format!("there is no kind {kind} in {version}"),
            "compare kind and apiVersion with the CRDs of the hub".to_owned(),
        );
    };
    let own = version.rsplit('/').next().unwrap_or_default();
    if !spec.versions.contains(&own) {
        return (
            format!("no release serves {kind} in {version}"),
            format!("served is {}", spec.api_version(spec.storage)),
        );
    }
    let asked = answer.rejection.cluster.as_deref();
    let asked = asked.map(|cluster| format!(" ({cluster})")).unwrap_or_default();
    (
        format!("the cluster that it talked to{asked} does not serve {kind} in {version}"),
        "either that cluster is not the hub, or the CRDs of the hub are older than this version"
            .to_owned(),
    )
}
